"""What shifts cost, in exact rational functions of the arguments.

A draw of scale b that is shifted by s costs |s| / b, if it may be shifted so at all; see `laws`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import z3

from dplint.proofs.checker.values import NotProved, Value, fail_if, number_in, real, term

Monomial: TypeAlias = tuple[str, ...]
Polynomial: TypeAlias = Mapping[Monomial, Fraction]
_ONE: Polynomial = {(): Fraction(1)}


@dataclass(frozen=True)
class Ratio:
    """A rational function of arguments. variables: the term of each name in it."""

    top: Polynomial
    bottom: Polynomial
    variables: Mapping[str, z3.ArithRef]

    def __add__(self, other: Ratio) -> Ratio:
        if _key(self.bottom) == _key(other.bottom):
            return _ratio(_plus(self.top, other.top), self.bottom, {**self.variables, **other.variables})
        top = _plus(_times(self.top, other.bottom), _times(other.top, self.bottom))
        return _ratio(top, _times(self.bottom, other.bottom), {**self.variables, **other.variables})

    def __mul__(self, other: Ratio) -> Ratio:
        variables = {**self.variables, **other.variables}
        return _ratio(_times(self.top, other.top), _times(self.bottom, other.bottom), variables)

    def inverse(self) -> Ratio:
        """One over it. Raises NotProved if it is zero everywhere."""
        fail_if(not self.top, "a scale, or the claimed epsilon, is zero")
        return _ratio(self.bottom, self.top, self.variables)

    def times(self, number: Fraction | int) -> Ratio:
        """The product with a number."""
        return self * _ratio({(): Fraction(number)} if number else {}, _ONE, {})

    def numerator(self) -> z3.ArithRef:
        """The polynomial above the line."""
        return self._term(self.top)

    def denominator(self) -> z3.ArithRef:
        """The polynomial below the line."""
        return self._term(self.bottom)

    @property
    def constant(self) -> Fraction | None:
        """The number that it is, None if it depends on arguments."""
        return self.top.get((), Fraction(0)) if set(self.top) <= {()} and _key(self.bottom) == _key(_ONE) else None

    def _term(self, polynomial: Polynomial) -> z3.ArithRef:
        parts = []
        for names, factor in polynomial.items():
            variables = [real(self.variables[name]) for name in names]
            parts.append(z3.Product([term(factor), *variables]))
        return z3.Sum(parts) if parts else z3.RealVal(0)


def ratio_of(value: Value) -> Ratio:
    """A number or a term over arguments as a rational function. Raises NotProved if it is none."""
    return ONE.times(Fraction(value)) if isinstance(value, int | Fraction) else _read(term(value))


def total_cost_at_most(costs: Sequence[Cost], budget: int) -> tuple[z3.BoolRef, list[z3.BoolRef]]:
    """The formula "the sum of number * ratio is at most the budget", and what must hold for it to mean that.

    All is multiplied by the denominators, which the second part says are positive.
    """
    distinct: dict[object, Ratio] = {}
    for _, ratio in costs:
        distinct.setdefault(_key(ratio.bottom), ratio)
    bottoms = {key: ratio.denominator() for key, ratio in distinct.items()}
    parts = []
    for number, ratio in costs:
        others = [bottom for key, bottom in bottoms.items() if key != _key(ratio.bottom)]
        parts.append(z3.Product([number, ratio.numerator(), *others]))
    limit = z3.Product([term(Fraction(budget)), *bottoms.values()])
    holds = z3.Sum([term(Fraction(0)), *parts]) <= limit
    return holds, [bottom > 0 for key, bottom in bottoms.items() if key != _key(_ONE)]


def _read(value: z3.ArithRef) -> Ratio:
    known = number_in(value)
    if known is not None:
        return _ratio({(): known}, _ONE, {})
    if z3.is_const(value) or (z3.is_app(value) and value.decl().kind() == z3.Z3_OP_UNINTERPRETED):
        name = value.sexpr()
        return _ratio({(name,): Fraction(1)}, _ONE, {name: value})
    parts = value.children()
    if z3.is_to_real(value):
        return _read(parts[0])
    if z3.is_add(value) or z3.is_mul(value):
        result = _read(parts[0])
        for part in parts[1:]:
            result = result + _read(part) if z3.is_add(value) else result * _read(part)
        return result
    if z3.is_sub(value) and len(parts) == 2:
        return _read(parts[0]) + MINUS * _read(parts[1])
    if value.decl().kind() == z3.Z3_OP_UMINUS:
        return MINUS * _read(parts[0])
    if z3.is_div(value):
        return _read(parts[0]) * _read(parts[1]).inverse()
    raise NotProved(f"no rational function of the arguments: {value.sexpr()[:80]}")


def _ratio(top: Polynomial, bottom: Polynomial, variables: Mapping[str, z3.ArithRef]) -> Ratio:
    """Cancels common variables if there is one monomial below the line, and makes its factor 1."""
    fail_if(not bottom, "a division by zero in a scale")
    if len(bottom) == 1:
        ((names, factor),) = bottom.items()
        top = {key: value / factor for key, value in top.items()}
        kept = list(names)
        for name in names:
            if top and all(name in key for key in top):
                kept.remove(name)
                top = {_without(key, name): value for key, value in top.items()}
        bottom = {tuple(kept): Fraction(1)} if top else _ONE
    if _key(top) == _key(bottom):
        top = bottom = _ONE
    return Ratio(top, bottom, variables)


def _without(names: Monomial, name: str) -> Monomial:
    place = names.index(name)
    return names[:place] + names[place + 1 :]


def _plus(left: Polynomial, right: Polynomial) -> Polynomial:
    result = dict(left)
    for key, value in right.items():
        result[key] = result.get(key, Fraction(0)) + value
    return {key: value for key, value in result.items() if value}


def _times(left: Polynomial, right: Polynomial) -> Polynomial:
    result: dict[Monomial, Fraction] = {}
    for key, value in left.items():
        for other, factor in right.items():
            names = tuple(sorted(key + other))
            result[names] = result.get(names, Fraction(0)) + value * factor
    return {key: value for key, value in result.items() if value}


def _key(polynomial: Polynomial) -> object:
    return tuple(sorted(polynomial.items()))


Cost: TypeAlias = tuple[z3.ArithRef, Ratio]
"""A number times a rational function of the arguments."""
ONE = Ratio(_ONE, _ONE, {})
MINUS = Ratio({(): Fraction(-1)}, _ONE, {})
