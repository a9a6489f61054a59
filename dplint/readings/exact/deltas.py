"""The least delta that goes with an epsilon: the hockey-stick divergence of two laws, as a certified interval.

It is the supremum over events E of P1(E) - e**epsilon P2(E) (Barthe and Olmedo, ICALP 2013), a sum over the forms of
outputs. Of several independent numbers or constants the divergence of each is a lower bound. An upper one: where the
others lose no more than s, it is that of one of them at epsilon - s, for p p' - e**epsilon q q' is at most
p' (p - e**(epsilon - s) q). So it is exact where one of them differs. Several normal numbers are one, by rotation.

Several independent normal numbers: how far two laws of them are apart, and the half-space that tells them best.

With equal scales on both sides the logarithm of the ratio of the densities is an affine function of the numbers, so
the best event for any epsilon and delta is a half-space (Neyman and Pearson), and its probabilities are those of one
normal number.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from flint import arb, ctx, fmpq

from dplint.outcomes import Bounds
from dplint.readings.exact.alignment import aligned
from dplint.readings.exact.divergences import divergence_between
from dplint.readings.exact.events import NumberPlace
from dplint.readings.exact.functions import Function
from dplint.readings.exact.laws import FormLaw, Term, density_of_number
from dplint.readings.exact.losses import ratio_of
from dplint.readings.exact.rounding import probability_bounds
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


Law = Mapping[Hashable, FormLaw]
TOLERANCE = 1e-10
"""How wide the interval may be for one form of outputs, if possible."""
_MOST_STEPS = 60


@dataclass(frozen=True, slots=True)
class _Part:
    """What one form of outputs contributes."""

    low: arb
    high: arb


def hockey_stick(laws: tuple[Law, Law], epsilon: float, *, precision: int, tolerance: float = TOLERANCE) -> Bounds:
    """The least delta that D1 keeps against D2 with this epsilon.

    laws: of D1 and D2, before another program is computed. precision: in bits. Raises NotFollowed where the laws cannot
    be compared.
    """
    with ctx.workprec(precision):
        one, other = aligned(*laws)
        factor = arb(epsilon).exp()
        low, high = arb(0), arb(0)
        for key, form in one.items():
            found = _of_form(form, other.get(key), factor, tolerance)
            low, high = low + found.low, high + found.high
        return Bounds(probability_bounds(low).low, probability_bounds(high).high)


def rounded_delta(delta: float) -> float:
    """What has to be exceeded for a delta to be.

    A threshold such as 1 + log(1 / (2 * delta)) / epsilon is a rounded float, and may let pass more than delta in the
    last digit: that is what rounding does, which is not modelled, and refutes nothing.
    """
    return delta * (1 + 1e-9)


def least_epsilon(laws: tuple[Law, Law], delta: float, *, precision: int, width: float = 1e-6) -> Bounds:
    """The least epsilon >= 0 that D1 keeps against D2 with this delta; the high end is inf where none is known.

    The low end is that of `rounded_delta(delta)`.
    """
    above = rounded_delta(delta)

    def bounds(epsilon: float) -> Bounds:
        return hockey_stick(laws, epsilon, precision=precision, tolerance=max(1e-13, delta * 1e-7))

    low, high = 0.0, 1.0
    if bounds(0.0).high <= delta:
        return Bounds(0.0, 0.0)
    while bounds(high).low > above and high < 1e4:
        low, high = high, 2 * high
    least, most = low, math.inf
    for _ in range(_MOST_STEPS):
        if high - low < width:
            break
        middle = (low + high) / 2
        found = bounds(middle)
        if found.low > above:
            least = low = middle
        elif found.high <= delta:
            most = high = middle
        else:
            break
    return Bounds(least, min(most, high) if most < math.inf or bounds(high).high <= delta else math.inf)


def _of_form(one: FormLaw, other: FormLaw | None, factor: arb, tolerance: float) -> _Part:
    if any(term.limits for term in one.terms) or (other is not None and any(term.limits for term in other.terms)):
        return _Part(arb(0), arb(1))
    mass = one.probability()
    if other is None:
        return _Part(mass, mass)
    rest = other.probability()
    least = _positive(mass - factor * rest).low
    found = _of_known(one, other, factor, tolerance)
    if found is None:
        return _Part(least, mass)
    return _Part(max(found.low, least), found.high)


def _of_known(one: FormLaw, other: FormLaw, factor: arb, tolerance: float) -> _Part | None:
    if one.size == 0:
        return _positive(one.probability() - factor * other.probability())
    if one.signed or other.signed:
        return None
    p, q = (density_of_number(law) if law.size == 1 else None for law in (one, other))
    if p is not None and q is not None:
        found = divergence_between(p, q, factor, tolerance)
        return None if found is None else _Part(found.low, found.high)
    if len(one.terms) != len(other.terms):
        return None
    # Matched in order: the positive part of a sum is no more than the sum of the positive parts.
    parts = [_of_term(p, q, factor, tolerance) for p, q in zip(one.terms, other.terms, strict=True)]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    high = sum((part.high for part in known), arb(0))
    return _Part(known[0].low if len(known) == 1 else arb(0), high)


def _positive(value: arb) -> _Part:
    zero = arb(0)
    return _Part(value if value > 0 else zero, zero if value <= 0 else value if value > 0 else value.upper())


def _of_term(one: Term, other: Term, factor: arb, tolerance: float) -> _Part | None:
    """Of a product of independent numbers."""
    weight = one.number
    scaled = factor * other.number / one.number
    distance = _normal_distance(one.functions, other.functions)
    if distance is not None:
        found = _of_normal(distance, scaled)
        return _Part(found.low * weight, found.high * weight)
    components = [_Numbers(p, q, tolerance) for p, q in zip(one.functions, other.functions, strict=True) if p is not q]
    found = _of_product(components, scaled)
    return _Part(found.low * weight, found.high * weight)


def _of_product(components: Sequence[_Numbers], factor: arb) -> _Part:
    """Of independent parts: no more than that of one of them, if the others lose all that they can."""
    if not components:
        return _positive(1 - factor)
    alone = [component.divergence(factor) for component in components]
    low = max((part.low for part in alone), key=lambda ball: ball.lower())
    if len(components) == 1:
        return alone[0]
    highs = [arb(1)]
    losses = [component.most for component in components]
    for index, component in enumerate(components):
        others = sum(losses[:index] + losses[index + 1 :])
        if others < math.inf:
            highs.append(component.divergence(factor * (-arb(others).upper()).exp()).high)
    return _Part(low, min(highs, key=lambda ball: ball.upper()))


@dataclass(frozen=True)
class _Numbers:
    """The densities of one number. most: what it loses at most, at least 0."""

    p: Function
    q: Function
    tolerance: float

    @cached_property
    def most(self) -> float:
        found = ratio_of(self.p, self.q, TOLERANCE)
        return math.inf if found is None else max(0.0, found.high)

    def divergence(self, factor: arb) -> _Part:
        found = divergence_between(self.p, self.q, factor, self.tolerance)
        return _Part(arb(0), arb(1)) if found is None else _Part(found.low, found.high)


def _normal_distance(one: Sequence[Function], other: Sequence[Function]) -> arb | None:
    """How far apart two laws of independent normal numbers are, in scales; None for others, or one number alone."""
    moved = moved_normals(one, other) or ()
    total = sum(((each.shift * each.precision) ** 2 for each in moved), fmpq(0))
    return arb(total).sqrt() if len(moved) > 1 and total > 0 else None


def _of_normal(distance: arb, factor: arb) -> _Part:
    """Of N(distance, 1) against factor * N(0, 1): the ratio exceeds the factor above one place."""
    place = distance / 2 + factor.log() / distance
    found = upper_tail(place - distance) - factor * upper_tail(place)
    return _Part(found, found)
