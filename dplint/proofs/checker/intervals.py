"""Between which numbers a term lies: interval arithmetic over domain and scope, which is quicker to ask than z3.

Of noise and of the state of a loop no domain says how large they get: they count as numbers up to 2^48; arguments that
are whole numbers, as numbers up to 2^256. Data has up to 2^32 records.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from typing import TypeAlias

import z3

from dplint.proofs.checker.values import Value, applies, is_term, number_in, variables_in

Between: TypeAlias = tuple[float, float]
"""The two ends of an interval, rounded outwards; infinite ones where there is none."""
MOST_RECORDS = 2.0**32
LARGE = 2**900
_LARGEST_EXPONENT = 709.0
_ANY: Between = (-math.inf, math.inf)
_NOISE: Between = (-(2.0**48), 2.0**48)
_ARGUMENT: Between = (-(2.0**256), 2.0**256)
_COUNT: Between = (0.0, MOST_RECORDS)
_COUNTS = ("a: len", "g:count", "d:common:", "v: turn")
_CONTRARY = {z3.Z3_OP_LE: z3.Z3_OP_GE, z3.Z3_OP_GE: z3.Z3_OP_LE, z3.Z3_OP_LT: z3.Z3_OP_GT, z3.Z3_OP_GT: z3.Z3_OP_LT}


class Intervals:
    """In which intervals terms lie. facts: of the world.

    small: it is taken for granted that whole numbers of the data and of arrays are, where nothing says how large they
    get. extremes: of data of any length, what is made of a record, the extreme of all, and that this is one.
    """

    def __init__(self, facts: Iterable[z3.BoolRef] = (), *, small: bool = False) -> None:
        self.small = small
        self.extremes: list[tuple[z3.ArithRef, z3.ArithRef, z3.BoolRef]] = []
        self._known: dict[int, tuple[z3.ExprRef, Between]] = {}
        self._seen: dict[int, tuple[z3.ExprRef, Between]] = {}
        self._of_sums: dict[int, z3.ArithRef] = {}
        self._large: set[Fraction] = set()
        self._unread = list(facts)

    @property
    def large(self) -> bool:
        """Whether a fact has a number in it that is not far from the largest float."""
        self._read_all()
        return bool(self._large)

    def _read_all(self) -> None:
        """The facts, once they are asked for: most runs do not."""
        while self._unread:
            self._read(self._unread.pop())

    def of_run(self) -> Intervals:
        """The same for a run, which may have other extremes."""
        again = copy(self)
        again.extremes = []
        return again

    def lies(self, value: z3.ArithRef, where: Between) -> None:
        """What is known of a term beside what it is made of."""
        low, high = self._known.get(value.get_id(), (value, _ANY))[1]
        self._known[value.get_id()] = (value, (max(low, where[0]), min(high, where[1])))
        self._seen.pop(value.get_id(), None)

    def sums(self, leaf: z3.ArithRef, one: z3.ArithRef) -> None:
        """A leaf that stands for the sum of a term over many records."""
        low, high = self.of(one)
        self.lies(leaf, (min(low, 0.0) * MOST_RECORDS, max(high, 0.0) * MOST_RECORDS))
        self._of_sums[leaf.get_id()] = one

    def summand(self, value: z3.ArithRef) -> z3.ArithRef | None:
        """The term that a leaf is the sum of; None for any other value."""
        return self._of_sums.get(value.get_id())

    def is_unbounded(self, value: z3.ExprRef) -> bool:
        """Whether data or arguments are in it of which nothing says how large they get."""
        return any(math.inf in map(abs, self.of(one)) for one in variables_in(value, ("d:", "g:", "a:")))

    def of(self, value: Value) -> Between:
        """The interval of a number."""
        if not is_term(value):
            return _outwards(_float(value), _float(value))
        seen = self._seen.get(value.get_id())
        if seen is None:
            self._read_all()
            low, high = self._between(value)
            least, most = self._known.get(value.get_id(), (value, _ANY))[1]
            # The term is kept, so that z3 gives its number to no other.
            seen = self._seen[value.get_id()] = (value, (max(low, least), min(high, most)))
        return seen[1]

    def _between(self, value: z3.ExprRef) -> Between:
        number = number_in(value)
        if number is not None:
            return _outwards(_float(number), _float(number))
        if isinstance(value, z3.BoolRef):
            return 0.0, 1.0
        kind, parts = value.decl().kind(), value.children()
        if kind == z3.Z3_OP_UNINTERPRETED:
            return self._unknown(value, parts)
        if kind == z3.Z3_OP_ITE:
            return self._chosen(*parts)
        combined = _COMBINED.get(kind)
        return _ANY if combined is None else _outwards(*combined([self.of(one) for one in parts]))

    def _unknown(self, value: z3.ExprRef, parts: Sequence[z3.ExprRef]) -> Between:
        """A variable, or a function of which little is known."""
        name = value.decl().name()
        if applies(value, "exp"):
            low, high = self.of(parts[0])
            return _outwards(_exponential(low), _exponential(high))
        if parts:
            return _ANY
        if name.startswith(_COUNTS):
            return _COUNT
        whole_argument = name.startswith("a:") and value.is_int()
        return _NOISE if name[0] in "nmv" else _ARGUMENT if whole_argument else _ANY

    def _chosen(self, condition: z3.BoolRef, one: z3.ArithRef, other: z3.ArithRef) -> Between:
        """Of an extreme or an absolute value less than the union of both."""
        (a, b), (c, d) = self.of(one), self.of(other)
        compared = condition.children() if condition.decl().kind() in _CONTRARY else []
        sides = {side.get_id() for side in compared}
        if sides == {one.get_id(), other.get_id()}:
            larger = (condition.decl().kind() in (z3.Z3_OP_GT, z3.Z3_OP_GE)) is z3.eq(compared[0], one)
            return (max(a, c), max(b, d)) if larger else (min(a, c), min(b, d))
        is_size = z3.is_app_of(other, z3.Z3_OP_UMINUS) and bool(compared) and z3.eq(compared[0], one)
        if is_size and number_in(compared[1]) == 0:
            return (0.0 if a <= 0.0 <= b else min(abs(a), abs(b))), max(abs(a), abs(b))
        return min(a, c), max(b, d)

    def _read(self, fact: z3.BoolRef) -> None:
        """What a fact says of a term."""
        kind = fact.decl().kind()
        if kind in _CONTRARY:
            one, two = fact.arg(0), fact.arg(1)
            number = _number(two)
            if number is None:
                one, number, kind = two, _number(one), _CONTRARY[kind]
            if number is not None:
                low, high = _outwards(_float(number), _float(number))
                self._large |= {number} if abs(number) > LARGE else set()
                least = kind in (z3.Z3_OP_GE, z3.Z3_OP_GT)
                self.lies(one, (low, math.inf) if least else (-math.inf, high))
        elif kind == z3.Z3_OP_AND:
            for one in fact.children():
                self._read(one)
        elif kind == z3.Z3_OP_OR and all(z3.is_eq(one) for one in fact.children()):
            sides = [one.children() for one in fact.children()]
            numbers = [number for _, two in sides if (number := _number(two)) is not None]
            if len(numbers) == len(sides) and all(z3.eq(one, sides[0][0]) for one, _ in sides):
                self._large |= {one for one in numbers if abs(one) > LARGE}
                self.lies(sides[0][0], _outwards(_float(min(numbers)), _float(max(numbers))))


def _number(value: z3.ExprRef) -> Fraction | None:
    """The number that a side of a fact is; None for what is none."""
    known = number_in(value.arg(0)) if z3.is_app_of(value, z3.Z3_OP_UMINUS) else number_in(value)
    return -known if known is not None and value.num_args() else known


def _float(number: int | Fraction | float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _exponential(number: float) -> float:
    return math.exp(number) if number <= _LARGEST_EXPONENT else math.inf


def _outwards(low: float, high: float) -> Between:
    """Rounded so that nothing is lost; small whole numbers are exact."""
    return (
        low if low.is_integer() and abs(low) <= 2.0**53 else math.nextafter(low, -math.inf),
        high if high.is_integer() and abs(high) <= 2.0**53 else math.nextafter(high, math.inf),
    )


def _times(one: Between, other: Between) -> Between:
    ends = [0.0 if 0.0 in (a, b) else a * b for a in one for b in other]
    return min(ends), max(ends)


def _product(parts: Sequence[Between]) -> Between:
    result = (1.0, 1.0)
    for one in parts:
        result = _times(result, one)
    return result


def _quotient(parts: Sequence[Between]) -> Between:
    one, (low, high) = parts
    if low > 0.0 or high < 0.0:
        return _times(one, (1 / high, 1 / low))
    # By nothing, a number is not divided: so one of its ends may be 0.
    return _times(one, (1 / high, math.inf)) if low == 0.0 < high else _ANY


def _less(parts: Sequence[Between]) -> Between:
    low, high = parts[0]
    for a, b in parts[1:]:
        low, high = low - b, high - a
    return low, high


def _rest(parts: Sequence[Between]) -> Between:
    most = max(map(abs, parts[1]))
    return -most, most


_COMBINED: Mapping[int, Callable[[Sequence[Between]], Between]] = {
    z3.Z3_OP_ADD: lambda parts: (sum(one for one, _ in parts), sum(one for _, one in parts)),
    z3.Z3_OP_SUB: _less,
    z3.Z3_OP_UMINUS: lambda parts: (-parts[0][1], -parts[0][0]),
    z3.Z3_OP_MUL: _product,
    z3.Z3_OP_DIV: _quotient,
    z3.Z3_OP_IDIV: lambda parts: (_quotient(parts)[0] - 1, _quotient(parts)[1] + 1),
    z3.Z3_OP_MOD: _rest,
    z3.Z3_OP_REM: _rest,
    z3.Z3_OP_TO_REAL: lambda parts: parts[0],
    z3.Z3_OP_TO_INT: lambda parts: (parts[0][0] - 1, parts[0][1]),
}
