"""Exact arithmetic of budgets: quotients of polynomials in parameters, which are taken to be greater than 0."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

Monomial: TypeAlias = tuple[tuple[str, int], ...]
"""Names with their powers, sorted by name."""
Polynomial: TypeAlias = Mapping[Monomial, Fraction]
_ONE: Monomial = ()
_DENOMINATOR = 60
"""People write fractions with smaller ones."""
_LARGEST = 10_000
"""Larger denominators are written as decimal fractions."""
UNSIGNED = "?"
"""A name that begins so stands for a number of which nothing is known, not even a sign."""


@dataclass(frozen=True)
class Amount:
    """A quotient of two polynomials with rational coefficients; equal ones may be written in different ways."""

    top: Polynomial
    bottom: Polynomial

    def __add__(self, other: Amount) -> Amount:
        if self.bottom == other.bottom:
            return _amount(_sum(self.top, other.top), self.bottom)
        crossed = _sum(_product(self.top, other.bottom), _product(other.top, self.bottom))
        return _amount(crossed, _product(self.bottom, other.bottom))

    def __sub__(self, other: Amount) -> Amount:
        return self + number(-1) * other

    def __mul__(self, other: Amount) -> Amount:
        return _amount(_product(self.top, other.top), _product(self.bottom, other.bottom))

    def __truediv__(self, other: Amount) -> Amount:
        """Raises ZeroDivisionError for 0."""
        if not other.top:
            raise ZeroDivisionError
        return _amount(_product(self.top, other.bottom), _product(self.bottom, other.top))

    @property
    def names(self) -> frozenset[str]:
        """The names in it."""
        return frozenset(name for part in (self.top, self.bottom) for monomial in part for name, _ in monomial)

    @property
    def value(self) -> Fraction | None:
        """Its value if it has no names."""
        return None if self.names else self.top.get(_ONE, Fraction(0)) / self.bottom[_ONE]

    @property
    def is_zero(self) -> bool:
        """Whether it is 0 for all values of its names."""
        return not self.top

    def at(self, values: Mapping[str, Fraction]) -> Amount:
        """With numbers for some of its names. Raises ZeroDivisionError where it has no value."""
        bottom = _with(self.bottom, values)
        if not bottom:
            raise ZeroDivisionError
        return _amount(_with(self.top, values), bottom)

    def degree(self, name: str) -> int:
        """The highest power of a name on either side."""
        powers = (power for part in (self.top, self.bottom) for m in part for one, power in m if one == name)
        return max(powers, default=0)

    def sign(self) -> int | None:
        """1, 0 or -1 if it is greater than, equal to or less than 0 for all positive values of its names, else None."""
        if not self.top:
            return 0
        top, bottom = _sign(self.top), _sign(self.bottom)
        return None if top is None or bottom is None else top * bottom

    def __str__(self) -> str:
        if self.bottom == {_ONE: Fraction(1)}:
            return _text(self.top)
        return f"{_bracketed(self.top)} / {_bracketed(self.bottom)}"


def number(value: float | Fraction) -> Amount:
    """A number, as it is written: 0.1 is one tenth."""
    exact = value if isinstance(value, Fraction) else Fraction(str(value))
    return Amount({_ONE: exact} if exact else {}, {_ONE: Fraction(1)})


def name(text: str) -> Amount:
    """A parameter, or whatever else has a name."""
    return Amount({((text, 1),): Fraction(1)}, {_ONE: Fraction(1)})


ZERO = number(0)


def _amount(top: Polynomial, bottom: Polynomial) -> Amount:
    """Without common powers of names, and with a bottom whose first coefficient is 1."""
    if not top:
        return Amount({}, {_ONE: Fraction(1)})
    if top == bottom:
        return number(1)
    common = _common([*top, *bottom])
    lead = bottom[min(bottom)]
    return Amount(
        {_less(monomial, common): value / lead for monomial, value in top.items()},
        {_less(monomial, common): value / lead for monomial, value in bottom.items()},
    )


def _common(monomials: list[Monomial]) -> dict[str, int]:
    first, *rest = [dict(monomial) for monomial in monomials]
    return {one: least for one, power in first.items() if (least := min([power, *(r.get(one, 0) for r in rest)])) > 0}


def _less(monomial: Monomial, common: Mapping[str, int]) -> Monomial:
    return tuple((one, left) for one, power in monomial if (left := power - common.get(one, 0)) > 0)


def _sum(one: Polynomial, other: Polynomial) -> Polynomial:
    found = dict(one)
    for monomial, value in other.items():
        found[monomial] = found.get(monomial, Fraction(0)) + value
    return {monomial: value for monomial, value in found.items() if value}


def _product(one: Polynomial, other: Polynomial) -> Polynomial:
    found: dict[Monomial, Fraction] = {}
    for left, a in one.items():
        for right, b in other.items():
            powers = dict(left)
            for each, power in right:
                powers[each] = powers.get(each, 0) + power
            monomial = tuple(sorted(powers.items()))
            found[monomial] = found.get(monomial, Fraction(0)) + a * b
    return {monomial: value for monomial, value in found.items() if value}


def _with(polynomial: Polynomial, values: Mapping[str, Fraction]) -> Polynomial:
    found: dict[Monomial, Fraction] = {}
    for monomial, value in polynomial.items():
        rest = []
        for one, power in monomial:
            if one in values:
                value *= values[one] ** power  # noqa: PLW2901 - the product so far
            else:
                rest.append((one, power))
        key = tuple(rest)
        found[key] = found.get(key, Fraction(0)) + value
    return {monomial: value for monomial, value in found.items() if value}


def _sign(polynomial: Polynomial) -> int | None:
    if any(one.startswith(UNSIGNED) for monomial in polynomial for one, _ in monomial):
        return None
    signs = {1 if value > 0 else -1 for value in polynomial.values()}
    return signs.pop() if len(signs) == 1 else None


def _bracketed(polynomial: Polynomial) -> str:
    text = _text(polynomial)
    return text if len(polynomial) == 1 and "*" not in text and "/" not in text else f"({text})"


def _text(polynomial: Polynomial) -> str:
    terms = [_term(monomial, value) for monomial, value in sorted(polynomial.items(), key=lambda item: str(item[0]))]
    return " + ".join(terms).replace("+ -", "- ") or "0"


def _term(monomial: Monomial, value: Fraction) -> str:
    factors = [_shown(one) + (f" ** {power}" if power > 1 else "") for one, power in monomial]
    if not factors or value != 1:
        sign = "-" if value == -1 and factors else ""
        factors = [sign + factors[0], *factors[1:]] if sign else [_number(value), *factors]
    return " * ".join(factors)


def _shown(name: str) -> str:
    """A name without what tells it apart from others of the same text."""
    return name.lstrip(UNSIGNED).partition("#")[0] or "a number"


def _number(value: Fraction) -> str:
    if abs(value) > sys.float_info.max:
        return str(value)
    short = str(float(value))
    if Fraction(short) == value:
        return short.removesuffix(".0")
    return str(value) if value.denominator <= _LARGEST else short


def multiple(epsilon: float | str, share: Fraction) -> float | str:
    """So many times the claimed epsilon: "epsilon / 4", "2 * epsilon / 3", or a number, not less."""
    if not isinstance(epsilon, str):
        exact = Fraction(epsilon) * share
        near = float(exact)
        return near if Fraction(near) >= exact else math.nextafter(near, math.inf)
    factor = epsilon if epsilon.isidentifier() else f"({epsilon})"
    if share.denominator > _DENOMINATOR:
        return f"{float(share)!r} * {factor}"
    times = factor if share.numerator == 1 else f"{share.numerator} * {factor}"
    return times if share.denominator == 1 else f"{times} / {share.denominator}"


def readable(number: float) -> Fraction:
    """A number that people would write, not less: a simple fraction, else three digits."""
    simple = Fraction(number).limit_denominator(_DENOMINATOR)
    if simple > 0 and abs(float(simple) - number) <= 1e-6 * number:
        return simple
    digits = 4 - math.floor(math.log10(number))
    return Fraction(math.ceil(number * 10**digits - 1e-4), 10**digits)


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction between two that has the smallest denominator (by continued fractions); low < high."""
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return Fraction(whole + 1)
    if low == whole:
        return whole + Fraction(1, math.floor(1 / (high - whole)) + 1)
    return whole + 1 / simplest(1 / (high - whole), 1 / (low - whole))
