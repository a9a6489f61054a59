"""What operators, functions and methods mean: Python's own, under the names that a program uses.

Interpretations call these where they have nothing better, so that Python's meaning stands in one place. Imports NumPy,
which of this package only `seeded` does beside it.
"""

from __future__ import annotations

import builtins
import copy
import dataclasses
import itertools
import json
import operator
import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from dplint.claims import Span
from dplint.program.calls import NUMBER
from dplint.program.refusals import unsupported

_NOWHERE = Span(0, 0, 0, 0)

_MOST_BITS, _MOST_ITEMS = 1 << 20, 10_000_000
"""Of a whole number, and of a list or text that is repeated: more would take Python minutes, or all of the memory."""


def _small(function: Callable[[Any, Any], Any], size: Callable[[Any, Any], int]) -> Callable[[Any, Any], Any]:
    """The operator, refused where the size of its result is too large. No place is known here."""

    def call(left: Any, right: Any) -> Any:
        if size(left, right) > 0:
            raise unsupported("a number, list or text of millions of digits or items", _NOWHERE, "make it smaller")
        return function(left, right)

    return call


def _bits_of_power(base: Any, exponent: Any) -> int:
    if type(base) is not int or type(exponent) is not int or exponent <= 0 or abs(base) < 2:
        return 0
    return base.bit_length() * exponent - _MOST_BITS


def _bits_of_shift(number: Any, places: Any) -> int:
    return places - _MOST_BITS if type(number) is int and type(places) is int and number else 0


def _items(left: Any, right: Any) -> int:
    times, items = (left, right) if type(left) is int else (right, left)
    return (
        len(items) * times - _MOST_ITEMS if type(times) is int and isinstance(items, list | tuple | str | bytes) else 0
    )


BINARY: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": _small(operator.mul, _items),
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": _small(operator.pow, _bits_of_power),
    "@": operator.matmul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": _small(operator.lshift, _bits_of_shift),
    ">>": operator.rshift,
}
AUGMENTED: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.iadd,
    "-": operator.isub,
    "*": _small(operator.imul, _items),
    "/": operator.itruediv,
    "//": operator.ifloordiv,
    "%": operator.imod,
    "**": _small(operator.ipow, _bits_of_power),
    "&": operator.iand,
    "|": operator.ior,
    "^": operator.ixor,
}
"""These change the left operand in place where its type does so: hand in a copy."""
UNARY: Mapping[str, Callable[[Any], Any]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda item, container: item in container,
    "not in": lambda item, container: item not in container,
}
_TYPES = {"int": int, "float": float, "bool": bool}


@cache
def _named(name: str) -> Any:
    # SciPy is loaded only where a program calls it.
    return pkgutil.resolve_name(name) if "." in name else getattr(builtins, name)


def _sorted_by(items: Iterable[Any], keys: Sequence[Any], reverse: Any = False) -> list[Any]:
    """`sorted(items, key=..., reverse=...)`, with the keys at hand: the same comparisons in the same order."""
    listed = list(items)
    return [listed[index] for index in sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)]


def _extreme_by(function: Callable[..., int]) -> Callable[[Iterable[Any], Sequence[Any]], Any]:
    return lambda items, keys: list(items)[function(range(len(keys)), key=keys.__getitem__)]


def _with_item(value: Any, item: Any, index: Any) -> Any:
    """A list, dict or array with another element."""
    new = copy.copy(value)
    new[index] = item
    return new


def _added_at(value: Any, places: Any, items: Any) -> Any:
    """What `numpy.add.at` makes of an array."""
    new = copy.copy(value)
    np.add.at(new, places, items)
    return new


@cache
def _record_class(name: str, fields: tuple[str, ...]) -> type:
    return dataclasses.make_dataclass(name, fields)


def record(name: str, fields: tuple[str, ...], entries: Mapping[str, Any]) -> Any:
    """A dataclass of that name with these fields."""
    return _record_class(name, fields)(**entries)


def _listed(function: Callable[..., Iterable[Any]]) -> Callable[..., list[Any]]:
    """The function with a list for the iterator that it gives, of no more items than a list may have."""

    def call(*arguments: Any, **keywords: Any) -> list[Any]:
        found = list(itertools.islice(function(*arguments, **keywords), _MOST_ITEMS + 1))
        if len(found) > _MOST_ITEMS:
            raise unsupported("a list of millions of items", _NOWHERE, "make it smaller")
        return found

    return call


_SPECIAL: Mapping[str, Callable[..., Any]] = {
    "itertools.accumulate": lambda items: list(itertools.accumulate(items)),
    "itertools.chain": lambda *parts: list(itertools.chain(*parts)),
    **{
        f"itertools.{function.__name__}": _listed(function)
        for function in (
            itertools.combinations,
            itertools.compress,
            itertools.islice,
            itertools.pairwise,
            itertools.permutations,
            itertools.product,
            itertools.repeat,
            itertools.zip_longest,
        )
    },
    "print": lambda *_, **__: None,
    "isinstance": lambda value, *names: isinstance(value, tuple(_named(name) for name in names)),
    "f-string": lambda *parts: "".join(format(part) for part in parts),
    "frozenset-of": frozenset,
    "set-of": set,
    "sorted-by": _sorted_by,
    "max-by": _extreme_by(max),
    "min-by": _extreme_by(min),
    "type-name": lambda value: type(value).__name__,
    "numbers-in": lambda text: list(map(float, re.findall(NUMBER, text))),
    "words-in": lambda text: re.sub(NUMBER, "#", text),
    "json.loads": json.loads,
    "record": record,
    "with-item": _with_item,
    "added-at": _added_at,
    "map": lambda name, items: list(map(_named(name), items)),
}
_ATTRIBUTE = "attribute."


def function_of(name: str) -> Callable[..., Any]:
    """The function of `vocabulary.FUNCTIONS` or `vocabulary.SPECIAL` with that name; `print` says nothing."""
    if name in _SPECIAL:
        return _SPECIAL[name]
    if name.startswith(_ATTRIBUTE):
        return operator.attrgetter(name.removeprefix(_ATTRIBUTE))
    function: Callable[..., Any] = _named(name)
    return function


def keywords_of(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments as the function wants them: a program names the types in `dtype`."""
    return {key: _TYPES.get(value, value) if key == "dtype" else value for key, value in keywords.items()}


def method_of(name: str) -> Callable[..., Any]:
    """A function (receiver, *arguments, **keywords) that calls the method of that name."""

    def call(receiver: Any, *arguments: Any, **keywords: Any) -> Any:
        given = [_TYPES.get(value, value) for value in arguments] if name == "astype" else arguments
        return getattr(receiver, name)(*given, **keywords)

    return call
