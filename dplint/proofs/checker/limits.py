"""Limits of machine numbers: whole numbers of arrays have 64 bits, and floats end.

A proof is about real numbers, which are never rounded. But a whole number that wraps, a float that becomes infinite and
an `OverflowError` are no roundings. So of each operation that could do so it is shown that it does not: by intervals,
in which data and arguments lie by domain and scope, and where these do not suffice by z3. What is made of arguments
alone is the same in both runs, and so is what it raises. How large noise gets is not looked at.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import z3

from dplint.claims import Span
from dplint.proofs.checker.context import Context
from dplint.proofs.checker.intervals import LARGE, MOST_RECORDS, Between
from dplint.proofs.checker.values import (
    NOWHERE,
    Mask,
    Value,
    applies,
    boolean,
    is_number,
    is_term,
    number_in,
    refuse,
    refuse_if,
    sort,
    term,
    unmixed,
)

_WORD: Between = (-(2.0**63), 2.0**63 - 1024)
_SUMMAND: Between = (-(2.0**63) / MOST_RECORDS, 2.0**63 / MOST_RECORDS)
_FLOATS: Between = (-(2.0**980), 2.0**980)
_EXPONENTS: Between = (-math.inf, 650.0)
EXPONENTIAL: Between = (0.0, 2.0**940)
_LEAST_EXPONENT = -700
_TINY = Fraction(1, 2**1000)
_MUCH = 2.0**256
_OF_DATA = frozenset("dgv")
_KEEPING = (z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS, z3.Z3_OP_TO_REAL)


def operands(walk: Context, operator: str, given: Sequence[Value], active: Mask, span: Span) -> None:
    """That they are what the machine takes: whole numbers of arrays, and those that become floats."""
    if walk.numpy:
        small = operator == "**" and sort(given[0]) == "bool"
        refuse_if(small, "a power of truth values, which NumPy has in 8 bits", span)
        for one in given:
            in_array(walk, one, active, span)
    elif operator == "/" or {*map(sort, given)} == {"int", "float"}:
        for one in given:
            as_float(walk, one, active, span)


def result(walk: Context, operator: str, given: Sequence[Value], value: Value, active: Mask, span: Span) -> None:
    """That an operation gives what the machine can hold."""
    if not is_number(value) or sort(value) == "bool":
        return
    if sort(value) == "int":
        if walk.numpy:
            in_array(walk, value, active, span)
        return
    if is_term(value) and (walk.leaves.noisy(value) or walk.leaves.public(value)):
        return
    if operator in ("+", "-") and not walk.intervals.large and not any(map(_is_large, given)):
        return  # products and quotients are so much smaller than floats can be that no sum of them is too large
    low, high = walk.intervals.of(value)
    if (_FLOATS[0] <= low and high <= _FLOATS[1]) or (operator == "/" and _is_share(walk, *given)):
        return
    # Of data that may be of any size it is nothing but its size that a float has not: unless it is made much larger.
    plain = operator in ("+", "-") or (operator in ("*", "/") and _is_moderate(walk, operator, given))
    excused = plain and is_term(value) and walk.intervals.is_unbounded(value)
    if not excused:
        _owed(walk, value, _FLOATS, active, "a number that may be too large for a float", span)


def _is_large(value: Value) -> bool:
    return not is_term(value) and abs(value) > LARGE


def _is_share(walk: Context, one: Value, whole: Value) -> bool:
    """Whether an exponential is divided by a sum that it is a part of."""
    if not is_term(one) or not is_term(whole) or not applies(one, "exp"):
        return False
    parts = [_exponents(walk, part) for part in _summands(whole)]
    own = z3.simplify(one.arg(0), som=True)
    return all(part is not None for part in parts) and any(z3.eq(z3.simplify(part, som=True), own) for part in parts)


def _is_moderate(walk: Context, operator: str, given: Sequence[Value]) -> bool:
    """Whether one factor, or the divisor, is of arguments alone, and none is known to be very large or very small."""
    sizes = [max(map(abs, walk.intervals.of(one))) for one in given]
    if operator == "/" and not is_term(given[1]):
        sizes[1] = 1 / sizes[1]
    scaled = any(not is_term(one) or walk.leaves.public(one) for one in (given[1:] if operator == "/" else given))
    return scaled and all(size <= _MUCH or math.isinf(size) for size in sizes)


def in_array(walk: Context, value: Value, active: Mask, span: Span) -> None:
    """A whole number that NumPy, pandas or polars hold: of 64 bits. Of one with no data in it, nothing is told."""
    if is_number(value) and sort(value) == "int" and (not is_term(value) or walk.leaves.of(value) & _OF_DATA):
        _owed(walk, value, _WORD, active, "whole numbers of an array that may not fit into 64 bits", span)


def all_in_array(walk: Context, value: Value, active: Mask, span: Span) -> None:
    """The same of all numbers of a list, of known length or of any."""
    items = getattr(value, "items", None)
    for one in items if isinstance(items, tuple) else (getattr(value, "item", None),):
        in_array(walk, unmixed(one), active, span)


def as_float(walk: Context, value: Value, active: Mask, span: Span) -> None:
    """A whole number that becomes a float. A float that was rounded may become one again."""
    unbounded = is_term(value) and walk.intervals.is_unbounded(value)
    granted = unbounded and (_is_rounded(value) or walk.intervals.small)
    if is_number(value) and sort(value) == "int" and not granted:
        _owed(walk, value, _FLOATS, active, "a whole number that may be too large for a float", span)


def _is_rounded(value: z3.ExprRef) -> bool:
    """Whether it is nothing but a float of data that was rounded, and a number that is known."""
    waiting, seen = [value], set[int]()
    while waiting:
        one = waiting.pop()
        if one.get_id() in seen or z3.is_app_of(one, z3.Z3_OP_TO_INT) or number_in(one) is not None:
            continue
        seen.add(one.get_id())  # terms share parts
        kind, parts = one.decl().kind(), one.children()
        if kind == z3.Z3_OP_ITE:
            waiting += parts[1:]
        elif kind in _KEEPING and kind != z3.Z3_OP_TO_REAL:
            waiting += parts
        else:
            return False
    return True


def as_whole(walk: Context, value: Value, active: Mask, span: Span) -> None:
    """A float of which NumPy makes a whole number."""
    if is_number(value) and not walk.leaves.noisy(value):
        _owed(walk, value, _WORD, active, "floats that may not fit into whole numbers of 64 bits", span)


def exponent(walk: Context, value: Value, active: Mask, span: Span) -> None:
    """What an exponential is taken of. Of noise `math.exp` may raise, which the outputs of a proof do not show."""
    _owed(walk, value, _EXPONENTS, active, "an exponential that may be too large for a float", span)


def summand(walk: Context, value: z3.ArithRef) -> None:
    """What is added up for each of many records of an array."""
    if walk.numpy and value.is_int():
        _owed(walk, value, _SUMMAND, True, "a sum of whole numbers that may not fit into 64 bits")


def not_tiny(walk: Context, value: Value, active: Mask, what: str, span: Span) -> None:
    """A float that is not 0 stays so: products, quotients and exponentials may vanish."""
    if not is_term(value) or walk.leaves.noisy(value) or walk.leaves.public(value) or _keeps(walk, value):
        return
    low, high = walk.intervals.of(value)
    if low >= _TINY or high <= -_TINY or _has_large(walk, value):
        return
    large = z3.Or(value == 0, value >= term(_TINY), value <= term(-_TINY))
    if not walk.decider.certain(_implied(active, large)):
        raise refuse(f"{what} what may be so small that it is 0 as a float", span)


def _keeps(walk: Context, value: z3.ExprRef) -> bool:
    """Whether it is 0 as a float only where it is: whole numbers, and sums and differences of numbers as they are."""
    if value.is_int() or number_in(value) is not None:
        return True
    if not value.num_args():
        summed = walk.intervals.summand(value)
        return summed is None or _keeps(walk, summed)
    kind, parts = value.decl().kind(), value.children()
    if kind == z3.Z3_OP_ITE:
        return all(_keeps(walk, one) for one in parts[1:])
    if kind == z3.Z3_OP_MUL:
        known = [number_in(one) for one in parts]
        factors = [one for one, number in zip(parts, known, strict=True) if number is None]
        large = all(number is None or abs(number) >= 1 for number in known)
        return large and len(factors) == 1 and _keeps(walk, factors[0])
    return kind in _KEEPING and all(_keeps(walk, one) for one in parts)


def _has_large(walk: Context, value: z3.ArithRef) -> bool:
    """Whether one of the exponentials that are added up is certainly no tiny number."""
    parts = [_exponents(walk, one) for one in _summands(value)]
    if not parts or any(one is None for one in parts):
        return False
    exponents = [one for one in parts if one is not None]
    if any(walk.intervals.of(one)[0] >= _LEAST_EXPONENT for one in exponents):
        return True
    for one, extreme, _ in walk.intervals.extremes:
        # There is a record that has the extreme.
        large = z3.Or(*(of >= term(_LEAST_EXPONENT) for of in exponents))
        if walk.decider.certain(z3.Implies(one == extreme, large)):
            return True
    return bool(walk.decider.certain(z3.Or(*(one >= term(_LEAST_EXPONENT) for one in exponents))))


def _exponents(walk: Context, value: z3.ArithRef) -> z3.ArithRef | None:
    """Of what a summand is the exponential, or the sum over many records of such; None if it is none."""
    summed = walk.intervals.summand(value)
    one = value if summed is None else summed
    return one.arg(0) if applies(one, "exp") else None


def _summands(value: z3.ArithRef) -> list[z3.ArithRef]:
    if z3.is_add(value):
        return [one for part in value.children() for one in _summands(part)]
    if z3.is_to_real(value):
        return _summands(value.arg(0))
    return [] if number_in(value) == 0 else [value]


def _owed(walk: Context, value: Value, where: Between, active: Mask, what: str, span: Span = NOWHERE) -> None:
    """Refuses a number that may lie elsewhere."""
    low, high = walk.intervals.of(value)
    if where[0] <= low and high <= where[1]:
        return
    refuse_if(not is_term(value), what, span)
    granted = walk.intervals.small and where in (_WORD, _SUMMAND) and walk.intervals.is_unbounded(value)
    if walk.leaves.public(value) or granted:
        return
    number = term(value)
    facts = [number <= term(Fraction(where[1]))]
    facts += [] if math.isinf(where[0]) else [number >= term(Fraction(where[0]))]
    known = [fact for _, _, fact in walk.intervals.extremes]
    if not walk.decider.certain(_implied(active, z3.Implies(z3.And(*known), z3.And(*facts)))):
        raise refuse(what, span)


def _implied(active: Mask, fact: z3.BoolRef) -> z3.BoolRef:
    return fact if active is True else z3.Implies(boolean(active), fact)
