"""Sums of c * t**m * e**(r t): what densities of Laplace, exponential and uniform noise are made of.

With b**t beside e**(r t) for a rational b, they are also what probabilities of geometric and other discrete noise are
made of. A sum is a dict from (rate, power) to coefficient. Rates and places are exact, coefficients are balls of Arb
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


_MOST_PRECISION = 1 << 20


class Rate:
    """The rate of e**(value t) * base**t; one object for each, so that identity is equality.

    value and base > 0 are rationals; the base is 1 for noise with a density. Two pairs that differ give two functions,
    for e**value is irrational unless the value is 0 (Lindemann 1882). Hashing rationals would take most of the time
    otherwise. sign: of value + log base, -1, 0 or 1.
    """

    __slots__ = ("_sums", "base", "sign", "value")

    def __init__(self, value: fmpq, base: fmpq) -> None:
        self.value = value
        self.base = base
        self.sign = _sign(value, base)
        self._sums: dict[Rate, Rate] = {}

    def __add__(self, other: Rate) -> Rate:
        found = self._sums.get(other)
        if found is None:
            found = self._sums[other] = rate(self.value + other.value, self.base * other.base)
        return found

    def __sub__(self, other: Rate) -> Rate:
        return self + rate(-other.value, 1 / other.base)

    def times(self, factor: fmpq) -> Rate:
        """The rate of the function of factor * t; a whole number where the base is not 1."""
        if factor == 1:
            return self
        if self.base == 1:
            return rate(self.value * factor)
        if factor.q != 1:
            raise ArithmeticError("a power that is not whole")
        return rate(self.value * factor, self.base ** int(factor.p))

    def exponential(self, place: fmpq) -> arb:
        """The function at a place, remembered for each precision."""
        key = (self, int(place.p), int(place.q), ctx.prec)
        found = _exponentials.get(key)
        if found is None:
            if len(_exponentials) > _MOST_EXPONENTIALS:
                _exponentials.clear()
            found = (self.number * arb(place)).exp() if self.base != 1 else arb(self.value * place).exp()
            _exponentials[key] = found
        return found

    @property
    def number(self) -> arb:
        """Value + log base, as a ball; exact where the base is 1 and the value a short binary number."""
        return arb(self.value) if self.base == 1 else arb(self.value) + arb(self.base).log()

    def __repr__(self) -> str:
        return f"<rate {self.value}>" if self.base == 1 else f"<rate {self.value} + log {self.base}>"


def _sign(value: fmpq, base: fmpq) -> int:
    if base == 1:
        return int(value > 0) - int(value < 0)
    precision = 128
    while precision <= _MOST_PRECISION:
        with ctx.workprec(precision):
            number = arb(value) + arb(base).log()
            if number > 0 or number < 0:
                return 1 if number > 0 else -1
        precision *= 2
    raise ArithmeticError("a rate that is too near to 0")


_rates: dict[tuple[int, int, int, int], Rate] = {}
_exponentials: dict[tuple[Rate, int, int, int], arb] = {}
_MOST_EXPONENTIALS = 200_000


def rate(value: fmpq, base: fmpq = ONE) -> Rate:
    """The one object for this rate."""
    key = (int(value.p), int(value.q), int(base.p), int(base.q))
    found = _rates.get(key)
    if found is None:
        found = _rates[key] = Rate(value, base)
    return found


def forget_rates() -> None:
    """Let go of all rates but that of constants; sums that were made before must not be used any more."""
    _rates.clear()
    _rates[0, 1, 1, 1] = CONSTANT
    CONSTANT._sums.clear()
    _exponentials.clear()


def known_rates() -> int:
    """How many rates there are."""
    return len(_rates)


CONSTANT = rate(ZERO)
"""The rate of what does not change."""
Terms: TypeAlias = dict[tuple[Rate, int], arb]


def rational(value: float | Fraction | fmpq) -> fmpq:
    """The exact rational that a finite Python number is."""
    if isinstance(value, fmpq):
        return value
    return fmpq(*value.as_integer_ratio())


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


def antidifference(terms: Terms) -> Terms:
    """A sum H with H(t + 1/2) - H(t - 1/2) equal to the given one, whose limit is 0 wherever all of it vanishes.

    So H at one half-way place minus H at another is the sum over the whole numbers between them.
    """
    result: Terms = {}
    for (one, power), coefficient in terms.items():
        weights = _whole_powers(power) if one is CONSTANT else _powers(one, power)
        add(result, {(one, j): coefficient * weight for j, weight in enumerate(weights)})
    return result


def _whole_powers(power: int) -> list[arb]:
    """The coefficients of the polynomial Q with Q(t + 1/2) - Q(t - 1/2) = t**power, without a constant."""
    found = [ZERO] * (power + 2)
    found[power + 1] = fmpq(1, power + 1)
    for i in range(power - 2, -1, -1):
        rest = sum((found[j] * comb(j, i) / fmpq(2) ** (j - i - 1) for j in range(i + 3, power + 2, 2)), ZERO)
        found[i + 1] = -rest / (i + 1)
    return [arb(weight) for weight in found]


def _powers(one: Rate, power: int) -> list[arb]:
    """Those of Q with Q(t + 1/2) e**(r / 2) - Q(t - 1/2) e**(-r / 2) = t**power."""
    up, down = one.exponential(fmpq(1, 2)), one.exponential(fmpq(-1, 2))
    found = [arb(0)] * (power + 1)
    for i in range(power, -1, -1):
        rest = arb(int(i == power))
        for j in range(i + 1, power + 1):
            rest -= found[j] * (up - (-1) ** (j - i) * down) * (arb(comb(j, i)) / 2 ** (j - i))
        found[i] = rest / (up - down)
    return found


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
