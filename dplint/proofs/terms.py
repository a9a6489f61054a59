"""What terms of the checker come to once numbers are put in for their variables.

Written apart from z3's own simplifier, and from the checker: numbers are fractions, and functions of which the checker
knows nothing (`exp`, a rounding of noise) are those of Python.
"""

from __future__ import annotations

import itertools
import math
import operator
import statistics
from collections import ChainMap, Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import z3

from dplint.proofs.checker import stable
from dplint.proofs.checker.bags import Bag, Source
from dplint.proofs.checker.groups import Grouped
from dplint.proofs.checker.values import Cell, Choice, Entries, Items, Mixed, Series, Tally

Number: TypeAlias = bool | int | Fraction
UnknownFunction: TypeAlias = Callable[..., Any]


class NoNumber(Exception):
    """A term with a variable for which there is no number, or that is no finite number, for the reason given."""


def _floor_division(left: Number, right: Number) -> Number:
    """Of z3: the remainder is never negative."""
    quotient = Fraction(left) / Fraction(right)
    return math.floor(quotient) if right > 0 else math.ceil(quotient)


def _remainder(left: Number, right: Number) -> Number:
    return left - right * _floor_division(left, right)


def _quotient(left: Number, right: Number) -> Number:
    return Fraction(left) / Fraction(right)


def _product(*factors: Number) -> Number:
    return math.prod(factors)


def _difference(first: Number, *others: Number) -> Number:
    return first - sum(others)


_OPERATIONS: Mapping[int, Callable[..., Number]] = {
    z3.Z3_OP_TRUE: lambda: True,
    z3.Z3_OP_FALSE: lambda: False,
    z3.Z3_OP_ADD: lambda *summands: sum(summands),
    z3.Z3_OP_SUB: _difference,
    z3.Z3_OP_UMINUS: operator.neg,
    z3.Z3_OP_MUL: _product,
    z3.Z3_OP_DIV: _quotient,
    z3.Z3_OP_IDIV: _floor_division,
    z3.Z3_OP_MOD: _remainder,
    z3.Z3_OP_POWER: operator.pow,
    z3.Z3_OP_TO_REAL: Fraction,
    z3.Z3_OP_TO_INT: math.floor,
    z3.Z3_OP_IS_INT: lambda number: Fraction(number).denominator == 1,
    z3.Z3_OP_EQ: operator.eq,
    z3.Z3_OP_DISTINCT: operator.ne,
    z3.Z3_OP_LE: operator.le,
    z3.Z3_OP_LT: operator.lt,
    z3.Z3_OP_GE: operator.ge,
    z3.Z3_OP_GT: operator.gt,
    z3.Z3_OP_NOT: operator.not_,
    z3.Z3_OP_XOR: operator.ne,
    z3.Z3_OP_AND: lambda *facts: all(facts),
    z3.Z3_OP_OR: lambda *facts: any(facts),
    z3.Z3_OP_IMPLIES: lambda first, second: not first or second,
}
_UNKNOWN: Mapping[str, UnknownFunction] = {
    **{name: getattr(math, name) for name in ("exp", "log", "log2", "log10", "log1p", "expm1", "sqrt")},
    **{name: getattr(math, name) for name in ("floor", "ceil", "trunc", "sin", "cos", "tanh", "cbrt")},
    **{name: getattr(np, name) for name in ("rint", "around", "sign", "square")},
    **{name: getattr(statistics, name) for name in ("stdev", "pstdev")},
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "round": round,
    "int": int,
    "float": float,
}
"""By the names that `arithmetic.unknown` gives them."""


class Part(NamedTuple):
    """What a term is made of. number: of a numeral, else None. kind: of its operator, as z3 counts them."""

    term: z3.ExprRef
    kind: int
    parts: tuple[z3.ExprRef, ...]
    number: Number | None


class Parts:
    """What terms are made of: z3 takes longer to tell than most arithmetic, and is asked once of each."""

    def __init__(self) -> None:
        self._known: dict[int, Part] = {}

    def of(self, term: z3.ExprRef) -> Part:
        """What that term is made of."""
        known = self._known.get(term.get_id())
        if known is None:
            number: Number | None = None
            if z3.is_int_value(term):
                number = int(term.as_long())
            elif z3.is_rational_value(term):
                number = Fraction(term.as_fraction())
            # The term is kept, so that z3 gives its number to no other.
            known = Part(term, term.decl().kind(), tuple(term.children()), number)
            self._known[term.get_id()] = known
        return known


class NumbersOfTerms:
    """Terms as numbers. values: of variables, by name; more may be added as long as no term with them was asked for.

    parts: what terms are made of, where others ask that too.
    """

    def __init__(self, *values: Mapping[str, Number], parts: Parts | None = None) -> None:
        self.parts = parts or Parts()
        self.values: ChainMap[str, Number] = ChainMap({}, *(dict(one) for one in values))
        self._known: dict[int, tuple[z3.ExprRef, Number]] = {}

    def of(self, value: Any) -> Any:
        """The number that a term is; anything else is itself. Raises NoNumber."""
        if not isinstance(value, z3.ExprRef):
            return value
        try:
            return self._of(value)
        except RecursionError:
            raise NoNumber("a term that is nested too deeply") from None

    def _of(self, term: z3.ExprRef) -> Number:
        known = self._known.get(term.get_id())
        if known is None:
            # The term is kept, so that z3 gives its number to no other.
            known = self._known[term.get_id()] = term, self._number(term)
        return known[1]

    def _number(self, term: z3.ExprRef) -> Number:
        _, kind, parts, number = self.parts.of(term)
        if number is not None:
            return number
        if kind == z3.Z3_OP_ITE:  # the other side may be no number
            return self._of(parts[1] if self._of(parts[0]) else parts[2])
        given = [self._of(part) for part in parts]
        try:
            if kind == z3.Z3_OP_UNINTERPRETED:
                return self._unknown(term, given) if parts else self.values[term.decl().name()]
            return _OPERATIONS[kind](*given)
        except KeyError:
            raise NoNumber(f"no number is known for {term.decl().name()}") from None
        except (ArithmeticError, ValueError) as error:
            raise NoNumber(f"{term.decl().name()}: {error}") from None

    def _unknown(self, term: z3.ExprRef, given: Sequence[Number]) -> Number:
        """A function of which the checker knows nothing, by Python's own; its name tells the types that it is given."""
        name, _, kinds = term.decl().name().rpartition("/")
        types = {"i": int, "b": bool, "f": float}
        numbers = [types[kind](number) for kind, number in zip(kinds, given, strict=True)]
        function = _UNKNOWN[name]
        result = function(numbers) if name in ("stdev", "pstdev") else function(*numbers)
        if isinstance(result, float | np.floating) and not math.isfinite(result):
            raise NoNumber(f"{name} is no finite number")
        return int(result) if term.is_int() else Fraction(float(result))

    def python(self, value: Any) -> Any:
        """A value of the checker as Python has it: arrays as lists, real numbers as floats. Raises NoNumber."""
        match value:
            case Items(kind=kind, items=items, guards=guards):
                listed = [self.python(one) for one, there in zip(items, guards, strict=True) if self.of(there)]
                return tuple(listed) if kind == "tuple" else listed
            case Tally():
                return dict(self.python(value.view("items")))
            case Entries(keys=keys, values=values):
                return dict(zip(map(self.python, keys), map(self.python, values), strict=True))
            case Series(values=values):
                return self.python(values)
            case Choice(values=values, index=index):
                return values[self.of(index)]
            case Mixed(number=number) | Cell(number=number):
                return self.python(number)
            case z3.ExprRef() | Fraction():
                number = self.of(value)
                return float(number) if isinstance(number, Fraction) else number
            case None | bool() | int() | float() | str():
                return value
        return self._of_any_length(value)

    def _of_any_length(self, value: Any) -> Any:
        match value:
            case Bag(source=Source(known=known), item=item, guard=guard, kind=kind) if known is not None:
                made = known.made(item, guard)
                return tuple(made) if kind == "tuple" else made
            case Grouped(key=key, records=Bag(source=Source(known=known), guard=guard)) if known is not None:
                return dict(Counter(known.made(key, guard)))
            case stable.Ordered(rows=rows, how=how):
                return _ordered(how, self.python(rows))
        raise NoNumber(f"{type(value).__name__} is no value of Python's")


def _ordered(how: str, rows: Sequence[Any]) -> Any:
    """What is made of all rows together."""
    match how:
        case stable.SORTED:
            return sorted(rows)
        case stable.DISTINCT:
            return sorted(set(rows))
        case stable.RUNNING:
            return list(itertools.accumulate(rows))
        case stable.SUMS:
            sums: dict[Any, Any] = {}
            for key, number in rows:
                sums[key] = sums.get(key, 0) + number
            return sums
    raise NoNumber(f"{how}, in what order is not known")
