"""Operators and numeric functions on numbers of which at least one is a term, as Python computes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import z3

from dplint.readings.symbolic.symbolic_values import (
    UNKNOWN,
    Items,
    Mask,
    Text,
    Value,
    alike,
    arithmetic,
    as_mask,
    is_number,
    is_term,
    real,
    same,
    term,
)

_MAX_EXPONENT = 4
_ORDER: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def floor(value: z3.ArithRef) -> z3.ArithRef:
    """The largest Int that is not above the number."""
    return value if value.is_int() else z3.ToInt(value)


def truncate(value: Value) -> z3.ArithRef:
    """`int(value)`: towards zero."""
    number = arithmetic(value)
    if number.is_int():
        return number
    return z3.If(number >= 0, z3.ToInt(number), -z3.ToInt(-number))


def nearest(value: Value) -> z3.ArithRef:
    """`round(value)`: to the nearest Int, halves to even."""
    number = arithmetic(value)
    if number.is_int():
        return number
    low = z3.ToInt(number)
    rest = number - z3.ToReal(low)
    half = z3.RealVal("1/2")
    even = z3.If(low % 2 == 0, low, low + 1)
    return z3.If(rest < half, low, z3.If(rest > half, low + 1, even))


def absolute(value: Value) -> z3.ArithRef:
    """`abs(value)`."""
    number = arithmetic(value)
    return z3.If(number >= 0, number, -number)


def is_zero(value: Value) -> Mask:
    """Where a divisor is zero."""
    if is_term(value):
        return as_mask(z3.simplify(arithmetic(value) == 0))
    return bool(value == 0)


def _floor_divide(left: Value, right: Value) -> z3.ArithRef:
    first, second = alike(left, right)
    if not first.is_int():
        return z3.ToReal(z3.ToInt(first / second))
    if z3.is_int_value(second):
        # z3 rounds so that the remainder is not negative, which is the floor for positive divisors only.
        return first / second if second.as_long() > 0 else -first / -second
    return z3.If(second > 0, first / second, -first / -second)


def _power(left: Value, right: Value) -> Value:
    if isinstance(right, int) and not isinstance(right, bool) and 0 <= right <= _MAX_EXPONENT:
        result: Any = z3.IntVal(1)
        for _ in range(right):
            first, second = alike(result, left)
            result = first * second
        return result
    return UNKNOWN


def _logic(operator: str, left: Value, right: Value) -> Value:
    first, second = term(left), term(right)
    if not (z3.is_bool(first) and z3.is_bool(second)):
        return UNKNOWN
    return {"&": z3.And, "|": z3.Or, "^": z3.Xor}[operator](first, second)


def binary(operator: str, left: Value, right: Value) -> Value:
    """The operator on two numbers; divisors are not zero. UNKNOWN where there is no term for it."""
    if operator in ("+", "-", "*"):
        first, second = alike(left, right)
        return first + second if operator == "+" else first - second if operator == "-" else first * second
    if operator == "/":
        return real(left) / real(right)
    if operator == "//":
        return _floor_divide(left, right)
    if operator == "%":
        first, second = alike(left, right)
        return first - _floor_divide(left, right) * second
    if operator == "**":
        return _power(left, right)
    return _logic(operator, left, right) if operator in ("&", "|", "^") else UNKNOWN


def compare(operator: str, left: Value, right: Value) -> Value:
    """One comparison, as a bool, a Bool term or UNKNOWN."""
    if operator in ("==", "!="):
        equal = equals(left, right)
        if equal is UNKNOWN or operator == "==":
            return equal
        return not equal if isinstance(equal, bool) else z3.Not(equal)
    if operator in _ORDER and is_number(left) and is_number(right):
        return _ORDER[operator](*alike(left, right))
    return UNKNOWN


def equals(left: Value, right: Value) -> Value:
    """`left == right`."""
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    if is_number(left) and is_number(right):
        first, second = term(left), term(right)
        if z3.is_bool(first) and z3.is_bool(second):
            return first == second
        first, second = alike(left, right)
        return first == second
    if isinstance(right, Text):
        left, right = right, left
    if isinstance(left, Text):
        if isinstance(right, str):
            return left.term == left.table.index(right) if right in left.table else False
        return left.term == right.term if isinstance(right, Text) and right.table == left.table else UNKNOWN
    if isinstance(left, Items) and isinstance(right, Items):
        return UNKNOWN
    if isinstance(left, Items) or isinstance(right, Items) or is_term(left) or is_term(right):
        return False
    return same(left, right)
