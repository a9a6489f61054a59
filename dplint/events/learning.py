"""Learnt events: a classifier tells outputs on D1 from outputs on D2, and a threshold on its score makes an event.

By the lemma of Neyman and Pearson, of all events with the same probability on D2 a half-line of the likelihood ratio
has the largest on D1, and the logit of a good classifier is its logarithm (Bichsel et al., "DP-Sniper", S&P 2021). All
models here can be written down as a sum: points for conditions, from gradient-boosted stumps; points for each element
or step that reaches a threshold, from stumps on single elements; and points in proportion to numbers, from logistic
regression.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from dplint.events.columns import Column, Floats, Key, Mask, Ordered, RowKey, ValueClass
from dplint.events.conditions import Between, Equals, Event, Feature, ScoreAbove, Slope, Vote, of_each
from dplint.events.families.reaching import NumericSequence, Reaching, numeric_sequences
from dplint.events.grids import Cells, NumberAxis
from dplint.events.split_runs import Sample, SplitRuns
from dplint.events.thresholds import Described, cuts_at, many_values

Truth = npt.NDArray[np.int32]
_STEPS, _RATE = 40, 0.5
"""Stumps, and the share of what each says that is believed."""
_PENALTY = 20.0
_LEAST = 50
"""Outputs on either side of a stump at least, where each output counts for itself."""
_CURVATURE = 0.25
"""The second derivative of the loss of an output is nowhere larger, and not much smaller while scores are small."""
_NEWTON, _HALVINGS, _EXACT = 25, 20, 1e-6
_MOST_CODED = 40
"""Conditions that are numbered together as the bits of an integer."""


def boosted(cells: Sequence[Cells], truth: Truth, weights: Floats | None = None) -> list[tuple[float, int, int]]:
    """Boosted stumps as jumps (size, feature, cell), the largest first: the logit is the sum of the jumps reached.

    cells: for each feature those of all outputs, shape (outputs,), in order. weights: how often each output came, if
    they come in few ways.
    """
    counted = np.ones(len(truth)) if weights is None else weights
    binned = _Binned(cells)
    outputs = binned.from_cell(counted)
    least = _LEAST if weights is None else 1
    allowed = (outputs >= least) & (outputs[:, :1] - outputs >= least)
    penalised = _CURVATURE * outputs + _PENALTY, _CURVATURE * (outputs[:, :1] - outputs) + _PENALTY
    ones = float(counted @ truth)
    score = np.full(len(truth), math.log(max(ones, 1.0) / max(counted.sum() - ones, 1.0)))
    jumps = defaultdict[tuple[int, int], float](float)
    for _ in range(_STEPS if allowed.any() else 0):
        above = binned.from_cell((_share(score) - truth) * counted)
        below = above[:, :1] - above
        gains = np.where(allowed, above**2 / penalised[0] + below**2 / penalised[1], -np.inf)
        feature, cell = divmod(int(gains.argmax()), gains.shape[1])
        up, down = (
            -_RATE * float(sums[feature, cell] / divided[feature, cell])
            for sums, divided in zip((above, below), penalised, strict=True)
        )
        if up == down:
            break
        score += np.where(cells[feature] >= cell, up, down)
        jumps[feature, cell] += up - down
    found = [(size, feature, cell) for (feature, cell), size in jumps.items() if size]
    return sorted(found, key=lambda jump: (-abs(jump[0]), jump[1:]))


class _Binned:
    """The cells of all features. Two features at a time are numbered in one: adding up takes most of the time."""

    def __init__(self, cells: Sequence[Cells]) -> None:
        self._sizes = [int(own.max()) + 1 for own in cells]
        self._most = max(self._sizes)
        self._together = []
        for first in range(0, len(cells), 2):
            two = cells[first : first + 2]
            numbers = two[0].astype(np.intp)
            if len(two) == 2:
                numbers *= self._sizes[first + 1]
                numbers += two[1]
            self._together.append(numbers)

    def from_cell(self, amounts: Floats) -> Floats:
        """For each feature and cell the sum of the amounts of outputs in this cell or a later one."""
        found = np.zeros((len(self._sizes), self._most))
        for place, numbers in enumerate(self._together):
            sizes = self._sizes[2 * place : 2 * place + 2]
            sums = np.bincount(numbers, amounts, math.prod(sizes))
            if len(sizes) == 2:
                sums = sums.reshape(sizes)
                found[2 * place + 1, : sizes[1]] = sums.sum(axis=0)
                sums = sums.sum(axis=1)
            found[2 * place, : sizes[0]] = sums
        return np.asarray(found[:, ::-1].cumsum(axis=1)[:, ::-1])


@dataclass(frozen=True)
class Observed:
    """What a logistic regression is fitted to: the ways in which outputs come, shape (ways, columns), how many outputs
    come so, and how many of them on the side that is sought.
    """

    ways: Floats
    counts: Floats
    ones: Floats

    @classmethod
    def of(cls, columns: Sequence[Floats] | Sequence[Mask], truth: Truth) -> Observed:
        """These columns of all outputs."""
        if len(columns) > _MOST_CODED or any(column.dtype != np.bool_ for column in columns):
            return cls(np.array(columns, np.float64).T, np.ones(len(truth)), truth.astype(np.float64))
        codes = np.zeros(len(truth), np.int64)
        for column in columns:
            codes *= 2
            codes += column.view(np.uint8)
        # With the truth for a last bit, so that sorting the numbers is all there is to do.
        codes, counts = np.unique(2 * codes + truth, return_counts=True)
        ways, place = np.unique(codes >> 1, return_inverse=True)
        bits = (ways[:, None] >> np.arange(len(columns) - 1, -1, -1)) & 1
        every, ones = (np.bincount(place, each, len(ways)) for each in (counts, counts * (codes & 1)))
        return cls(bits.astype(np.float64), every.astype(np.float64), ones.astype(np.float64))

    @cached_property
    def centred(self) -> Floats:
        """The ways without the mean of each column."""
        return np.asarray(self.ways - self.counts @ self.ways / self.counts.sum())

    def only(self, columns: npt.NDArray[np.intp]) -> Observed:
        """With these columns alone."""
        return Observed(self.ways[:, columns], self.counts, self.ones)


def fitted(observed: Observed) -> tuple[Floats, Floats]:
    """The weights of a logistic regression with the penalty |w|^2 / 2, and how many standard errors each is from 0."""
    matrix = np.column_stack([observed.centred, np.ones(len(observed.counts))])
    penalty = np.ones(matrix.shape[1])
    penalty[-1] = 0.0

    def loss(weights: Floats) -> float:
        scores = matrix @ weights
        each = observed.counts * np.logaddexp(0.0, scores) - observed.ones * scores
        return float(each.sum() + penalty @ weights**2 / 2)

    weights = np.zeros(matrix.shape[1])
    least = loss(weights)
    for _ in range(_NEWTON):
        shares = _share(matrix @ weights)
        gradient = matrix.T @ (observed.counts * shares - observed.ones) + penalty * weights
        information = _information(matrix, observed.counts * shares * (1 - shares), penalty)
        step = np.linalg.solve(information, gradient)
        for _ in range(_HALVINGS):
            if (tried := loss(weights - step)) <= least:
                break
            step = step / 2
        else:
            break
        weights, before, least = weights - step, least, tried
        if before - least <= _EXACT * before:
            break
    shares = _share(matrix @ weights)
    information = _information(matrix, observed.counts * shares * (1 - shares), penalty)[:-1, :-1]
    weights = weights[:-1]
    return weights, np.abs(weights) / np.sqrt(np.diag(np.linalg.inv(information)))


def _information(matrix: Floats, variances: Floats, penalty: Floats) -> Floats:
    """The second derivatives of the loss; a little more for the constant, which is in no penalty."""
    return np.asarray(matrix.T @ (matrix * variances[:, None]) + np.diag(np.maximum(penalty, 1e-9)))


def _share(scores: Floats) -> Floats:
    """The probability that a score stands for."""
    return np.asarray(1 / (1 + np.exp(np.minimum(-scores, 700.0))))


_BOOSTED_RUNS = 20_000
"""Runs of each data value that conditions are looked for in."""
_WEIGHED_RUNS = 60_000
"""Runs of each data value that weights are fitted to, which is faster."""
_MOST_TERMS = 24
_MOST_KEYS = 8
_MOST_STUMPS = 48
_LOOKED_AT = 4_000
_CERTAINTIES = (0.0, 1.5, 3.0)
"""Standard errors that a weight must be away from 0 to be kept: a weak signal needs all terms, a strong one few."""
_QUANTILES = tuple(np.arange(1, 40) / 40)
_MOST_CUTS = 6
"""Thresholds that elements of a sequence are counted at."""
_POINTS = (2, 10)
"""Points of the weightiest vote: few make for short events and even out chance, many are more exact."""


Learnt: TypeAlias = tuple[tuple[ScoreAbove, ...], ...]
"""Scores that are high on D1 and low on D2, by the model that they come from. Their thresholds mean nothing: they are
chosen by `cutting.cut`."""


def learn(split_runs: SplitRuns) -> Learnt:
    """Fit models to the runs that are searched. Deterministic."""
    few, many = (
        split_runs.search.about(min(1.0, most / split_runs.search.runs)) for most in (_BOOSTED_RUNS, _WEIGHED_RUNS)
    )
    lesson = _Lesson(few, many)
    # Several audits share the cores, and threads that wait for each other lose more than they win.
    with threadpool_limits(1):
        found = [_votes(lesson, split_runs.described), _slopes(lesson, split_runs.described)]
        for sequence in numeric_sequences(item.feature for item in split_runs.described):
            found += [_counts(lesson, sequence, steps=steps) for steps in (False, True)]
    return tuple(scores for scores in found if scores)


@dataclass(frozen=True)
class _Lesson:
    """What all models learn from: a few outputs to look for conditions in, and many to weigh them on."""

    few: Sample
    many: Sample

    def numbers(self, feature: Feature) -> Floats:
        """A feature on many outputs, 0 where it is no number."""
        column = self.many.pooled(feature)
        return np.where(column.classes == ValueClass.NUMBER, column.values, 0.0)

    def weigh(self, columns: Sequence[Floats] | Sequence[Mask]) -> list[list[int]]:
        """Weights for columns of many outputs, as whole numbers, in some resolutions.

        First of all columns; then of those only that surely matter, where the others get 0.
        """
        observed = Observed.of(columns, 1 - self.many.sides)
        found: dict[tuple[int, ...], None] = {}
        weights, errors = fitted(observed)
        known = len(errors)
        for certainty in _CERTAINTIES:
            kept = np.flatnonzero(errors >= certainty)
            if len(kept):
                if len(kept) < known:
                    known, (weights, _) = len(kept), fitted(observed.only(kept))
                largest = float(np.abs(weights).max()) or 1.0
                for points in _POINTS:
                    whole = np.zeros(len(errors), np.int64)
                    whole[kept] = np.rint(weights / largest * points)
                    found[tuple(whole.tolist())] = None
        return [list(whole) for whole in found if any(whole)]


@dataclass(frozen=True)
class _Stumps:
    """A feature by cells, shape (outputs,), with what `cell >= number` means; cell 0 is also where it is missing."""

    described: Described
    key: Key | RowKey | None
    cells: Cells

    def condition(self, cell: int, *, upwards: bool) -> Between | Equals:
        """The outputs from this cell on. Or, if downwards and every output has the feature, those below."""
        if self.key is not None:
            return Equals(self.described.feature, self.key)
        assert self.described.numbers is not None
        cut = self.described.numbers.thresholds[cell - 1]
        feature = self.described.feature
        if upwards or feature.guards or feature.number_guards:
            return Between(feature, cut, math.inf)
        return Between(feature, -math.inf, cut)


def _votes(lesson: _Lesson, described: Sequence[Described]) -> tuple[ScoreAbove, ...]:
    """Boosted stumps find conditions, logistic regression weighs them."""
    truth = 1 - lesson.few.sides
    stumps: dict[bytes, _Stumps] = {}
    for item in described:
        for found in _stumps_of(lesson, item):
            stumps.setdefault(found.cells.tobytes(), found)
    if not stumps:
        return ()
    kinds = sorted(stumps.values(), key=lambda item: -_telling(item.cells, truth))[:_MOST_STUMPS]
    jumps = boosted([item.cells for item in kinds], truth)[:_MOST_TERMS]
    if not jumps:
        return ()
    conditions = [kinds[kind].condition(cell, upwards=size > 0) for size, kind, cell in jumps]
    masks = lesson.many.masks([Event((condition,)) for condition in conditions])
    return tuple(
        ScoreAbove(tuple(Vote(w, c) for w, c in zip(weights, conditions, strict=True) if w), 0.0)
        for weights in lesson.weigh(masks)
    )


def _telling(cells: Cells, truth: npt.NDArray[np.int32]) -> float:
    """How different the cells are on D1 and D2: chi squared for each degree of freedom."""
    size = int(cells.max()) + 1
    counts = np.bincount(truth * size + cells, minlength=2 * size).reshape(2, size).astype(np.float64)
    seen = counts.sum(axis=0) > 0
    expected = counts[:, seen].sum(axis=1, keepdims=True) * counts[:, seen].sum(axis=0) / counts.sum()
    return float(((counts[:, seen] - expected) ** 2 / expected).sum() / max(1, int(seen.sum()) - 1))


def _stumps_of(lesson: _Lesson, item: Described) -> Iterator[_Stumps]:
    columns = {values: item.feature.column(values) for values in lesson.few.values}
    if (axis := item.numbers) is not None:
        yield _Stumps(item, None, of_each(lambda values: _ordered(axis, columns[values]), columns))
    for key in item.values.keys[:_MOST_KEYS] if item.values is not None else ():
        masks = {values: key.mask(column) for values, column in columns.items()}
        yield _Stumps(item, key, of_each(masks.__getitem__, columns).view(np.uint8))


def _ordered(axis: NumberAxis, column: Column) -> Cells:
    """Cells in the order of numbers; what is no number is in the lowest."""
    cells = axis.locate(column)
    return np.where(cells == axis.cells - 1, np.uint8(0), cells)


def _counts(lesson: _Lesson, sequence: NumericSequence, *, steps: bool) -> tuple[ScoreAbove, ...]:
    """Boosted stumps on single elements find thresholds; logistic regression weighs how many elements reach them.

    Where elements have the same law, this learns from all of them at once.
    """
    found = list(sequence.values(lesson.few.tables, steps=steps))
    elements = np.concatenate([np.zeros(0), *(values.ravel() for _, values in found)])
    if not many_values(Ordered.of(elements[:: len(elements) // _LOOKED_AT + 1])):
        return ()
    truth = 1 - np.concatenate([np.tile(table.sides, len(values)) for table, values in found])
    cuts = cuts_at(Ordered.of(elements), _QUANTILES)
    cells = np.searchsorted(cuts, elements, side="right")
    size = len(cuts) + 1
    counts = np.bincount(truth * size + cells, minlength=2 * size)
    if not (counts[:size].any() and counts[size:].any()):
        return ()
    each = np.tile(np.arange(size, dtype=np.uint8), 2)
    jumps = boosted([each], np.repeat([0, 1], size), counts.astype(np.float64))[:_MOST_CUTS]
    if not jumps:
        return ()
    features = [Reaching.of(sequence, cuts[cell - 1], steps=steps) for _, _, cell in jumps]
    return tuple(
        ScoreAbove(tuple(Slope(float(w), f) for w, f in zip(weights, features, strict=True) if w), 0.0)
        for weights in lesson.weigh([lesson.numbers(feature) for feature in features])
    )


def _slopes(lesson: _Lesson, described: Sequence[Described]) -> tuple[ScoreAbove, ...]:
    """Logistic regression on the elements that are numbers: the best score where the noise is Gaussian."""
    elements = [item.feature for item in described if item.numbers is not None and item.feature.SLOPES]
    numbers = {feature: lesson.numbers(feature) for feature in elements}
    spreads = {feature: float(column.std()) for feature, column in numbers.items() if np.isfinite(column).all()}
    usable = [feature for feature, spread in spreads.items() if 0 < spread < math.inf]
    if len(usable) < 2:
        return ()
    columns = [numbers[feature] / spreads[feature] for feature in usable]
    weights, _ = fitted(Observed.of(columns, 1 - lesson.many.sides))
    kept = sorted(np.argsort(-np.abs(weights), kind="stable")[:_MOST_TERMS].tolist())
    terms = [Slope(float(f"{weights[i] / spreads[usable[i]]:.3g}"), usable[i]) for i in kept]
    weighty = tuple(term for term in terms if term.weight)
    return (ScoreAbove(weighty, 0.0),) if weighty else ()
