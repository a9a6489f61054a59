"""Sums of c * t**m * e**(r t): what densities of Laplace, exponential and uniform noise are made of.

A sum is a dict from (rate, power) to coefficient. Rates and places are exact rationals, coefficients are balls of Arb
(Johansson, "Arb: efficient arbitrary-precision midpoint-radius interval arithmetic", IEEE Trans. Computers 66(8),
2017): each holds the real number that is meant. Everything here keeps that: what is computed of balls holds what is
computed of any numbers in them.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb, factorial
from typing import TypeAlias

from flint import arb, ctx, fmpq

ZERO, ONE = fmpq(0), fmpq(1)


class Rate:
    """A rational rate of an exponential function; one object for each, so that identity is equality.

    Hashing rationals would take most of the time otherwise. sign: -1, 0 or 1.
    """

    __slots__ = ("_exponentials", "_sums", "sign", "value")

    def __init__(self, value: fmpq) -> None:
        self.value = value
        self.sign = (value > 0) - (value < 0)
        self._sums: dict[Rate, Rate] = {}
        self._exponentials: dict[tuple[int, int, int], arb] = {}

    def __add__(self, other: Rate) -> Rate:
        found = self._sums.get(other)
        if found is None:
            found = self._sums[other] = rate(self.value + other.value)
        return found

    def __sub__(self, other: Rate) -> Rate:
        return self + rate(-other.value)

    def times(self, factor: fmpq) -> Rate:
        """The rate of e**(r * factor * t)."""
        return self if factor == 1 else rate(self.value * factor)

    def exponential(self, place: fmpq) -> arb:
        """E to the rate times the place, remembered for each precision."""
        key = (int(place.p), int(place.q), ctx.prec)
        found = self._exponentials.get(key)
        if found is None:
            found = self._exponentials[key] = arb(self.value * place).exp()
        return found

    def __repr__(self) -> str:
        return f"<rate {self.value}>"


_rates: dict[tuple[int, int], Rate] = {}


def rate(value: fmpq) -> Rate:
    """The one object for this rate."""
    key = (int(value.p), int(value.q))
    found = _rates.get(key)
    if found is None:
        found = _rates[key] = Rate(value)
    return found


def forget_rates() -> None:
    """Let go of all rates but that of constants; sums that were made before must not be used any more."""
    _rates.clear()
    _rates[0, 1] = CONSTANT
    CONSTANT._exponentials.clear()
    CONSTANT._sums.clear()


CONSTANT = rate(ZERO)
"""The rate of what does not change."""
Terms: TypeAlias = dict[tuple[Rate, int], arb]


def rational(value: float | Fraction | fmpq) -> fmpq:
    """The exact rational that a finite Python number is."""
    if isinstance(value, fmpq):
        return value
    fraction = Fraction(value)
    return fmpq(fraction.numerator, fraction.denominator)


def add(into: Terms, terms: Mapping[tuple[Rate, int], arb]) -> None:
    """Add to the first."""
    for key, coefficient in terms.items():
        old = into.get(key)
        into[key] = coefficient if old is None else old + coefficient


def scaled(terms: Terms, factor: arb) -> Terms:
    """All coefficients times a number."""
    return {key: coefficient * factor for key, coefficient in terms.items()}


def product(left: Terms, right: Terms) -> Terms:
    """The product of two sums."""
    result: Terms = {}
    for (rate1, power1), one in left.items():
        for (rate2, power2), two in right.items():
            key = (rate1 + rate2, power1 + power2)
            old = result.get(key)
            result[key] = one * two if old is None else old + one * two
    return result


def substituted(terms: Terms, slope: fmpq, offset: fmpq) -> Terms:
    """The sum at slope * t + offset."""
    result: Terms = {}
    for (one, power), coefficient in terms.items():
        outer = coefficient if one is CONSTANT or offset == 0 else coefficient * one.exponential(offset)
        inner = one.times(slope)
        if power == 0:
            add(result, {(inner, 0): outer})
            continue
        for j in range(power + 1):
            weight = comb(power, j) * slope**j * (offset ** (power - j) if power > j else ONE)
            if weight != 0:
                add(result, {(inner, j): outer * arb(weight)})
    return result


def antiderivative(terms: Terms) -> Terms:
    """One whose limit is 0 wherever all of its exponentials vanish."""
    result: Terms = {}
    for (one, power), coefficient in terms.items():
        if one is CONSTANT:
            add(result, {(one, power + 1): coefficient / (power + 1)})
            continue
        for j in range(power + 1):
            weight = fmpq((-1) ** j * factorial(power) // factorial(power - j)) / one.value ** (j + 1)
            add(result, {(one, power - j): coefficient * arb(weight)})
    return result


def derivative(terms: Terms) -> Terms:
    """The derivative."""
    result: Terms = {}
    for (one, power), coefficient in terms.items():
        if one is not CONSTANT:
            add(result, {(one, power): coefficient * arb(one.value)})
        if power:
            add(result, {(one, power - 1): coefficient * power})
    return result


def value_at(terms: Terms, place: fmpq) -> arb:
    """The value at a rational place that comes up again, such as a cut."""
    total = arb(0)
    for (one, power), coefficient in terms.items():
        value = coefficient if one is CONSTANT else coefficient * one.exponential(place)
        total += value * arb(place**power) if power else value
    return total


def value_on(terms: Terms, places: arb) -> arb:
    """A ball that holds the values at all places of a ball: wide where many terms cancel."""
    total = arb(0)
    for (one, power), coefficient in terms.items():
        value = coefficient if one is CONSTANT else coefficient * (arb(one.value) * places).exp()
        total += value * places**power if power else value
    return total
