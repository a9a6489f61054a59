"""Values of the symbolic interpretation: Python constants where concrete, z3 terms over the arguments elsewhere.

Numbers are read as exact: ints as Int, bools as Bool, floats as Real. Rounding errors of floats are not modelled.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import z3

from dplint.claims import Literal

Mask: TypeAlias = "bool | z3.BoolRef"
Value: TypeAlias = Any
"""A plain constant, a z3 term, or one of the classes below."""

FAR = 10**12
"""Stands for infinity where an infinite and a finite number meet in one term."""


class Unknown:
    """A value that the interpretation cannot express; its truth is free. There is one, `UNKNOWN`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()


@dataclass(frozen=True, slots=True)
class Text:
    """A string that depends on the arguments: `term` is an index into `table`."""

    term: z3.ArithRef
    table: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list, tuple or one-dimensional array.

    An item exists where its guard holds; an item that exists nowhere takes no place. prefix: once a guard fails, all
    later ones do, so that item i is also the i-th that exists. born: where the list was made; guards mean nothing
    elsewhere.
    """

    kind: str
    items: tuple[Value, ...]
    guards: tuple[Mask, ...]
    prefix: bool = True
    born: Mask = True

    @property
    def plain(self) -> bool:
        """Whether every item exists for sure."""
        return all(guard is True for guard in self.guards)


@dataclass(frozen=True, slots=True)
class Entries:
    """A dict with constant keys."""

    keys: tuple[Literal, ...]
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class SliceValue:
    """A slice as an index."""

    start: Value
    stop: Value
    step: Value


def plain_items(kind: str, items: tuple[Value, ...]) -> Items:
    """A list whose items all exist."""
    return Items(kind, items, (True,) * len(items))


def is_term(value: Value) -> bool:
    """Whether the value is a z3 term."""
    return isinstance(value, z3.ExprRef)


def is_number(value: Value) -> bool:
    """Whether the value is a number or bool, concrete or not. NaN is none: no term of z3 stands for it."""
    return is_term(value) or (isinstance(value, bool | int | float) and value == value)  # noqa: PLR0124 - NaN alone


def is_concrete(value: Value) -> bool:
    """Whether no part of the value depends on the arguments."""
    if isinstance(value, Items):
        return value.plain and all(is_concrete(item) for item in value.items)
    if isinstance(value, Entries):
        return all(is_concrete(item) for item in value.values)
    if isinstance(value, SliceValue):
        return all(is_concrete(part) for part in (value.start, value.stop, value.step))
    return not is_term(value) and not isinstance(value, Unknown | Text)


def same_mask(left: Mask, right: Mask) -> bool:
    """Whether two masks are the same formula."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return bool(left.eq(right))


def both(left: Mask, right: Mask) -> Mask:
    """Conjunction, free of charge where one side is concrete."""
    if left is False or right is False:
        return False
    if left is True:
        return right
    if right is True or left is right or left.eq(right):
        return left
    return False if _complementary(left, right) else _of_two(z3.Z3_mk_and, left, right)


def either(left: Mask, right: Mask) -> Mask:
    """Disjunction, free of charge where one side is concrete."""
    if left is True or right is True:
        return True
    if left is False:
        return right
    if right is False or left is right or left.eq(right):
        return left
    return True if _complementary(left, right) else _of_two(z3.Z3_mk_or, left, right)


def _of_two(make: Callable[..., Any], left: z3.BoolRef, right: z3.BoolRef) -> z3.BoolRef:
    """z3.And or z3.Or of two Bool terms, without looking for what they may be instead: seven times as fast."""
    return z3.BoolRef(make(left.ctx_ref(), 2, (z3.Ast * 2)(left.as_ast(), right.as_ast())), left.ctx)


def _complementary(left: z3.BoolRef, right: z3.BoolRef) -> bool:
    return bool((z3.is_not(right) and right.arg(0).eq(left)) or (z3.is_not(left) and left.arg(0).eq(right)))


def negate(mask: Mask) -> Mask:
    """Negation."""
    if isinstance(mask, bool):
        return not mask
    return mask.arg(0) if z3.is_not(mask) else z3.Not(mask)


def as_mask(term: z3.ExprRef) -> Mask:
    """A Bool term, as a bool if it is constant."""
    if z3.is_true(term):
        return True
    return False if z3.is_false(term) else term


def rational(value: float) -> z3.RatNumRef:
    """The exact value of a float; infinity becomes a number far away."""
    if math.isinf(value):
        return z3.RealVal(FAR if value > 0 else -FAR)
    exact = Fraction(value)
    return z3.RealVal(f"{exact.numerator}/{exact.denominator}")


def term(value: Value) -> z3.ExprRef:
    """The number as a z3 term of its own sort; bools stay Bool."""
    if is_term(value):
        return value
    if isinstance(value, bool):
        return z3.BoolVal(value)
    return z3.IntVal(value) if isinstance(value, int) else rational(value)


def arithmetic(value: Value) -> z3.ArithRef:
    """The number as an Int or Real term."""
    lifted = term(value)
    return z3.If(lifted, z3.IntVal(1), z3.IntVal(0)) if z3.is_bool(lifted) else lifted


def real(value: Value) -> z3.ArithRef:
    """The number as a Real term."""
    lifted = arithmetic(value)
    return z3.ToReal(lifted) if lifted.is_int() else lifted


def alike(left: Value, right: Value) -> tuple[z3.ArithRef, z3.ArithRef]:
    """Two numbers as terms of one sort."""
    first, second = arithmetic(left), arithmetic(right)
    if first.is_int() and second.is_int():
        return first, second
    return real(first), real(second)


def same(left: Value, right: Value) -> bool:
    """Whether two values are known to be equal, with their types."""
    if is_term(left) and is_term(right):
        return bool(left.eq(right))
    if is_term(left) or is_term(right):
        return False
    return left is right or (type(left) is type(right) and bool(left == right))


def choose(mask: Mask, new: Value, old: Value) -> Value:
    """New where the mask holds, old elsewhere; UNKNOWN where the two have no common form."""
    if mask is True or mask is False:
        return new if mask else old
    if new is old or (not isinstance(new, Items | Entries) and same(new, old)):
        return new
    if is_number(new) and is_number(old):
        return _choose_number(mask, new, old)
    if isinstance(new, Items) and isinstance(old, Items) and new.kind == old.kind:
        return _choose_items(mask, new, old)
    if isinstance(new, Entries) and isinstance(old, Entries) and new.keys == old.keys:
        pairs = zip(new.values, old.values, strict=True)
        return Entries(new.keys, tuple(choose(mask, first, second) for first, second in pairs))
    if isinstance(new, Text) and isinstance(old, Text) and new.table == old.table:
        return Text(z3.If(mask, new.term, old.term), new.table)
    return UNKNOWN


def _choose_number(mask: z3.BoolRef, new: Value, old: Value) -> Value:
    first, second = term(new), term(old)
    truths = z3.is_bool(first) and z3.is_bool(second)
    first, second = (first, second) if truths else alike(first, second)
    # z3.If, for terms that have one sort already.
    chosen = z3.Z3_mk_ite(mask.ctx_ref(), mask.as_ast(), first.as_ast(), second.as_ast())
    return (z3.BoolRef if truths else z3.ArithRef)(chosen, mask.ctx)


def _choose_items(mask: z3.BoolRef, new: Items, old: Items) -> Items:
    if new.plain and old.plain and len(new.items) == len(old.items):
        pairs = zip(new.items, old.items, strict=True)
        return plain_items(new.kind, tuple(choose(mask, first, second) for first, second in pairs))
    guards = [both(mask, guard) for guard in new.guards] + [both(negate(mask), guard) for guard in old.guards]
    return Items(new.kind, (*new.items, *old.items), tuple(guards), prefix=False)
