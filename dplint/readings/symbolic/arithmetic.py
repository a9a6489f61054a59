"""Operators and numeric functions on numbers of which at least one is a term, as Python computes them.

Between Python values and values of the symbolic interpretation, for what does not depend on the arguments.

Draws of the symbolic interpretation: at their centre, or free within the bulk of their distribution.

Both are formulas of `dplint.distributions`, worked out on terms. A draw of a distribution whose formulas have no terms,
or that has no bulk, is unknown.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import z3

from dplint.claims import Span
from dplint.distributions import Distribution, NotDefinedError, Outcomes, of
from dplint.program.nodes import Draw
from dplint.readings.symbolic.symbolic_values import (
    UNKNOWN,
    Entries,
    Items,
    Mask,
    SliceValue,
    Text,
    Value,
    alike,
    arithmetic,
    as_mask,
    choose,
    is_number,
    is_term,
    plain_items,
    real,
    same,
    term,
)
from dplint.sites import DrawSite, all_calls

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


_SMALL = 4096


def to_python(value: Value) -> Any:
    """The Python value of a concrete value."""
    if isinstance(value, Items):
        items = [to_python(item) for item in value.items]
        return items if value.kind == "list" else tuple(items) if value.kind == "tuple" else np.array(items)
    if isinstance(value, Entries):
        return dict(zip(value.keys, (to_python(item) for item in value.values), strict=True))
    if isinstance(value, SliceValue):
        return slice(value.start, value.stop, value.step)
    return value


def from_python(value: Any) -> Value:
    """A Python value as a value of the interpretation; UNKNOWN where it has none."""
    if isinstance(value, np.generic):
        return from_python(value.item())
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.ndarray):
        return _items("array", value.tolist()) if value.ndim == 1 else UNKNOWN
    if isinstance(value, tuple):
        return _items("tuple", value)
    if isinstance(value, dict):
        return Entries(tuple(value), tuple(from_python(item) for item in value.values()))
    if isinstance(value, list | range | zip | enumerate | reversed):
        if isinstance(value, range) and len(value) > _SMALL:
            return UNKNOWN
        return _items("list", value)
    return UNKNOWN


def _items(kind: str, values: Any) -> Items:
    return plain_items(kind, tuple(from_python(item) for item in values))


class Noise:
    """Makes draws; `constraints` says what holds of those that are free.

    The variable of a free draw is named after its site: so two walks of one program, on other data perhaps, have the
    same variable for the same draw.
    """

    def __init__(self, free: bool, *, whole_support: bool = False) -> None:
        self._free = free
        self._whole_support = whole_support
        self._name = ""
        self.constraints: list[z3.BoolRef] = []

    def draw(self, node: Draw, parameters: Mapping[str, Value], size: Value, site: DrawSite) -> Value:
        """The value of a draw; UNKNOWN where its shape or its centre has no term."""
        self._name = name_of(site)
        distribution = of(node.distribution)
        if size is None:
            return self._scalar(distribution, parameters)
        if not isinstance(size, int):
            return UNKNOWN
        items = []
        for index in range(size):
            self._name = f"{name_of(site)}[{index}]"
            own = {name: _element(value, index) for name, value in parameters.items()}
            items.append(self._scalar(distribution, own if distribution.items is None else parameters))
        return plain_items("array", tuple(items))

    def _scalar(self, distribution: Distribution, parameters: Mapping[str, Value]) -> Value:
        if distribution.items is not None:
            return self._of_items(distribution, parameters[distribution.items])
        if distribution.outcomes is Outcomes.VECTOR:
            return UNKNOWN
        if not all(is_number(value) or value is None for value in parameters.values()):
            return UNKNOWN
        given = {name: _Formula(value) if is_term(value) else value for name, value in parameters.items()}
        try:
            found = self._free_draw(distribution, given) if self._free else distribution.centre(given)
        except (NotDefinedError, TypeError):  # no bulk, or a function that terms do not have
            return UNKNOWN
        return found.value if isinstance(found, _Formula) else found

    def _free_draw(self, distribution: Distribution, given: Mapping[str, Any]) -> Any:
        if self._whole_support:
            return self._supported_draw(distribution, given)
        low, high = (end.value if isinstance(end, _Formula) else end for end in distribution.bulk(given))
        variable = z3.Int(self._name) if distribution.is_discrete else z3.Real(self._name)
        self.constraints += [variable >= low, variable <= high]
        if not distribution.is_location_scale:
            return variable
        return distribution.location(given) + _Formula(variable) * distribution.scale(given)

    def _supported_draw(self, distribution: Distribution, given: Mapping[str, Any]) -> Any:
        variable = z3.Int(self._name) if distribution.is_discrete else z3.Real(self._name)
        low, high = (end.value if isinstance(end, _Formula) else end for end in distribution.support(given))
        if not (isinstance(low, float) and math.isinf(low)):
            self.constraints.append(variable >= low)
        if not (isinstance(high, float) and math.isinf(high)):
            self.constraints.append(variable <= high)
        return variable

    def _of_items(self, distribution: Distribution, value: Value) -> Value:
        options = from_python(range(value)) if isinstance(value, int) else value
        if distribution.name != "choice":
            return options  # the order as it was
        if not isinstance(options, Items) or not options.plain or not options.items:
            return UNKNOWN
        if not self._free:
            return distribution.centre({"a": options.items})
        index = z3.Int(self._name)
        self.constraints += [index >= 0, index < len(options.items)]
        result = options.items[0]
        for position, option in enumerate(options.items[1:], 1):
            result = choose(index == position, option, result)
        return result


class _Formula:
    """A term in a formula of a distribution: operators on it are those of the interpretation."""

    def __init__(self, value: Value) -> None:
        self.value = value

    def __add__(self, other: Any) -> _Formula:
        return _Formula(binary("+", self.value, _plain(other)))

    def __radd__(self, other: Any) -> _Formula:
        return self if is_zero(other) else _Formula(binary("+", other, self.value))

    def __sub__(self, other: Any) -> _Formula:
        return _Formula(binary("-", self.value, _plain(other)))

    def __rsub__(self, other: Any) -> _Formula:
        return _Formula(binary("-", other, self.value))

    def __mul__(self, other: Any) -> _Formula:
        return _Formula(binary("*", self.value, _plain(other)))

    def __rmul__(self, other: Any) -> _Formula:
        return _Formula(binary("*", other, self.value))

    def __truediv__(self, other: Any) -> _Formula:
        return _Formula(binary("/", self.value, _plain(other)))

    def __rtruediv__(self, other: Any) -> _Formula:
        return _Formula(binary("/", other, self.value))

    def __floordiv__(self, other: Any) -> _Formula:
        return _Formula(binary("//", self.value, _plain(other)))

    def __floor__(self) -> _Formula:
        return _Formula(floor(self.value))


def _plain(other: Any) -> Value:
    return other.value if isinstance(other, _Formula) else other


def name_of(site: DrawSite) -> str:
    """The variable of a draw; other sites have other names. `draw!8:13@20:5#0#2`: line and column, calls, turns."""
    calls = "".join(f"@{_place(call)}" for call in all_calls(site))
    turns = "".join(f"#{turn}" for turn in site.turns)
    return f"draw!{_place(site.span)}{calls}{turns}"


def _place(span: Span) -> str:
    return (f"{span.file}:" if span.file else "") + f"{span.line}:{span.column}"


def _element(value: Value, index: int) -> Value:
    if isinstance(value, Items):
        return value.items[index] if value.plain and index < len(value.items) else UNKNOWN
    return value
