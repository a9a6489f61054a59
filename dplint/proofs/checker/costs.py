"""What shifts cost, in exact rational functions of the arguments.

A draw of scale b that is shifted by s costs |s| / b, if it may be shifted so at all; see `laws`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import z3

from dplint.amounts import Amount, Polynomial, name, number
from dplint.proofs.checker.values import NotProved, Value, fail_if, number_in, real, term


@dataclass(frozen=True)
class Ratio:
    """A rational function of arguments. variables: the term of each name in it."""

    value: Amount
    variables: Mapping[str, z3.ArithRef]

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(self.value + other.value, {**self.variables, **other.variables})

    def __mul__(self, other: Ratio) -> Ratio:
        return Ratio(self.value * other.value, {**self.variables, **other.variables})

    def inverse(self) -> Ratio:
        """One over it. Raises NotProved if it is zero everywhere."""
        fail_if(self.value.is_zero, "a scale, or the claimed epsilon, is zero")
        return Ratio(ONE.value / self.value, self.variables)

    def times(self, factor: Fraction | int) -> Ratio:
        """The product with a number."""
        return Ratio(self.value * number(Fraction(factor)), self.variables)

    def numerator(self) -> z3.ArithRef:
        """The polynomial above the line."""
        return self._term(self.value.top)

    def denominator(self) -> z3.ArithRef:
        """The polynomial below the line."""
        return self._term(self.value.bottom)

    def _term(self, polynomial: Polynomial) -> z3.ArithRef:
        parts = []
        for monomial, factor in polynomial.items():
            variables = [real(self.variables[name]) for name, power in monomial for _ in range(power)]
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
        distinct.setdefault(_bottom(ratio), ratio)
    bottoms = {key: ratio.denominator() for key, ratio in distinct.items()}
    parts = []
    for factor, ratio in costs:
        others = [bottom for key, bottom in bottoms.items() if key != _bottom(ratio)]
        parts.append(z3.Product([factor, ratio.numerator(), *others]))
    limit = z3.Product([term(Fraction(budget)), *bottoms.values()])
    holds = z3.Sum([term(Fraction(0)), *parts]) <= limit
    return holds, [bottom > 0 for key, bottom in bottoms.items() if key != _bottom(ONE)]


def _bottom(ratio: Ratio) -> object:
    return tuple(sorted(ratio.value.bottom.items()))


def _read(value: z3.ArithRef) -> Ratio:
    known = number_in(value)
    if known is not None:
        return ONE.times(known)
    if z3.is_const(value) or (z3.is_app(value) and value.decl().kind() == z3.Z3_OP_UNINTERPRETED):
        return Ratio(name(value.sexpr()), {value.sexpr(): value})
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


Cost: TypeAlias = tuple[z3.ArithRef, Ratio]
"""A number times a rational function of the arguments."""
ONE = Ratio(number(1), {})
MINUS = ONE.times(-1)
