"""Functions and methods on values that depend on the arguments; on others the Python function itself is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import z3

from dplint.claims import Span
from dplint.program.calls import word_of
from dplint.readings.symbolic.arithmetic import absolute, equals, floor, nearest, truncate
from dplint.readings.symbolic.symbolic_values import (
    UNKNOWN,
    Entries,
    Items,
    Mask,
    Text,
    Value,
    both,
    choose,
    is_number,
    is_term,
    plain_items,
    real,
)


class CallHost(Protocol):
    """What the functions need of the interpretation."""

    @property
    def fuel(self) -> int:
        """How far a `range` with an unknown end is followed."""
        ...

    def truth(self, value: Value, active: Mask, span: Span) -> Mask:
        """The truth of a value."""
        ...

    def binary(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """An operator."""
        ...

    def compare(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """A comparison."""
        ...

    def exhausted(self, active: Mask, span: Span) -> None:
        """Runs that are followed no further."""
        ...


class Calls:
    """The functions, by their words in `dplint.program.calls`."""

    def __init__(self, host: CallHost, active: Mask, span: Span) -> None:
        self._host = host
        self._active = active
        self._span = span

    def function(self, name: str, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
        """The value of a call; UNKNOWN where there is no term for it."""
        handler = _FUNCTIONS.get(word_of(name))
        if handler is None or keywords or any(argument is UNKNOWN for argument in arguments):
            return UNKNOWN
        return handler(self, *arguments)

    def method(self, receiver: Value, name: str, arguments: Sequence[Value]) -> Value:
        """The value of a method call; UNKNOWN where there is no term for it."""
        if isinstance(receiver, Items):
            if name == "tolist":
                return Items("list", receiver.items, receiver.guards, receiver.prefix)
            if name == "copy":
                return receiver
            if name == "count" and len(arguments) == 1:
                return self._count(receiver, arguments[0])
            if receiver.kind == "array" and name in {"sum", "mean", "max", "min", "argmax", "argmin"}:
                return self.function(name, (receiver, *arguments), {})
        if isinstance(receiver, Entries) and name == "values":
            return plain_items("list", receiver.values)
        return UNKNOWN

    def length(self, value: Value) -> Value:
        """`len(value)`."""
        if isinstance(value, Entries):
            return len(value.keys)
        if not isinstance(value, Items):
            return UNKNOWN
        certain = sum(guard is True for guard in value.guards)
        uncertain = [z3.If(guard, 1, 0) for guard in value.guards if not isinstance(guard, bool)]
        return z3.Sum(certain, *uncertain) if uncertain else certain

    def shape(self, value: Value) -> Value:
        """`value.shape` of an array of numbers."""
        if not isinstance(value, Items) or value.kind != "array" or not all(is_number(item) for item in value.items):
            return UNKNOWN
        return plain_items("tuple", (self.length(value),))

    def total(self, value: Value, start: Value = 0) -> Value:
        """`sum(value, start)`."""
        if not isinstance(value, Items):
            return UNKNOWN
        result = start
        for item, guard in zip(value.items, value.guards, strict=True):
            step = self._host.binary("+", result, item, both(self._active, guard), self._span)
            result = choose(guard, step, result)
        return result

    def _count(self, value: Items, wanted: Value) -> Value:
        hits = [
            both(guard, self._mask(equals(item, wanted))) for item, guard in zip(value.items, value.guards, strict=True)
        ]
        return self.length(Items("list", tuple(hits), tuple(hits), prefix=False))

    def _mask(self, value: Value) -> Mask:
        return self._host.truth(value, self._active, self._span)

    def mean(self, value: Value) -> Value:
        """The arithmetic mean of a list whose length is known."""
        if not isinstance(value, Items) or not value.plain or not value.items:
            return UNKNOWN
        return self._host.binary("/", self.total(value), len(value.items), self._active, self._span)

    def extreme(self, operator: str, *arguments: Value) -> tuple[Value, Value]:
        """The extreme value and its position: the first item that no other beats."""
        items = arguments if len(arguments) > 1 else arguments[0].items if _is_plain(arguments[0]) else ()
        if not items or not all(is_number(item) for item in items):
            return UNKNOWN, UNKNOWN
        best, position = items[0], 0
        for index, item in enumerate(items[1:], 1):
            better = self._mask(self._host.compare(operator, item, best, self._active, self._span))
            best, position = choose(better, item, best), choose(better, index, position)
        return best, position

    def range(self, *arguments: Value) -> Value:
        """`range(stop)` or `range(start, stop)` with a start that is known; followed as far as the fuel lasts."""
        start, stop = (0, arguments[0]) if len(arguments) == 1 else arguments[:2]
        if len(arguments) > 2 or not isinstance(start, int) or not is_term(stop) or not stop.is_int():
            return UNKNOWN
        indices = tuple(range(start, start + self._host.fuel))
        self._host.exhausted(both(self._active, stop > start + self._host.fuel), self._span)
        return Items("list", indices, tuple(index < stop for index in indices))

    def zip(self, *arguments: Value) -> Value:
        """`zip(...)` of lists whose missing items, if any, are at the end."""
        if not all(isinstance(argument, Items) and (argument.plain or argument.prefix) for argument in arguments):
            return UNKNOWN
        rows = zip(*(argument.items for argument in arguments), strict=False)
        items = tuple(plain_items("tuple", row) for row in rows)
        guards: list[Mask] = []
        for row in zip(*(argument.guards for argument in arguments), strict=False):
            guard: Mask = True
            for mask in row:
                guard = both(guard, mask)
            guards.append(guard)
        return Items("list", items, tuple(guards))

    def enumerate(self, value: Value, start: Value = 0) -> Value:
        """`enumerate(value, start)`, where an item's position is known."""
        if not isinstance(value, Items) or not (value.plain or value.prefix) or not isinstance(start, int):
            return UNKNOWN
        pairs = tuple(plain_items("tuple", (index, item)) for index, item in enumerate(value.items, start))
        return Items("list", pairs, value.guards)

    def as_kind(self, kind: str, value: Value = None) -> Value:
        """`list(value)`, `tuple(value)` or `numpy.asarray(value)`."""
        if value is None:
            return plain_items(kind, ())
        if not isinstance(value, Items) or (kind == "array" and not all(is_number(item) for item in value.items)):
            return UNKNOWN
        return Items(kind, value.items, value.guards, value.prefix)

    def each(self, function: Callable[[Value], Value], value: Value) -> Value:
        """A numeric function, on each element of an array."""
        if isinstance(value, Items):
            return Items(
                value.kind, tuple(self.each(function, item) for item in value.items), value.guards, value.prefix
            )
        return function(value) if is_number(value) else UNKNOWN

    def clip(self, value: Value, low: Value, high: Value) -> Value:
        """`numpy.clip`: the upper bound wins."""
        if isinstance(value, Items):
            return Items(
                value.kind, tuple(self.clip(item, low, high) for item in value.items), value.guards, value.prefix
            )
        return self.extreme("<", self.extreme(">", value, low)[0], high)[0]

    def round(self, value: Value, digits: Value = None) -> Value:
        """`round(value, digits)`."""
        if not is_number(value):
            return UNKNOWN
        if digits is None:
            return nearest(value)
        if not isinstance(digits, int):
            return UNKNOWN
        power = 10 ** abs(digits)
        if digits < 0:
            return real(nearest(real(value) / power)) * power
        return real(nearest(real(value) * power)) / power

    def convert(self, kind: str, value: Value) -> Value:
        """`int(value)`, `float(value)` or `bool(value)`."""
        if isinstance(value, Text):
            return UNKNOWN
        if kind == "bool":
            return self._mask(value)
        if not is_number(value):
            return UNKNOWN
        return truncate(value) if kind == "int" else real(value)

    def cumulate(self, value: Value) -> Value:
        """`numpy.cumsum`."""
        if not isinstance(value, Items) or not value.plain:
            return UNKNOWN
        sums: list[Value] = []
        for item in value.items:
            sums.append(self._host.binary("+", sums[-1], item, self._active, self._span) if sums else item)
        return plain_items("array", tuple(sums))


def _is_plain(value: Value) -> bool:
    return isinstance(value, Items) and value.plain


_FUNCTIONS: Mapping[str, Callable[..., Value]] = {
    "len": Calls.length,
    "attribute.shape": Calls.shape,
    "sum": Calls.total,
    "mean": Calls.mean,
    "max": lambda calls, *values: calls.extreme(">", *values)[0],
    "min": lambda calls, *values: calls.extreme("<", *values)[0],
    "maximum": lambda calls, *values: calls.extreme(">", *values)[0],
    "minimum": lambda calls, *values: calls.extreme("<", *values)[0],
    "argmax": lambda calls, *values: calls.extreme(">", *values)[1],
    "argmin": lambda calls, *values: calls.extreme("<", *values)[1],
    "range": Calls.range,
    "zip": Calls.zip,
    "enumerate": Calls.enumerate,
    "list": lambda calls, *values: calls.as_kind("list", *values),
    "tuple": lambda calls, *values: calls.as_kind("tuple", *values),
    "array": lambda calls, *values: calls.as_kind("array", *values),
    "abs": lambda calls, value: calls.each(absolute, value),
    "floor": lambda calls, value: calls.each(lambda number: floor(real(number)), value),
    "ceil": lambda calls, value: calls.each(lambda number: -floor(-real(number)), value),
    "round": Calls.round,
    "int": lambda calls, value: calls.convert("int", value),
    "float": lambda calls, value: calls.convert("float", value),
    "bool": lambda calls, value: calls.convert("bool", value),
    "clip": Calls.clip,
    "cumsum": Calls.cumulate,
}
