"""Two models side by side: what tells their outputs apart without noise, and how far they are apart."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dplint.audit.models.learning import Floats, Model
from dplint.audit.models.leaves import elements_of
from dplint.events.columns import Key, ValueClass
from dplint.events.conditions import Between, Equals, Event, ScoreAbove, Slope
from dplint.events.families.element import Element
from dplint.outcomes import DrawLoss
from dplint.program.building import number

_SAME = 1e-9
"""Numbers that differ by less, as a share of the larger one, are the same."""
_RANK = 1e-9
_WEIGHTS = 1e-4
"""Weights of a combination are rounded to multiples of this share of the largest."""
_MOST_LEAVES = 60
"""Numbers of an output that events are made of."""
_SHOWN = 1e-6
"""Digits of what noise is moved by."""


@dataclass(frozen=True)
class Sides:
    """Two models of one form of the output.

    matter: the numbers that vary or differ, of several that always agree the first. leaves: those of them that tell
    most, for events. features: how events name these.
    """

    first: Model
    second: Model
    matter: list[int]
    leaves: list[int]
    features: list[Element]

    @staticmethod
    def of(first: Model, second: Model) -> Sides:
        """The two models, which have the same skeleton."""
        names = elements_of(first.skeleton)
        left_out = first.unknown | second.unknown | first.others.keys() | second.others.keys()
        known = np.array([leaf for leaf in names if leaf not in left_out], np.intp)
        rows = np.hstack([first.jacobian[known], second.jacobian[known]])
        centres = np.column_stack([first.centre[known], second.centre[known]])
        noise1, noise2 = (np.linalg.norm(one.jacobian[known], axis=1) for one in (first, second))
        tells = _tells(noise1, noise2, centres)
        kept: dict[bytes, int] = {}
        for row in np.flatnonzero(rows.any(axis=1) | (tells > 0)).tolist():
            # Several leaves may show one number, to the last digits.
            kept.setdefault(np.append(rows[row], centres[row]).astype(np.float32).tobytes(), row)
        numbers = np.array(list(kept.values()), np.intp)
        most = np.sort(numbers[np.argsort(-tells[numbers], kind="stable")[:_MOST_LEAVES]])
        leaves = known[most].tolist()
        return Sides(first, second, known[numbers].tolist(), leaves, [names[leaf] for leaf in leaves])

    @property
    def jacobians(self) -> tuple[Floats, Floats]:
        """Of those that tell most."""
        return self.first.jacobian[self.leaves], self.second.jacobian[self.leaves]

    @property
    def centres(self) -> tuple[Floats, Floats]:
        """Of those that tell most."""
        return self.first.centre[self.leaves], self.second.centre[self.leaves]

    @property
    def moved(self) -> Floats:
        """By how much the numbers that matter differ."""
        found: Floats = self.first.centre[self.matter] - self.second.centre[self.matter]
        return found

    @property
    def have_same_noise(self) -> bool:
        """Whether the two differ by a shift alone."""
        one, two = self.first.jacobian[self.matter], self.second.jacobian[self.matter]
        alike = (self.first.laws, self.first.families) == (self.second.laws, self.second.families) and bool(one.size)
        return alike and np.allclose(one, two, rtol=_RANK, atol=0.0)


def distance(first: Model, second: Model) -> float:
    """How far two models are apart, roughly in epsilon: to put pairs in order. inf where noise hides nothing at all."""
    if first.is_other_than(second):
        return math.inf
    sides = Sides.of(first, second)
    if any(True for _ in without_noise(sides)):
        return math.inf
    one, two = (model.jacobian[sides.matter] for model in (first, second))
    if not sides.matter or not one.size or not two.size:
        return 0.0
    shifts = solved(one, sides.moved)
    normal = np.array([law == "normal" for law in first.families])
    apart = float(np.abs(shifts[~normal]).sum() + np.linalg.norm(shifts[normal]))
    norms = np.linalg.norm(one, axis=1), np.linalg.norm(two, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.abs(np.log(norms[0] / norms[1]))
    return apart + float(np.nan_to_num(ratios, nan=0.0).sum())


def shift_loss(sides: Sides) -> float:
    """What the noise is moved by from one side to the other, in scales: no more can be lost to Laplace noise.

    inf where the two sides have other noise than that, or not the same.
    """
    shifts = _shifts(sides)
    return math.inf if shifts is None else float(np.abs(shifts).sum())


def draw_losses(sides: Sides) -> tuple[DrawLoss, ...]:
    """The same for each draw, those of one line and scale together, the largest first; none if it is inf."""
    shifts, model = _shifts(sides), sides.first
    if shifts is None or len(model.places) != len(shifts) or len(model.scales) != len(shifts):
        return ()
    found: dict[tuple[str, int, float, float], int] = {}
    for place, scale, shift in zip(model.places, model.scales, shifts.tolist(), strict=True):
        moved = shortened(abs(shift) * scale, abs(shift) * scale * _SHOWN)
        if moved and abs(shift) > _SAME * np.abs(shifts).max():
            found[*place, scale, moved] = found.get((*place, scale, moved), 0) + 1
    losses = [
        DrawLoss(file=file, line=line, scale=scale, moved=moved, draws=draws)
        for (file, line, scale, moved), draws in found.items()
    ]
    return tuple(sorted(losses, key=lambda one: -one.loss))


def _shifts(sides: Sides) -> Floats | None:
    """For each draw by how many scales it is moved, if Laplace noise is moved and nothing else differs."""
    if not sides.have_same_noise or not set(sides.first.families) <= {"laplace"}:
        return None
    one, moved = sides.first.jacobian[sides.matter], sides.moved
    shifts = solved(one, moved)
    sizes = (np.abs(model.centre[sides.matter]).max() for model in (sides.first, sides.second))
    if np.abs(one @ shifts - moved).max() > _SAME * max(sizes):
        return None
    return shifts


def without_noise(sides: Sides) -> Iterator[tuple[bool, Event]]:
    """Events that have probability 1 on one side and 0 on the other, by the models.

    True: the first side is the one on which it happens.
    """
    (one, two), (centre1, centre2) = sides.jacobians, sides.centres
    told = False
    for row, feature in enumerate(sides.features):
        fixed = not one[row].any(), not two[row].any()
        told = told or any(fixed)
        if all(fixed):
            middle = float(centre1[row] + centre2[row]) / 2
            yield True, Event((half_line(feature, middle, up=bool(centre1[row] > centre2[row])),))
        elif any(fixed):
            value = float(centre1[row] if fixed[0] else centre2[row])
            yield fixed[0], Event((Equals(feature, Key(ValueClass.NUMBER, value, number(value))),))
    combined = None if told else _combination(one, two, centre1, centre2)
    if combined is not None:
        terms = tuple(Slope(float(w), sides.features[row]) for row, w in enumerate(combined.tolist()) if w)
        middle = float(combined @ (centre1 + centre2) / 2)
        yield True, Event((ScoreAbove(terms, shortened(middle, float(combined @ (centre1 - centre2)))),))


def _combination(one: Floats, two: Floats, centre1: Floats, centre2: Floats) -> Floats | None:
    """Weights of a sum of the numbers in which all noise is gone, and which is larger on the first side."""
    both = np.hstack([one, two])
    both = both[:, both.any(axis=0)]
    if len(both) < 2:
        return None
    norms = np.linalg.norm(both, axis=1)
    norms[norms == 0] = 1.0
    left, values, _ = np.linalg.svd(both / norms[:, None])
    rank = int((values > _RANK * values.max(initial=0.0)).sum())
    null = left[:, rank:]
    moved = (centre1 - centre2) / norms
    weights = (null @ (null.T @ moved)) / norms
    if not weights.any():
        return None
    weights /= np.abs(weights).max()
    weights = np.round(weights / _WEIGHTS) * _WEIGHTS
    noise = np.abs(weights @ both).max(initial=0.0)
    apart = weights @ (centre1 - centre2)
    size = np.abs(np.concatenate([centre1, centre2])).max()
    # Rounding may leave some noise, which has to be small beside what is seen through it.
    return weights if apart > 100 * noise and apart > 1e-6 * max(size, 1e-300) else None


def half_line(feature: Element, threshold: float, *, up: bool) -> Between:
    """That a number is at least, or below, a threshold."""
    return Between(feature, threshold, math.inf) if up else Between(feature, -math.inf, threshold)


def shortened(value: float, unit: float) -> float:
    """The number with no more digits than matter where `unit` does."""
    if not unit or not math.isfinite(value) or not math.isfinite(unit):
        return value
    return round(value, 3 - math.floor(math.log10(unit)))


def solved(matrix: Floats, moved: Floats) -> Floats:
    """The smallest x with matrix @ x = moved, or as nearly so as can be: each part that has draws of its own alone."""
    found = np.zeros(matrix.shape[1])
    rows, draws = matrix.shape
    row, draw = matrix.nonzero()
    from scipy.sparse import csr_array  # noqa: PLC0415 - on lanes nobody needs it
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    graph = csr_array((np.ones(len(row)), (row, rows + draw)), shape=(rows + draws, rows + draws))
    part = connected_components(graph, directed=False)[1]
    alone = np.bincount(part)[part[:rows]] == 2
    single = alone[row]
    found[draw[single]] = moved[row[single]] / matrix[row[single], draw[single]]
    for one in np.unique(part[:rows][~alone]).tolist():
        mine, columns = np.flatnonzero(part[:rows] == one), np.flatnonzero(part[rows:] == one)
        if len(columns):
            found[columns] = np.linalg.lstsq(matrix[np.ix_(mine, columns)], moved[mine], rcond=None)[0]
    return found


def _tells(noise1: Floats, noise2: Floats, centres: Floats) -> Floats:
    """How much each number tells by itself: inf where no noise hides it, 0 where it has one law on both sides."""
    moved = np.abs(centres[:, 0] - centres[:, 1])
    moved[moved <= _SAME * np.abs(centres).max(axis=1)] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(moved, moved / noise1, 0.0) + np.nan_to_num(np.abs(np.log(noise1 / noise2)))
    return found
