"""Plain dataclasses as documents of JSON, and back: exactly, or not at all.

A document is read by the types of the fields: every dataclass has its very fields, every value the type that its field
asks for. Nothing is guessed, filled in or converted, so that a document that can be read is the one that would be
written. A new dataclass needs nothing here. In a union of several types, all but scalars are written with the name of
their type, `["Interval", {...}]`. Values of the data that JSON does not have are written as the runner's literals are:
`{"t": [...]}` for a tuple, `{"d": [[key, value], ...]}` for a dict; infinities are `{"f": "inf"}`. NaN may be
among the data (`{"f": "nan"}`), and has no place in fields of numbers.

What a type asks for is looked up once: there are hundreds of values of each in a cache.

Outcomes as documents of JSON, and back: exactly, or not at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sized
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from itertools import repeat
from types import NoneType, UnionType
from typing import Any, NamedTuple, TypeAlias, Union, get_args, get_origin, get_type_hints

from dplint.outcomes import Outcome

_SCALARS = (bool, int, float, str)


class Codec(NamedTuple):
    """Writes and reads the values of one type. Both raise ValueError for anything else."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


class _Plain:
    """Stands for `Literal` in the types of fields, as that refers to itself."""


@cache
def codec(wanted: Any) -> Codec:
    """The codec of a type: a scalar, a `StrEnum`, a tuple, a dataclass of those, or a union of them.

    Raises:
        TypeError: for any other type, and for a union whose parts have the same name.
    """
    if wanted is _Plain:
        return Codec(_plain_written, _plain_read)
    if wanted is float:
        return Codec(_float_written, _float_read)
    if get_origin(wanted) in (Union, UnionType):
        return _union(wanted)
    if get_origin(wanted) is tuple:
        return _tuple(get_args(wanted))
    if isinstance(wanted, type):
        if is_dataclass(wanted):
            return _dataclass(wanted)
        if issubclass(wanted, StrEnum):
            return Codec(_only(wanted, lambda value: value.value), _only(str, wanted))
        if wanted in _SCALARS:
            return Codec(_only(wanted, wanted), _only(wanted, wanted))
    raise TypeError(f"values of type {wanted} have no document")


def _only(wanted: type, made: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def one(value: Any) -> Any:
        _must(type(value) is wanted)
        return made(value)

    return one


def _union(wanted: Any) -> Codec:
    kinds = [kind for kind in get_args(wanted) if kind is not NoneType]
    inner = codec(kinds[0]) if len(kinds) == 1 else _several(kinds)
    if NoneType not in get_args(wanted):
        return inner

    def write(value: Any) -> Any:
        return None if value is None else inner.write(value)

    def read(value: Any) -> Any:
        return None if value is None else inner.read(value)

    return Codec(write, read)


def _several(kinds: list[Any]) -> Codec:
    """Scalars are told by their type, everything else by the name that stands with it."""
    scalars = {kind: codec(kind) for kind in kinds if kind in _SCALARS}
    named = {(get_origin(kind) or kind).__name__: codec(kind) for kind in kinds if kind not in _SCALARS}
    if len(scalars) + len(named) < len(kinds) or _Plain in kinds:
        raise TypeError(f"the values of {kinds} could not be told apart in a document")
    if float in scalars:
        scalars.setdefault(int, scalars[float])

    def write(value: Any) -> Any:
        kind = type(value)
        if kind in scalars:
            return scalars[kind].write(value)
        _must(kind.__name__ in named)
        return [kind.__name__, named[kind.__name__].write(value)]

    def read(value: Any) -> Any:
        kind = float if type(value) is dict else type(value)
        if kind in scalars:
            return scalars[kind].read(value)
        _must(kind is list and len(value) == 2 and type(value[0]) is str and value[0] in named)
        return named[value[0]].read(value[1])

    return Codec(write, read)


def _tuple(kinds: tuple[Any, ...]) -> Codec:
    """`tuple[X, ...]`, or as many items as it says."""
    items = [codec(kind) for kind in kinds if kind is not Ellipsis]

    def for_each(values: Sized) -> Iterable[Codec]:
        return repeat(items[0], len(values)) if Ellipsis in kinds else items

    def write(value: Any) -> Any:
        _must(isinstance(value, tuple))
        return [item.write(one) for item, one in zip(for_each(value), value, strict=True)]

    def read(value: Any) -> Any:
        _must(type(value) is list)
        return tuple([item.read(one) for item, one in zip(for_each(value), value, strict=True)])

    return Codec(write, read)


def _dataclass(wanted: type[Any]) -> Codec:
    hints = get_type_hints(wanted, localns={"Literal": _Plain})
    inner = {field.name: codec(hints[field.name]) for field in fields(wanted)}

    def write(value: Any) -> Any:
        _must(type(value) is wanted)
        return {name: one.write(getattr(value, name)) for name, one in inner.items()}

    def read(value: Any) -> Any:
        _must(type(value) is dict and value.keys() == inner.keys())
        return wanted(**{name: one.read(value[name]) for name, one in inner.items()})

    return Codec(write, read)


def _float_written(value: Any) -> Any:
    if type(value) is int:  # a float that a user wrote as an integer stays one
        return value
    _must(isinstance(value, float) and not math.isnan(value))
    return {"f": str(float(value))} if math.isinf(value) else float(value)


def _float_read(value: Any) -> Any:
    if type(value) is dict:
        _must(value in ({"f": "inf"}, {"f": "-inf"}))
        return float(value["f"])
    # 1e999 is read as infinity by JSON, but not written so
    _must(type(value) is int or (type(value) is float and math.isfinite(value)))
    return value


def _plain_written(value: Any) -> Any:
    kind = type(value)
    if kind in (bool, int, str, NoneType):
        return value
    if kind is float:
        return {"f": "nan"} if math.isnan(value) else _float_written(value)
    if kind is list:
        return [_plain_written(item) for item in value]
    if kind is tuple:
        return {"t": [_plain_written(item) for item in value]}
    _must(kind is dict)
    return {"d": [[_plain_written(key), _plain_written(item)] for key, item in value.items()]}


def _plain_read(value: Any) -> Any:
    kind = type(value)
    if kind in (bool, int, str, NoneType):
        return value
    if kind is list:
        return [_plain_read(item) for item in value]
    if kind is float or (kind is dict and "f" in value):
        return math.nan if value == {"f": "nan"} else _float_read(value)
    _must(kind is dict and len(value) == 1)
    ((tag, inner),) = value.items()
    _must(type(inner) is list)
    if tag == "t":
        return tuple([_plain_read(item) for item in inner])
    _must(tag == "d" and all(type(pair) is list and len(pair) == 2 for pair in inner))
    try:
        made = {_plain_read(key): _plain_read(item) for key, item in inner}
    except TypeError:  # a list for a key
        raise ValueError("no document of this type") from None
    _must(len(made) == len(inner))
    return made


def _must(holds: bool) -> None:
    if not holds:
        raise ValueError("no document of this type")


Document: TypeAlias = list[object]


def outcome_document(outcome: Outcome) -> Document:
    """The outcome as JSON: the name of its type, and its fields.

    Raises:
        ValueError: it holds something that is not plain, or NaN.
    """
    document: Document = codec(Outcome).write(outcome)
    return document


def read_outcome(document: object) -> Outcome | None:
    """The outcome that was written as this document; None for any document that was not made that way."""
    try:
        found: Outcome = codec(Outcome).read(document)
    except (ValueError, RecursionError):
        return None
    return found
