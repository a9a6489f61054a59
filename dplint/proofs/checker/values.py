"""Values of one run as the checker sees them: exact numbers, terms of z3, and containers of known length.

The first letter of a variable's name says what it is: d data, g a record that stands for all, a arguments, n and m the
noise of the first and of the second run, v the state of a loop. A term is *noisy* if it has noise or such state in it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Any, TypeAlias

import z3

from dplint.claims import Span
from dplint.program.interpretation import LiveVariables
from dplint.program.refusals import UnsupportedConstruct, unsupported

NOISY = frozenset("nmv")
NOWHERE = Span(1, 1, 1, 1)
Mask: TypeAlias = bool | z3.BoolRef
Value: TypeAlias = Any
Values: TypeAlias = Mapping[str, Value]
Live: TypeAlias = LiveVariables[Value, Mask]


class NotProved(Exception):
    """The certificate does not show the claim, for the reason given."""


@dataclass(frozen=True, slots=True)
class Items:
    """A list, tuple or array of numbers, a range, or a view: what can only be iterated over, and is equal to no list.

    guards: for each item in which runs it exists; only lists that grow have others than True.
    """

    kind: str
    items: tuple[Value, ...]
    guards: tuple[Mask, ...]

    @classmethod
    def of(cls, kind: str, items: Iterable[Value]) -> Items:
        """One whose items all exist."""
        listed = tuple(items)
        return cls(kind, listed, (True,) * len(listed))

    @property
    def plain(self) -> bool:
        """Whether all items exist in all runs."""
        return all(guard is True for guard in self.guards)


@dataclass(frozen=True, slots=True)
class Entries:
    """A dict with constant keys, exact numbers among them, no two of which are equal."""

    keys: tuple[Any, ...]
    values: tuple[Value, ...]

    @classmethod
    def of(cls, keys: Iterable[Any], values: Iterable[Value]) -> Entries:
        """A dict display: of equal keys the first stays, with the last value."""
        entries = dict(zip(map(exact, keys), values, strict=True))
        return cls(tuple(entries), tuple(entries.values()))


@dataclass(frozen=True, eq=False, slots=True)
class Tally:
    """A dict whose keys the data makes, so that no two are known to be the same. there: where a key is a new one."""

    keys: tuple[Value, ...]
    values: tuple[Value, ...]
    there: tuple[Mask, ...]

    def view(self, name: str) -> Items:
        """Its keys, values or items, of which some may not be there."""
        pairs = [Items.of("tuple", pair) for pair in zip(self.keys, self.values, strict=True)]
        return Items("view", {"keys": self.keys, "values": self.values, "items": tuple(pairs)}[name], self.there)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some given values, known by its place among them."""

    values: tuple[Any, ...]
    index: z3.ArithRef


@dataclass(frozen=True, eq=False, slots=True)
class Mixed:
    """A number that is an int or a float, which the data decides; so no two are known to be the same."""

    number: z3.ArithRef


@dataclass(frozen=True, eq=False, slots=True)
class Cell:
    """An array of no dimensions, as NumPy draws it of size (): with a number or an array, operators give another one.

    So only operands may be such arrays, and nothing can change one in place.
    """

    number: Value


@dataclass(frozen=True, slots=True)
class AnyText:
    """An argument that is a text, and none of these: nothing else is known of it."""

    name: str
    others: frozenset[str]


@dataclass(frozen=True, slots=True)
class Table:
    """A data frame: the columns by their names, all of one length."""

    columns: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, eq=False, slots=True)
class Series:
    """A series of pandas with labels that the program knows: an array of known length."""

    labels: tuple[Value, ...]
    values: Items
    kind = "series"

    def same_as(self, other: Value) -> Mask:
        """Whether labels and numbers are the same."""
        return isinstance(other, Series) and alike(self.labels, other.labels) and equal(self.values, other.values)


@dataclass(frozen=True, slots=True)
class Grown:
    """A list whose beginning is not known, and what was done to it since: items appended, or set at a place."""

    name: str
    since: tuple[Value, ...] = ()

    def same_as(self, other: Value) -> Mask:
        """Whether it begins alike, and the same was done to it."""
        same = isinstance(other, Grown) and self.name == other.name and len(self.since) == len(other.since)
        return equal(Items.of("list", self.since), Items.of("list", other.since)) if same else False


def refuse(what: str, span: Span = NOWHERE) -> UnsupportedConstruct:
    """The exception for what the checker does not understand."""
    return unsupported(what, span)


def refuse_if(condition: object, what: str, span: Span = NOWHERE) -> None:
    """A side condition of reading a program: raises where this is what the checker does not understand."""
    if condition:
        raise refuse(what, span)


def fail_if(condition: object, reason: str) -> None:
    """A side condition of a rule: raises NotProved where this is so."""
    if condition:
        raise NotProved(reason)


def exact(value: Any) -> Value:
    """A literal as an exact number: 0.1 is one tenth. Infinity stays a float; NaN is refused."""
    if isinstance(value, float):
        if math.isnan(value):
            raise refuse("NaN")
        return value if math.isinf(value) else Fraction(repr(value))
    if isinstance(value, list | tuple):
        return Items.of("tuple" if isinstance(value, tuple) else "list", map(exact, value))
    if isinstance(value, dict):
        return Entries.of(value, map(exact, value.values()))
    return value


def is_term(value: Value) -> bool:
    """Whether it is a term of z3."""
    return isinstance(value, z3.ExprRef)


def is_known(value: Value) -> bool:
    """Whether it is a number, a text or None that is known, or a tuple of such: what may be a key of a dict."""
    if isinstance(value, Items):
        return value.kind == "tuple" and value.plain and all(map(is_known, value.items))
    return value is None or isinstance(value, int | float | Fraction | str)


def is_number(value: Value) -> bool:
    """Whether it is a finite number or a truth value, known or not."""
    return isinstance(value, int | Fraction | z3.ArithRef | z3.BoolRef)


def term(value: Value) -> z3.ArithRef:
    """A number as a term: of whole numbers where it is known to be one."""
    if isinstance(value, z3.BoolRef):
        return z3.If(value, z3.IntVal(1), z3.IntVal(0))
    if isinstance(value, z3.ArithRef):
        return value
    if isinstance(value, int | Fraction):
        return _numeral(value)
    raise refuse(f"{'infinity' if isinstance(value, float) else 'what is no number'} in arithmetic")


@lru_cache(1024, typed=True)
def _numeral(value: int | Fraction) -> z3.ArithRef:
    """Made once: the same few numbers are asked for again and again."""
    return z3.IntVal(int(value)) if isinstance(value, int) else z3.RealVal(str(value))


def boolean(value: Mask) -> z3.BoolRef:
    """A mask as a term."""
    return z3.BoolVal(value) if isinstance(value, bool) else value


class Leaves:
    """Which kinds of variables a term has in it; remembers what it has seen."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[z3.AstRef, frozenset[str]]] = {}

    def of(self, value: Value) -> frozenset[str]:
        """First letters of the names of its variables."""
        if isinstance(value, Items):
            return frozenset().union(*map(self.of, value.items), *map(self.of, value.guards))
        if isinstance(value, Entries):
            return frozenset().union(*map(self.of, value.values))
        if isinstance(getattr(value, "columns", None), tuple):
            return frozenset().union(*(self.of(one) for _, one in value.columns))
        if isinstance(value, Tally | Series):
            return self.of(value.values if isinstance(value, Series) else value.view("items"))
        if isinstance(value, Choice):
            return self.of(value.index)
        if isinstance(value, Mixed | Cell):
            return self.of(value.number)
        if not is_term(value):
            return frozenset()
        known = self._seen.get(value.get_id())
        if known is not None:
            return known[1]
        if z3.is_const(value) and value.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found = frozenset(value.decl().name()[0])
        else:
            found = frozenset().union(*(self.of(child) for child in value.children()))
        # The term is kept, so that z3 gives its number to no other.
        self._seen[value.get_id()] = (value, found)
        return found

    def noisy(self, value: Value) -> bool:
        """Whether noise has a part in it."""
        return bool(self.of(value) & NOISY)

    def public(self, value: Value) -> bool:
        """Whether it is made of arguments alone."""
        return self.of(value) <= {"a"}


def variables_in(value: z3.ExprRef, beginnings: tuple[str, ...]) -> list[z3.ArithRef]:
    """The variables for numbers in a term whose names begin so."""
    found: dict[int, z3.ArithRef] = {}
    left, seen = [value], set()
    while left:
        one = left.pop()
        if one.get_id() in seen:
            continue
        seen.add(one.get_id())
        variable = z3.is_const(one) and one.decl().kind() == z3.Z3_OP_UNINTERPRETED
        if variable and isinstance(one, z3.ArithRef) and one.decl().name().startswith(beginnings):
            found[one.get_id()] = one
        left += one.children()
    return list(found.values())


def real(value: z3.ArithRef) -> z3.ArithRef:
    """The same number as a term of real numbers: between terms of whole numbers, / would be rounded."""
    return z3.ToReal(value) if value.is_int() else value


def zero_of(number: z3.ArithRef) -> z3.ArithRef:
    """The term 0 of the same sort, whole or real."""
    return z3.IntVal(0) if number.is_int() else z3.RealVal(0)


def number_in(value: z3.ExprRef) -> Fraction | None:
    """The number that a term is, None if it is not known."""
    if z3.is_int_value(value):
        return Fraction(value.as_long())
    return Fraction(value.as_fraction()) if z3.is_rational_value(value) else None


def applies(value: z3.ExprRef, function: str) -> bool:
    """Whether it is an unknown function of that name, of one number."""
    return value.num_args() == 1 and bool(value.decl().name().partition("/")[0] == function)


def abs_of(number: z3.ArithRef) -> z3.ArithRef:
    """The absolute value."""
    known = number_in(number)
    if known is not None:
        return z3.IntVal(abs(int(known))) if number.is_int() else term(abs(known))
    return z3.If(number >= 0, number, -number)


def both(left: Mask, right: Mask) -> Mask:
    """Conjunction."""
    if left is True or right is False:
        return right
    if right is True or left is False or left is right:
        return left
    return z3.And(left, right)


def either(left: Mask, right: Mask) -> Mask:
    """Disjunction."""
    if left is True or right is False or left is right:
        return left
    if right is True or left is False:
        return right
    return z3.Or(left, right)


def negate(mask: Mask) -> Mask:
    """Negation."""
    return not mask if isinstance(mask, bool) else mask.arg(0) if z3.is_not(mask) else z3.Not(mask)


def select(mask: Mask, new: Value, old: Value, span: Span) -> Value:  # noqa: C901 - a list of kinds
    """New where the mask holds, old elsewhere; refused where the two could be told apart by their types."""
    if mask is True or new is old:
        return new
    if mask is False:
        return old
    if isinstance(new, Items) and isinstance(old, Items):
        if new.kind == old.kind and len(new.items) == len(old.items):
            items = tuple(select(mask, a, b, span) for a, b in zip(new.items, old.items, strict=True))
            guards = tuple(
                either(both(mask, a), both(negate(mask), b)) for a, b in zip(new.guards, old.guards, strict=True)
            )
            return Items(new.kind, items, guards)
    elif isinstance(new, Entries) and isinstance(old, Entries):
        if alike(new.keys, old.keys):
            return Entries(
                new.keys, tuple(select(mask, a, b, span) for a, b in zip(new.values, old.values, strict=True))
            )
    elif is_number(new) and is_number(old) and sort(new) == sort(old):
        if sort(new) == "bool":
            return z3.If(mask, boolean(new), boolean(old))
        return _chosen(mask, term(new), term(old))
    elif sort_of_both(new, old) == "mixed":
        return Mixed(z3.If(mask, real(term(unmixed(new))), real(term(unmixed(old)))))
    elif isinstance(new, Choice) and isinstance(old, Choice):
        if alike(new.values, old.values):
            return Choice(new.values, z3.If(mask, new.index, old.index))
    elif type(new) is type(old) and not is_term(new) and new == old:
        return new
    raise refuse("a value whose kind depends on the data", span)


def where(guard: Mask, number: z3.ArithRef) -> z3.ArithRef:
    """The number where the guard holds, else 0."""
    return number if guard is True else zero_of(number) if guard is False else z3.If(guard, number, zero_of(number))


def kept(guard: Mask, number: Value) -> Value:
    """The same of any number: one that is known stays so where the guard is."""
    if isinstance(guard, bool) and isinstance(number, int | Fraction) and not isinstance(number, bool):
        return number if guard else type(number)(0)
    return where(guard, term(number))


def _chosen(mask: z3.BoolRef, new: z3.ArithRef, old: z3.ArithRef) -> z3.ArithRef:
    """A conditional term; where something is added to the old value, what is added is, so that sums stay sums."""
    if z3.is_add(new) and z3.eq(new.arg(0), old):
        added = z3.Sum(new.children()[1:])
        return old + where(mask, added)
    return z3.If(mask, new, old)


def sort(value: Value) -> str:
    """The type of a number: "bool", "int" or "float"."""
    if isinstance(value, bool | z3.BoolRef):
        return "bool"
    if isinstance(value, int) or (isinstance(value, z3.ArithRef) and value.is_int()):
        return "int"
    return "float"


def unmixed(value: Value) -> Value:
    """The number, whatever its type."""
    return value.number if isinstance(value, Mixed) else value


def sort_of_both(left: Value, right: Value) -> str:
    """The type of one of two numbers, where they are of one type; "mixed" for an int and a float, "" for all else."""
    sorts = {"mixed" if isinstance(one, Mixed) else sort(one) if is_number(one) else "" for one in (left, right)}
    if len(sorts) > 1:
        return "" if sorts & {"bool", ""} else "mixed"
    return sorts.pop()


def alike(left: Sequence[Any], right: Sequence[Any]) -> bool:
    """Whether known values are the same, type and value: 1, 1.0 and True are not."""
    return repr(left) == repr(right)


def equal(left: Value, right: Value) -> Mask:
    """Whether two outputs are the same, type and value."""
    if hasattr(left, "same_as"):
        same: Mask = left.same_as(right)
        return same
    if isinstance(left, Items) and isinstance(right, Items):
        if left.kind != right.kind or not left.plain or not right.plain or len(left.items) != len(right.items):
            return False
        return all_of(map(equal, left.items, right.items))
    if isinstance(left, Entries) and isinstance(right, Entries):
        return alike(left.keys, right.keys) and all_of(map(equal, left.values, right.values))
    if isinstance(left, Choice) and isinstance(right, Choice):
        return left.index == right.index if alike(left.values, right.values) else False
    if is_number(left) and is_number(right):
        if sort(left) != sort(right):
            return False
        if not is_term(left) and not is_term(right):
            return bool(left == right)
        return boolean(left) == boolean(right) if sort(left) == "bool" else term(left) == term(right)
    return bool(type(left) is type(right) and not is_term(left) and left == right)


def all_of(masks: Iterable[Mask]) -> Mask:
    """Where all hold."""
    return reduce(both, masks, True)


def any_of(masks: Iterable[Mask]) -> Mask:
    """Where one holds."""
    return reduce(either, masks, False)
