"""One number of the output as a function of the noise: a sum of draws, which may have been rounded or clipped."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

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
