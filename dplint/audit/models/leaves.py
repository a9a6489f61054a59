"""One number of the output as a function of the noise: a sum of draws, which may have been rounded or clipped.

The noise may be made of uniform numbers: what a function may have made of them before it added them to anything.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from dplint.events.conditions import Feature
from dplint.events.families.element import Element
from dplint.events.layout import UNORDERED, parts_of
from dplint.events.places import Place, Through
from dplint.runner.batch import Skeleton

Floats = npt.NDArray[np.float64]
UNIFORM = ("random", "uniform")


def _laplace(u: Floats) -> Floats:
    found: Floats = -np.sign(u - 0.5) * np.log1p(-2 * np.abs(u - 0.5))
    return found


def _box_muller(u: Floats) -> Floats:
    radius = np.sqrt(-2 * np.log(1 - u[0::2]))
    return _interleaved(radius * np.cos(2 * np.pi * u[1::2]), radius * np.sin(2 * np.pi * u[1::2]))


def _four(u: Floats) -> Floats:
    """Laplace noise of four uniform numbers, after Holohan and Braghin (2021), and three numbers that are always 0."""
    first = np.log1p(-u[0::4]) * np.cos(np.pi * u[1::4])
    found = np.zeros_like(u)
    found[0::4] = -first - np.log1p(-u[2::4]) * np.cos(np.pi * u[3::4])
    return found


def _interleaved(one: Floats, two: Floats) -> Floats:
    return np.stack([one, two], axis=1).reshape(-1, *one.shape[1:])


TRANSFORMS: Mapping[str, tuple[int, Callable[[Floats], Floats]]] = {
    "": (1, lambda u: u),
    "laplace": (1, _laplace),
    "log": (1, np.log),
    "log of the rest": (1, lambda u: np.log1p(-u)),
    "normal": (1, ndtri),
    "logistic": (1, lambda u: np.log(u) - np.log1p(-u)),
    "gumbel": (1, lambda u: -np.log(-np.log(u))),
    "Box-Muller": (2, _box_muller),
    "laplace of four": (4, _four),
}
"""By name: how many uniform numbers belong together, and as many numbers that are made of them, shape (draws, runs)."""


def transformed(name: str, laws: Sequence[str], z: Floats) -> Floats:
    """Draws of shape (draws, runs) with all that are uniform transformed; as they are if their number does not fit."""
    together, function = TRANSFORMS[name]
    rows = [row for row, law in enumerate(laws) if law in UNIFORM]
    if not name or not rows or len(rows) % together:
        return z
    found = z.copy()
    with np.errstate(all="ignore"):
        found[rows] = function(z[rows])
    return found


_MOST_NAMED = 500
"""Numbers of an output that models are made of."""


@lru_cache(maxsize=256)
def elements_of(skeleton: Skeleton) -> dict[int, Element]:
    """For each leaf that has a place of its own how an event names it, the shortest way; never from the end."""
    found: dict[int, Element] = {}
    for steps, part in sorted(parts_of(skeleton).items(), key=lambda item: len(item[0])):
        if any(isinstance(step, Through) and step.view in ("values", "str", "words") for step in steps):
            continue
        if part.is_leaf and not (steps and steps[-1] == -1):
            found.setdefault(part.start, Element(Place(steps)))
        elif part.plain and part.type_name not in UNORDERED:
            # Also those that the search for events leaves out of long outputs.
            for index in range(min(part.stop - part.start, _MOST_NAMED)):
                found.setdefault(part.start + index, Element(Place((*steps, index))))
    return dict(sorted(found.items())[:_MOST_NAMED])


@lru_cache(maxsize=256)
def leaves_of(skeleton: Skeleton) -> dict[Feature, int]:
    """For each such name its leaf."""
    return {feature: leaf for leaf, feature in elements_of(skeleton).items()}


MOST_MIXED = 40
"""Draws of a run up to which numbers are understood that several draws are in."""
SPARE = 4
"""Runs beyond those that the entries of a row take, which have to agree with it."""
ENOUGH = 40
"""Runs from which on rounding and clipping are learnt."""
_PRECISE = 1e-6
"""What may be left of a number's changes, as a share of them."""
_ROUNDING = 1e-12
"""What may be left of a number, as a share of it: the last digits are those of sums in another order."""
_FINE = 1e-3
"""Share of the scale of the noise up to which a step of rounding is told by few runs."""
_DECIMALS = range(-3, 5)


@dataclass(frozen=True, slots=True, eq=False)
class LeafModel:
    """value = clip(round(centre + row @ z, decimals), low, high); decimals None where nothing is rounded."""

    centre: float
    row: Floats
    decimals: int | None = None
    low: float = -math.inf
    high: float = math.inf


def fit(values: Floats, drawn: Floats, scales: Floats) -> LeafModel | None:
    """The model that all runs obey. values: (runs,), drawn: (runs, draws), scales: (draws,); None if there is none."""
    fine = _rounded(values, drawn, scales, _FINE)
    if fine is not None:
        # Few runs tell digits that are small beside the noise, which would else pass for a slope that is a little off.
        return fine
    found = affine(values, drawn)
    if found is not None and (values == np.round(values)).all():
        # Whole numbers, of whole noise: sums have to be as exact as those of the function.
        return replace(found, decimals=0)
    if found is not None or len(values) < ENOUGH:
        return found
    return _rounded(values, drawn, scales) or _clipped(values, drawn, scales)


def affine(values: Floats, drawn: Floats) -> LeafModel | None:
    """A sum of draws, if there are enough runs to tell."""
    moved, steps = values[1:] - values[0], drawn[1:] - drawn[0]
    most = np.abs(moved).max(initial=0.0)
    allowed = _PRECISE * most + _ROUNDING * np.abs(values).max()
    row = np.zeros(drawn.shape[1])
    if most <= _ROUNDING * np.abs(values).max():
        return LeafModel(float(values[0]), row)
    squares = (steps**2).sum(axis=0)
    if not squares.any():
        return None
    slopes = np.divide(steps.T @ moved, squares, out=np.zeros(len(squares)), where=squares > 0)
    draw = int(np.argmax(slopes**2 * squares))
    if len(moved) > SPARE - 1 and np.abs(moved - slopes[draw] * steps[:, draw]).max() <= allowed:
        row[draw] = slopes[draw]
        return LeafModel(float(values[0] - row @ drawn[0]), row)
    if drawn.shape[1] > MOST_MIXED or len(moved) < drawn.shape[1] + SPARE:
        return None
    solved = np.linalg.lstsq(steps, moved, rcond=None)[0]
    if np.abs(moved - steps @ solved).max() > allowed:
        return None
    # What is far below the others is what rounding left.
    row = np.where(np.abs(solved) < _PRECISE * np.abs(solved).max(), 0.0, solved)
    return LeafModel(float(values[0] - row @ drawn[0]), row)


def _rounded(values: Floats, drawn: Floats, scales: Floats, finest: float = math.inf) -> LeafModel | None:
    """One draw at its scale, or nearly so, and then rounded. Rounding down is rounding of half a step less.

    finest: the largest step, as a share of the scale.
    """
    decimals = next((one for one in _DECIMALS if (np.round(values, one) == values).all()), None)
    if decimals is None or not drawn.shape[1]:
        return None
    step = 10.0**-decimals
    spread = drawn - drawn.mean(axis=0)
    squares = (spread**2).sum(axis=0)
    slopes = np.divide(spread.T @ values, squares, out=np.zeros(len(squares)), where=squares > 0)
    draw = int(np.argmax(slopes**2 * squares))
    scale = float(scales[draw])
    if step > finest * scale:
        return None
    for slope in (scale, -scale, float(slopes[draw])):
        rest = values - slope * drawn[:, draw]
        low, high = float(rest.max()) - step / 2, float(rest.min()) + step / 2
        if slope and low <= high:
            row = np.zeros(drawn.shape[1])
            row[draw] = slope
            return LeafModel(simplest(low, high), row, decimals)
    return None


def _clipped(values: Floats, drawn: Floats, scales: Floats) -> LeafModel | None:
    """As above, and then cut off at values that came several times."""
    ends = [float(end) if (values == end).sum() > 1 else None for end in (values.min(), values.max())]
    inside = np.ones(len(values), np.bool_)
    for end in ends:
        if end is not None:
            inside &= values != end
    if inside.all() or inside.sum() < 2 * SPARE:
        return None
    found = affine(values[inside], drawn[inside]) or _rounded(values[inside], drawn[inside], scales)
    if found is None:
        return None
    low, high = -math.inf if ends[0] is None else ends[0], math.inf if ends[1] is None else ends[1]
    expected = found.centre + drawn[~inside] @ found.row
    if found.decimals is not None:
        expected = np.round(expected, found.decimals)
    if not np.allclose(np.clip(expected, low, high), values[~inside], rtol=1e-9, atol=0):
        return None
    return LeafModel(found.centre, found.row, found.decimals, low, high)


def simplest(low: float, high: float) -> float:
    """The number between these with the fewest digits."""
    for decimals in range(-3, 15):
        found = math.ceil(low * 10.0**decimals) / 10.0**decimals
        if low <= found <= high:
            return found
    return (low + high) / 2
