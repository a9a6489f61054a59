"""Lists, arrays and dicts of the symbolic interpretation, and the calls that take them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import z3

from dplint.claims import Literal, Span
from dplint.program.meaning import BINARY, function_of, keywords_of, method_of
from dplint.readings.symbolic import arithmetic
from dplint.readings.symbolic.arithmetic import from_python, to_python
from dplint.readings.symbolic.calls import CallHost, Calls
from dplint.readings.symbolic.symbolic_values import (
    UNKNOWN,
    Entries,
    Items,
    Mask,
    SliceValue,
    Text,
    Value,
    as_mask,
    both,
    choose,
    is_concrete,
    is_term,
    plain_items,
    same_mask,
    term,
)


class Owner(CallHost, Protocol):
    """What the containers need of the interpretation."""

    def raised(self, exception: str, arguments: Sequence[Value], active: Mask, span: Span) -> None:
        """An exception."""
        ...

    def guard(self, function: Callable[..., Any], arguments: Sequence[Any], active: Mask, span: Span) -> Any:
        """A call of a Python function."""
        ...


class Containers:
    """Operations on containers, for one interpretation."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner

    def constant(self, value: Literal) -> Value:
        """A literal."""
        return value if value is None or isinstance(value, bool | int | float | str) else from_python(value)

    def truth(self, value: Items, active: Mask, span: Span) -> Mask:
        """Whether a list has an item; an array has a truth only if it has one item."""
        if value.kind == "array":
            if value.plain and len(value.items) == 1:
                return self._owner.truth(value.items[0], active, span)
            self._owner.raised("ValueError", (), active, span)
            return False
        if any(guard is True for guard in value.guards):
            return True
        return as_mask(z3.simplify(z3.Or(*value.guards))) if value.guards else False

    def each(self, function: Callable[[Value], Value], value: Items) -> Items:
        """The array of function values."""
        return Items(value.kind, tuple(function(item) for item in value.items), value.guards, value.prefix)

    def broadcast(self, function: Callable[[Value, Value], Value], left: Value, right: Value) -> Value:
        """The array of an operation by element; a list or number counts for every element it meets."""
        if isinstance(left, Items) and isinstance(right, Items):
            if not (left.plain and right.plain) or len(left.items) != len(right.items):
                return UNKNOWN
            pairs = zip(left.items, right.items, strict=True)
            return plain_items("array", tuple(function(first, second) for first, second in pairs))
        if isinstance(left, Items):
            return self.each(lambda item: function(item, right), left)
        if isinstance(right, Items):
            return self.each(lambda item: function(left, item), right)
        return UNKNOWN

    def binary(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """An operator of which one side is a list or array."""
        if any(isinstance(value, Items) and value.kind == "array" for value in (left, right)):
            return self.broadcast(lambda a, b: self._owner.binary(operator, a, b, active, span), left, right)
        if operator == "+" and isinstance(left, Items) and isinstance(right, Items) and left.kind == right.kind:
            prefix = right.prefix if left.plain else False
            return Items(left.kind, left.items + right.items, left.guards + right.guards, prefix)
        if operator == "*":
            items, times = (left, right) if isinstance(left, Items) else (right, left)
            if isinstance(times, int) and items.plain:
                repeat = BINARY["*"]  # which refuses what is too large
                return Items(items.kind, repeat(items.items, times), repeat(items.guards, times))
        if is_concrete(left) and is_concrete(right):
            self._owner.raised("TypeError", (), active, span)
        return UNKNOWN

    def contains(self, item: Value, container: Value) -> Value:
        """`item in container`."""
        if isinstance(container, Entries):
            container = plain_items("list", tuple(from_python(key) for key in container.keys))
        if not isinstance(container, Items):
            return item in container if isinstance(item, str) and isinstance(container, str) else UNKNOWN
        masks: list[z3.BoolRef] = []
        for candidate, guard in zip(container.items, container.guards, strict=True):
            equal = arithmetic.equals(item, candidate)
            if equal is UNKNOWN:
                return UNKNOWN
            masks.append(term(both(guard, equal)))
        return as_mask(z3.simplify(z3.Or(*masks))) if masks else False

    def subscript(self, value: Value, index: Value, active: Mask, span: Span) -> Value:
        """`value[index]`."""
        if isinstance(value, Entries):
            if isinstance(index, str | int | float) and index in value.keys:
                return value.values[value.keys.index(index)]
            if is_concrete(index):
                self._owner.raised("KeyError", (), active, span)
            return UNKNOWN
        if not isinstance(value, Items):
            if is_concrete(value) and is_concrete(index):
                return from_python(self._owner.guard(lambda v, i: v[i], (value, to_python(index)), active, span))
            return UNKNOWN
        if isinstance(index, SliceValue):
            return self._part(value, index)
        if isinstance(index, int):
            return self._item(value, index, active, span)
        if is_term(index) and z3.is_int(index) and value.plain:
            return self._chosen(value, index, active, span)
        return UNKNOWN

    def _item(self, value: Items, index: int, active: Mask, span: Span) -> Value:
        if value.plain:
            if -len(value.items) <= index < len(value.items):
                return value.items[index]
            self._owner.raised("IndexError", (), active, span)
            return UNKNOWN
        return UNKNOWN

    def _chosen(self, value: Items, index: z3.ArithRef, active: Mask, span: Span) -> Value:
        count = len(value.items)
        outside = as_mask(z3.simplify(z3.Or(index < -count, index >= count)))
        self._owner.raised("IndexError", (), both(active, outside), span)
        if not count:
            return UNKNOWN
        result = value.items[0]
        for position, item in enumerate(value.items[1:], 1):
            result = choose(z3.Or(index == position, index == position - count), item, result)
        return result

    def _part(self, value: Items, index: SliceValue) -> Value:
        if is_concrete(index) and value.plain:
            items = value.items[to_python(index)]
            return plain_items(value.kind, items)
        return UNKNOWN

    def set_item(self, value: Value, index: Value, item: Value, active: Mask, span: Span) -> Value:
        """`value[index] = item` in the active runs."""
        if isinstance(value, Entries) and is_concrete(index):
            return _set_entry(value, to_python(index), item, active)
        if not isinstance(value, Items) or not value.plain:
            return UNKNOWN
        if value.kind == "tuple":
            self._owner.raised("TypeError", (), active, span)
            return value
        count = len(value.items)
        if isinstance(index, bool) and value.kind == "array":
            return UNKNOWN  # all items or none
        if isinstance(index, int):
            if not -count <= index < count:
                self._owner.raised("IndexError", (), active, span)
                return value
            hits = [active if position == index % count else False for position in range(count)]
        elif is_term(index) and z3.is_int(index):
            outside = z3.Or(index < -count, index >= count)
            self._owner.raised("IndexError", (), both(active, outside), span)
            hits = [both(active, z3.Or(index == p, index == p - count)) for p in range(count)]
        else:
            return UNKNOWN
        pairs = zip(value.items, hits, strict=True)
        return plain_items(value.kind, tuple(choose(hit, item, old) for old, hit in pairs))

    def update(self, value: Value, method: str, arguments: Sequence[Value], active: Mask, span: Span) -> Value:
        """A list after append, extend, ... in the active runs."""
        if active is False:
            return value
        if not isinstance(value, Items) or value.kind != "list":
            mutable = isinstance(value, Entries) or (isinstance(value, Items) and value.kind == "array")
            if value is not UNKNOWN and not mutable:
                self._owner.raised("AttributeError", (), active, span)
            return UNKNOWN
        if method == "append" and len(arguments) == 1:
            guard = True if same_mask(active, value.born) else active
            return Items("list", (*value.items, arguments[0]), (*value.guards, guard), value.plain, value.born)
        if method == "extend" and len(arguments) == 1 and isinstance(arguments[0], Items):
            here = True if same_mask(active, value.born) else active
            added = tuple(both(here, guard) for guard in arguments[0].guards)
            prefix = value.plain and arguments[0].prefix
            return Items("list", value.items + arguments[0].items, value.guards + added, prefix, value.born)
        if active is True and is_concrete(value) and all(is_concrete(argument) for argument in arguments):
            changed = to_python(value)
            self._owner.guard(getattr(changed, method), [to_python(argument) for argument in arguments], active, span)
            return from_python(changed)
        return UNKNOWN

    def call(
        self, function: str, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask, span: Span
    ) -> Value:
        """A function of the vocabulary."""
        if function == "print":
            return None
        calls = Calls(self._owner, active, span)
        if all(is_concrete(value) for value in (*arguments, *keywords.values())):
            if function in {"list", "tuple", "numpy.asarray", "zip", "enumerate", "len"} and not keywords:
                known = calls.function(function, arguments, keywords)
                if known is not UNKNOWN:
                    return known
            return self._python(function, arguments, keywords, active, span)
        return calls.function(function, arguments, keywords)

    def _python(
        self, function: str, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask, span: Span
    ) -> Value:
        called = function_of(function)
        given = [to_python(argument) for argument in arguments]
        named = keywords_of({key: to_python(value) for key, value in keywords.items()})
        return self._owner.guard(lambda: from_python(called(*given, **named)), (), active, span)

    def method(
        self,
        receiver: Value,
        method: str,
        arguments: Sequence[Value],
        keywords: Mapping[str, Value],
        active: Mask,
        span: Span,
    ) -> Value:
        """A method of the vocabulary."""
        concrete = all(is_concrete(value) for value in (receiver, *arguments, *keywords.values()))
        if isinstance(receiver, Entries) and method == "get" and arguments and is_concrete(arguments[0]):
            default = arguments[1] if len(arguments) > 1 else None
            key = to_python(arguments[0])
            return receiver.values[receiver.keys.index(key)] if key in receiver.keys else default
        if not concrete or isinstance(receiver, Text):
            return Calls(self._owner, active, span).method(receiver, method, arguments)
        given = [to_python(value) for value in arguments]
        named = keywords_of({key: to_python(value) for key, value in keywords.items()})
        subject = to_python(receiver)

        def called() -> Value:
            result = method_of(method)(subject, *given, **named)
            return from_python(list(result) if isinstance(subject, dict) and method != "get" else result)

        return self._owner.guard(called, (), active, span)


def _set_entry(value: Entries, key: Literal, item: Value, active: Mask) -> Value:
    if key in value.keys:
        place = value.keys.index(key)
        changed = choose(active, item, value.values[place])
        return Entries(value.keys, (*value.values[:place], changed, *value.values[place + 1 :]))
    return Entries((*value.keys, key), (*value.values, item)) if active is True else UNKNOWN
