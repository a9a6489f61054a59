"""Balls as floats, rounded outwards, so that what is promised of the ball holds of the floats."""

from __future__ import annotations

import math

from flint import arb

from dplint.outcomes import Bounds


def below(value: arb) -> float:
    """A float that is at most every number of the ball; -inf if there is none."""
    return _towards(value.lower(), -math.inf) if value.is_finite() else -math.inf


def above(value: arb) -> float:
    """A float that is at least every number of the ball; inf if there is none."""
    return _towards(value.upper(), math.inf) if value.is_finite() else math.inf


def probability_bounds(value: arb) -> Bounds:
    """An interval that holds every number of the ball, for what is known to be no less than 0 and no more than 1."""
    return Bounds(min(1.0, max(0.0, below(value))), min(1.0, max(0.0, above(value))))


def density_bounds(value: arb) -> Bounds:
    """The same for what is known to be no less than 0."""
    return Bounds(max(0.0, below(value)), max(0.0, above(value)))


def _towards(exact: arb, end: float) -> float:
    """The float next to an exact number, on the side of `end`."""
    found = float(exact)
    if math.isinf(found):
        # Larger than all floats: rounding towards 0 gives the largest one.
        return found if math.copysign(1.0, found) == math.copysign(1.0, end) else math.nextafter(found, end)
    while (arb(found) > exact) if end < 0 else (arb(found) < exact):
        found = math.nextafter(found, end)
    return found


def relative_radius(value: arb) -> float:
    """How wide a ball is for its size; inf around 0, and 0 for exact numbers."""
    if value.is_exact():
        return 0.0
    size = abs(value.mid())
    return float(value.rad() / size) if size > 0 else math.inf
