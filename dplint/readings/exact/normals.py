"""Several independent normal numbers: how far two laws of them are apart, and the half-space that tells them best.

With equal scales on both sides the logarithm of the ratio of the densities is an affine function of the numbers, so
the best event for any epsilon and delta is a half-space (Neyman and Pearson), and its probabilities are those of one
normal number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flint import arb, fmpq

from dplint.readings.exact.events import NumberPlace
from dplint.readings.exact.functions import Function
from dplint.readings.exact.smooth import Smooth
from dplint.readings.exact.smooth_suprema import plain_density
from dplint.readings.exact.terms import ONE, ZERO, rational

_WEIGHTS = 1000
"""Weights are rounded to so many parts of the largest one."""
_DIGITS = (2, 3, 6, 17)
"""Decimal digits that a threshold is rounded to."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A coordinate that is normal on both sides, with one scale and another centre. precision: one over the scale."""

    coordinate: int
    centres: tuple[fmpq, fmpq]
    precision: fmpq

    @property
    def shift(self) -> fmpq:
        """By how much the first centre is larger."""
        return self.centres[0] - self.centres[1]


@dataclass(frozen=True, slots=True)
class HalfSpace:
    """That a sum of numbers with weights is above or below a threshold, and its probability on both sides."""

    expression: str
    p1: arb
    p2: arb


def moved_normals(one: Sequence[Function], other: Sequence[Function]) -> list[Moved] | None:
    """The coordinates of two laws of independent numbers that differ; None where they are not such normal numbers."""
    found = []
    for coordinate, (p, q) in enumerate(zip(one, other, strict=True)):
        if p is q:
            continue
        first = plain_density(p) if isinstance(p, Smooth) else None
        second = plain_density(q) if isinstance(q, Smooth) else None
        if first is None or second is None or first.law.name != "normal" or second.law.name != "normal":
            return None
        if abs(first.slope) != abs(second.slope):
            return None
        centres = -first.offset / first.slope, -second.offset / second.slope
        found.append(Moved(coordinate, centres, abs(first.slope)))
    return found


def half_spaces(moved: Sequence[Moved], numbers: Sequence[NumberPlace], factor: arb) -> Iterator[HalfSpace]:
    """Those with nearly the largest P1 - factor P2, with more and more digits.

    numbers: where the coordinates are in the output; none is found where one that differs by itself is not there.
    """
    texts = {number.coordinate: number.text for number in numbers}
    weights = {one.coordinate: one.shift * one.precision**2 for one in moved if one.shift != 0}
    if len(weights) < 2 or not weights.keys() <= texts.keys():
        return
    largest = max(abs(weight) for weight in weights.values())
    # Without what rounds to nothing.
    rounded = {at: fmpq(round(_float(weight / largest) * _WEIGHTS), _WEIGHTS) for at, weight in weights.items()}
    rounded = {at: weight for at, weight in rounded.items() if weight != 0}
    chosen = [(one, rounded[one.coordinate]) for one in moved if one.coordinate in rounded]
    variance = sum(((weight / one.precision) ** 2 for one, weight in chosen), ZERO)
    means = tuple(sum((weight * one.centres[side] for one, weight in chosen), ZERO) for side in (0, 1))
    spread = arb(variance).sqrt()
    # Where the ratio of the densities of the sum is the factor.
    best = float(arb(means[0] + means[1]) / 2 + arb(variance) * factor.log() / arb(means[0] - means[1]))
    # As one writes it: the first weight is positive. A single number has probability 0.
    sign = 1 if chosen[0][1] > 0 else -1
    score = _sum([(sign * weight, texts[one.coordinate]) for one, weight in chosen])
    for digits in _DIGITS:
        threshold = float(f"{best:.{digits}g}")
        p1, p2 = (upper_tail(arb(rational(threshold) - mean) / spread) for mean in means)
        yield HalfSpace(f"{score} {'>=' if sign > 0 else '<'} {sign * threshold!r}", p1, p2)


def upper_tail(z: arb) -> arb:
    """The probability that a standard normal number is above z."""
    return (z / arb(2).sqrt()).erfc() / 2


def _sum(terms: Sequence[tuple[fmpq, str]]) -> str:
    """In Python, with minus signs as one writes them."""
    found = ""
    for weight, text in terms:
        size = text if abs(weight) == ONE else f"{_float(abs(weight))!r} * {text}"
        sign = ("-" if weight < 0 else "") if not found else (" - " if weight < 0 else " + ")
        found += sign + size
    return found


def _float(value: fmpq) -> float:
    return int(value.p) / int(value.q)
