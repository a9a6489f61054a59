"""A privacy curve of the project's own: for each epsilon the delta that is promised.

Which mechanisms keep it is said by the hockey-stick divergence, which falls in epsilon and is convex in e**epsilon, for
it is a supremum of functions P(E) - e**epsilon Q(E). Amounts are a grid of it, pairs of an epsilon and a delta, the
largest epsilon first. Between two of them no curve that is convex lies above the chord, and behind the last none grows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from dplint.claims import Claim
from dplint.definitions.definition import Amounts, Counted, Definition, Expressions, Reading, rounded_up

GRID = (*(k / 16 for k in range(48)), *(3 + k / 4 for k in range(21)), *range(9, 21))
"""The epsilons at which a curve is asked, in order."""
_ERROR = 1e-9
"""Relative; what is nearer to a bound is as good as on it."""
_LEAST = 1e-15


def amounts_of(deltas: Sequence[float]) -> Amounts:
    """The amounts of a curve with these deltas at the epsilons of `GRID`.

    Raises ValueError, with the place and what is wrong there, for what is the curve of no mechanism.
    """
    for epsilon, delta in zip(GRID, deltas, strict=True):
        if not 0 <= delta <= 1:
            raise ValueError(f"{delta!r} at epsilon = {epsilon:g} is no delta: it must lie between 0 and 1")
    points = list(zip(GRID, deltas, strict=True))
    for (low, first), (high, second) in pairwise(points):
        if second > first * (1 + _ERROR) + _LEAST:
            raise ValueError(f"it grows between epsilon = {low:g} and {high:g}, from {first:.6g} to {second:.6g}")
    for before, (epsilon, delta), after in zip(points, points[1:], points[2:], strict=False):
        chord = _chord(before, after, epsilon)
        if delta > chord * (1 + _ERROR) + _LEAST:
            ends = f"epsilon = {before[0]:g} to {after[0]:g}"
            raise ValueError(
                f"it is not convex in e^epsilon: {delta:.6g} at epsilon = {epsilon:g} is above {chord:.6g}, the chord "
                f"from {ends}; promise the chord, which no mechanism exceeds that keeps its ends"
            )
    return tuple(float(number) for point in reversed(points) for number in point)


def _chord(one: tuple[float, float], other: tuple[float, float], at: float) -> float:
    """The line between two points over e**epsilon."""
    share = math.expm1(at - one[0]) / math.expm1(other[0] - one[0])
    return one[1] + share * (other[1] - one[1])


def _delta(amounts: Amounts, at: float) -> float:
    points = list(zip(amounts[-2::-2], amounts[::-2], strict=True))
    for one, other in pairwise(points):
        if one[0] <= at <= other[0]:
            return rounded_up(_chord(one, other, at))
    return rounded_up(points[-1][1])


def _epsilon(amounts: Expressions) -> tuple[float | str, float | str]:  # noqa: ARG001
    """What is true of all mechanisms, for the curve is not known before it is asked."""
    return 0.0, 1.0


def _counted(whole: Claim, part: Claim, read: Reading) -> Counted:  # noqa: ARG001
    return None, None


def _scaled(amounts: Amounts, factor: float) -> Amounts:
    """Each delta, and 0 stays 0."""
    pairs = zip(amounts[::2], amounts[1::2], strict=True)
    return tuple(number for epsilon, delta in pairs for number in (epsilon, delta and delta * factor))


def _said(amounts: Expressions) -> str:
    return f'curve = "{amounts[0]}"' if isinstance(amounts[0], str) else "the claimed curve"


DEFINITION = Definition(
    name="curve",
    keyword="curve",
    sign="δ(ε)",
    called="private by the claimed curve",
    source="Dong, Roth and Su, JRSS B 2022, proposition 2.12",
    delta=_delta,
    epsilon=_epsilon,
    counted=_counted,
    steps=lambda steps: 1 if steps == 1 else None,
    scaled=_scaled,
    said=_said,
)
