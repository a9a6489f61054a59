"""Better events of the kind that grids have: finer thresholds, intervals, and products of up to three conditions.

Thresholds for learnt scores, by the caller's criterion; how good they are is counted on runs that are held out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dplint.events.columns import Mask, Ordered, ValueClass, aside, between, may_be_one, one_of_each
from dplint.events.conditions import Between, Condition, Event, Feature, ScoreAbove, Vote, of_each
from dplint.events.grids import Axis, Cells, NumberAxis
from dplint.events.learning import Learnt
from dplint.events.split_runs import Counts, Criterion, Floats, SplitRuns, Suggestion, cautiously
from dplint.events.thresholds import cuts_at, digits_of

_REFINED = 8
"""Features that get finer thresholds."""
_QUANTILES = (0.0005, 0.001, 0.002, 0.005, *(np.arange(1, 50) / 50).tolist(), 0.995, 0.998, 0.999, 0.9995)
_BEAM = 6
"""Events that are made narrower at each step."""
_MOST_CONDITIONS = 3
_WIDER = 2
"""Axes with up to so many times the conditions of the smallest are scored at once."""


@dataclass(frozen=True)
class _Axis:
    """An axis with the cell of every output of the searched half, shape (outputs,)."""

    axis: Axis
    cells: Cells


@dataclass(frozen=True)
class _Found:
    """An event on the searched half. The larger the rank the better: its score, then its difference."""

    conditions: tuple[Condition, ...]
    rank: tuple[float, float]
    mask: Mask | None = None

    @property
    def features(self) -> set[Feature]:
        return {feature for condition in self.conditions for feature in condition.features}


class Refining:
    """The searched half of earlier runs, with the cells of all axes."""

    def __init__(self, split_runs: SplitRuns) -> None:
        self._split_runs = split_runs
        self._coarse = [self._located(axis) for item in split_runs.described for axis in item.axes]
        self._fine: dict[Feature, _Axis | None] = {}

    def events(self, criterion: Criterion, *, most: int = 4) -> list[Suggestion]:
        """Events for P1(E) <= e^epsilon P2(E) + delta, best first.

        Deterministic. Empty if none is worth anything by the criterion.
        """
        search = _Search(self._split_runs, cautiously(criterion))
        search.axes += self._coarse
        numeric = {item.feature for item in self._split_runs.described if item.numbers and not item.categorical}
        telling = [feature for feature in search.telling() if feature in numeric][:_REFINED]
        search.axes += [axis for feature in telling if (axis := self._finely(feature)) is not None]
        found = list(search.single())
        level = search.narrowest(found)
        for _ in range(_MOST_CONDITIONS - 1):
            products = search.narrowest([product for start in level for product in search.products(start)])
            level = search.narrowest([search.tuned(product) for product in products])
            found += level
        found.sort(key=lambda item: item.rank, reverse=True)
        events = [Event(item.conditions) for item in found[: 8 * most]]
        return self._split_runs.suggestions(events, criterion, most=most)

    def _finely(self, feature: Feature) -> _Axis | None:
        """Many thresholds for a feature: quantiles, and the ends of what either data value returned.

        An end is rounded outwards, so that on the runs seen there is nothing beyond it.
        """
        if feature not in self._fine:
            search = self._split_runs.search
            column = search.pooled(feature)
            usable = (column.classes == ValueClass.NUMBER) & np.isfinite(column.values)
            numbers, sides = column.values[usable], search.sides[usable]
            self._fine[feature] = None
            if len(numbers) >= 10:
                every = Ordered.of(numbers)
                of_sides = [numbers[sides == side] for side in (0, 1)]
                ends = {end for own in of_sides if len(own) for end in _ends(every, own)}
                axis = NumberAxis(feature, tuple(sorted({*cuts_at(every, _QUANTILES), *ends})))
                self._fine[feature] = self._located(axis)
        return self._fine[feature]

    def _located(self, axis: Axis) -> _Axis:
        """The axis on every output of the searched half."""
        values = self._split_runs.search.values
        return _Axis(axis, of_each(lambda one: axis.locate(axis.feature.column(one)), values))


class _Search:
    """The search by one criterion, for events that outputs on D1 should have, and those on D2 should not."""

    def __init__(self, split_runs: SplitRuns, criterion: Criterion) -> None:
        self.axes: list[_Axis] = []
        self._half = split_runs.search
        self._criterion = criterion
        self._sides = self._half.sides.astype(np.intp)

    def telling(self) -> list[Feature]:
        """The features, those with the best conditions first."""
        ranks = [
            (found.rank, item.axis.feature) for item, found in zip(self.axes, self._best_each(self.axes), strict=True)
        ]
        return list(dict.fromkeys(feature for _, feature in sorted(ranks, key=lambda r: r[0], reverse=True)))

    def single(self) -> Iterator[_Found]:
        """The best conditions of every axis."""
        for item in self.axes:
            yield from self._best_two(item)

    def narrowest(self, found: Sequence[_Found]) -> list[_Found]:
        """The best few of some events, with their masks; one for each set of features."""
        kept: dict[frozenset[Feature], _Found] = {}
        for item in sorted(found, key=lambda item: item.rank, reverse=True):
            kept.setdefault(frozenset(item.features), item)
            if len(kept) == _BEAM:
                break
        masks = self._half.masks([Event(item.conditions) for item in kept.values()])
        return [replace(item, mask=mask) for item, mask in zip(kept.values(), masks, strict=True)]

    def products(self, start: _Found) -> Iterator[_Found]:
        """The event with one more condition, the best of every axis."""
        assert start.mask is not None
        rows = np.flatnonzero(start.mask)
        others = [item for item in self.axes if item.axis.feature not in start.features]
        for found in self._best_each(others, rows):
            yield _Found((*start.conditions, *found.conditions), found.rank)

    def tuned(self, product: _Found) -> _Found:
        """The product with each condition chosen anew in turn, given the others: the first were chosen alone."""
        for place, condition in enumerate(product.conditions):
            others = (*product.conditions[:place], *product.conditions[place + 1 :])
            (mask,) = self._half.masks([Event(others)])
            own = [item for item in self.axes if (item.axis.feature,) == condition.features]
            for best in self._best_each(own, np.flatnonzero(mask)):
                if best.rank > product.rank:
                    chosen = (*others[:place], *best.conditions, *others[place:])
                    product = _Found(chosen, best.rank)
        return product

    def _best_two(self, item: _Axis) -> list[_Found]:
        """The best two conditions of an axis."""
        first, second = self._counts(item, None)
        scores = self._criterion(first, second, self._half.runs)
        differences = _difference(first, second)
        order = np.lexsort((differences, scores))[::-1][:2]
        return [_Found((item.axis.condition(i),), (float(scores[i]), float(differences[i]))) for i in order.tolist()]

    def _best_each(self, items: Sequence[_Axis], rows: npt.NDArray[np.intp] | None = None) -> list[_Found]:
        """The best condition of each axis, on some rows or on all."""
        found: list[_Found | None] = [None] * len(items)
        order = sorted(range(len(items)), key=lambda number: items[number].axis.size)
        while order:
            # Those of about as many conditions are scored at once, filled up with what never happens.
            most = _WIDER * items[order[0]].axis.size
            together = [number for number in order if items[number].axis.size <= most]
            order = order[len(together) :]
            best = self._best_together([items[number] for number in together], rows)
            for number, one in zip(together, best, strict=True):
                found[number] = one
        return [one for one in found if one is not None]

    def _best_together(self, items: Sequence[_Axis], rows: npt.NDArray[np.intp] | None) -> list[_Found]:
        sizes = np.array([item.axis.size for item in items])
        counts = np.zeros((2, len(items), int(sizes.max())), np.int64)
        for number, item in enumerate(items):
            counts[:, number, : sizes[number]] = self._counts(item, rows)
        scores = self._criterion(counts[0], counts[1], self._half.runs)
        real = np.arange(counts.shape[2]) < sizes[:, None]
        equal = real & (scores == np.where(real, scores, -np.inf).max(axis=1)[:, None])
        differences = np.where(equal, _difference(counts[0], counts[1]), -np.inf)
        best = counts.shape[2] - 1 - differences[:, ::-1].argmax(axis=1)
        return [
            _Found((item.axis.condition(place),), (float(scores[number, place]), float(differences[number, place])))
            for number, (item, place) in enumerate(zip(items, best.tolist(), strict=True))
        ]

    def _counts(self, item: _Axis, rows: npt.NDArray[np.intp] | None) -> Counts:
        """How often each condition of an axis holds on either side, shape (2, conditions)."""
        cells, sides = (item.cells, self._sides) if rows is None else (item.cells[rows], self._sides[rows])
        number = item.axis.cells
        counts = np.bincount(sides * number + cells, minlength=2 * number).reshape(2, number).astype(np.int64)
        return item.axis.totals(counts)


def _ends(numbers: Ordered, of_side: Floats) -> tuple[float, float]:
    """Below the first there is nothing of a side, from the second on neither; with as many digits as all deserve."""
    digits = digits_of(numbers)
    lowest, highest = float(of_side.min()), float(of_side.max())
    step = 10.0 ** min(-digits, 300)
    if may_be_one(numbers):
        return lowest - aside(digits), highest + aside(digits)
    low, high = round(lowest, digits), round(highest, digits)
    low = low if low <= lowest else round(low - step, digits)
    high = high if high > highest else round(high + step, digits)
    return min(low, lowest), max(high, math.nextafter(highest, math.inf))


def _difference(count1: Counts, count2: Counts) -> Floats:
    """How surely events are more frequent on the first side, in standard errors: where nothing scores, products may."""
    return np.asarray((count1 - count2) / np.sqrt(count1 + count2 + 1.0))


_MOST_THRESHOLDS = 1_000
_QUANTILES_OF_SCORES = (*(np.arange(1, 100) / 100).tolist(), 0.993, 0.995, 0.997, 0.998, 0.999, 0.9995)


def cut(learnt: Learnt, split_runs: SplitRuns, criterion: Criterion, *, most: int = 3) -> list[Suggestion]:
    """The best event of every model that was learnt on the same runs, best first.

    criterion: as for `refining.Refining.events`. Empty if none is worth anything by the criterion.
    """
    found = []
    for scores in learnt:
        best = [_best(s, split_runs, criterion) for s in scores]
        found += sorted((s for s in best if s is not None), key=lambda s: -s.score)[:1]
    return sorted(found, key=lambda s: -s.score)[:most]


def _best(score: ScoreAbove, split_runs: SplitRuns, criterion: Criterion) -> Suggestion | None:
    """The best half-line of a score; None if none is worth anything."""
    halves = (split_runs.held_out, split_runs.search)
    points = [of_each(score.points, half.values) for half in halves]
    thresholds = _thresholds(points[0])
    if not len(thresholds):
        return None
    held, searched = (
        tuple(_reaching(own[half.sides == side], thresholds) for side in (0, 1))
        for own, half in zip(points, halves, strict=True)
    )
    runs = split_runs.held_out.runs
    scores = criterion(held[0], held[1], runs)
    # All runs tell better than half of them where to cut: one number may be chosen on what the weights were.
    worth = np.where(scores > 0, criterion(held[0] + searched[0], held[1] + searched[1], 2 * runs), 0.0)
    best = int(np.argmax(worth))
    if not worth[best] > 0:
        return None
    event = Event((_simplest(replace(score, threshold=float(thresholds[best]))),))
    return Suggestion(event, float(scores[best]), int(held[0][best]), int(held[1][best]), runs)


def _thresholds(points: Floats) -> Floats:
    """All values of a score but the smallest if they are few, else quantiles of it, rounded; NaN reaches nothing."""
    finite = Ordered.of(points[np.isfinite(points)])
    distinct = Ordered(finite.distinct)
    rounded = may_be_one(distinct)
    values = one_of_each(distinct) if rounded else distinct.numbers
    if len(values) > _MOST_THRESHOLDS:
        return np.array(cuts_at(finite, _QUANTILES_OF_SCORES))
    return np.array(between(values)) if rounded else values[1:]


def _reaching(points: Floats, thresholds: Floats) -> Counts:
    """How many points reach each threshold."""
    ordered = np.sort(points[~np.isnan(points)])
    return np.asarray(len(ordered) - np.searchsorted(ordered, thresholds, side="left"), np.int64)


def _simplest(condition: ScoreAbove) -> Condition:
    """What a score with one term says in plain words, if it says no more than that."""
    if len(condition.terms) > 1:
        return condition
    (term,) = condition.terms
    if isinstance(term, Vote):
        return term.condition if 0 < condition.threshold <= term.weight else condition
    if term.feature.COUNTS and term.weight > 0 and condition.threshold > 0:
        return Between(term.feature, float(math.ceil(condition.threshold / term.weight)), math.inf)
    return condition
