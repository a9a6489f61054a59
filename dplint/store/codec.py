"""Plain dataclasses as documents of JSON, and back: exactly, or not at all.

A document is read by the types of the fields: every dataclass has its very fields, every value the type that its field
asks for. Nothing is guessed, filled in or converted, so that a document that can be read is the one that would be
written. Values of the data that JSON does not have are written as the runner's literals are: `{"t": [...]}` for a
tuple, `{"d": [[key, value], ...]}` for a dict; infinities are `{"f": "inf"}`. NaN has no place here.

What a type asks for is looked up once: there are hundreds of values of each in a cache.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, NamedTuple, TypeAlias, Union, get_args, get_origin, get_type_hints

Document: TypeAlias = dict[str, object]
_INFINITIES = {"inf": math.inf, "-inf": -math.inf}
_SCALARS = (bool, int, float, str)


class Codec(NamedTuple):
    """Writes and reads the values of one type. Both raise ValueError for anything else."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


class _Plain:
    """Stands for `Literal` in the types of fields, as that refers to itself."""


_KNOWN: dict[Any, Codec] = {}


def codec(wanted: Any) -> Codec:
    """The codec of a type: a scalar, an enumeration, a tuple, a dataclass of those, or a union of them."""
    if wanted not in _KNOWN:
        _KNOWN[wanted] = _made(wanted)
    return _KNOWN[wanted]


def _made(wanted: Any) -> Codec:
    if wanted is _Plain:
        return Codec(_plain_written, _plain_read)
    if get_origin(wanted) in (Union, UnionType):
        return _union(wanted)
    if get_origin(wanted) is tuple:
        return _tuple(get_args(wanted))
    if is_dataclass(wanted):
        assert isinstance(wanted, type)
        return _dataclass(wanted)
    if issubclass(wanted, StrEnum):
        return _enumeration(wanted)
    return _scalar(wanted)


def _union(wanted: Any) -> Codec:
    """None, and one type or several: scalars are told by their type, dataclasses by their name."""
    kinds = [kind for kind in get_args(wanted) if kind is not NoneType]
    inner = codec(kinds[0]) if len(kinds) == 1 else _scalars(kinds) if kinds[0] in _SCALARS else _named(kinds)
    if NoneType not in get_args(wanted):
        return inner

    def write(value: Any) -> Any:
        return None if value is None else inner.write(value)

    def read(value: Any) -> Any:
        return None if value is None else inner.read(value)

    return Codec(write, read)


def _scalars(kinds: list[Any]) -> Codec:
    known = {kind: codec(kind) for kind in kinds}
    if float in known:
        known.setdefault(int, known[float])

    def write(value: Any) -> Any:
        _must(type(value) in known)
        return known[type(value)].write(value)

    def read(value: Any) -> Any:
        kind = float if type(value) is dict else type(value)
        _must(kind in known)
        return known[kind].read(value)

    return Codec(write, read)


def _named(kinds: list[Any]) -> Codec:
    known = {kind.__name__: (kind, codec(kind)) for kind in kinds}

    def write(value: Any) -> Any:
        kind, inner = known.get(type(value).__name__, (None, None))
        if inner is None or type(value) is not kind:
            raise ValueError("no document of this type")
        return [type(value).__name__, inner.write(value)]

    def read(value: Any) -> Any:
        _must(type(value) is list and len(value) == 2 and type(value[0]) is str and value[0] in known)
        return known[value[0]][1].read(value[1])

    return Codec(write, read)


def _tuple(kinds: tuple[Any, ...]) -> Codec:
    """`tuple[X, ...]`, or as many items as it says."""
    if kinds[-1] is Ellipsis:
        item = codec(kinds[0])

        def write_all(value: Any) -> Any:
            return [item.write(one) for one in value]

        def read_all(value: Any) -> Any:
            _must(type(value) is list)
            return tuple([item.read(one) for one in value])

        return Codec(write_all, read_all)
    items = [codec(kind) for kind in kinds]

    def write(value: Any) -> Any:
        return [one.write(inner) for one, inner in zip(items, value, strict=True)]

    def read(value: Any) -> Any:
        _must(type(value) is list)
        return tuple([one.read(inner) for one, inner in zip(items, value, strict=True)])

    return Codec(write, read)


def _dataclass(wanted: type[Any]) -> Codec:
    hints = get_type_hints(wanted, localns={"Literal": _Plain})
    inner = [(field.name, codec(hints[field.name])) for field in fields(wanted)]
    names = {name for name, _ in inner}

    def write(value: Any) -> Any:
        _must(type(value) is wanted)
        return {name: one.write(getattr(value, name)) for name, one in inner}

    def read(value: Any) -> Any:
        _must(type(value) is dict and value.keys() == names)
        return wanted(**{name: one.read(value[name]) for name, one in inner})

    return Codec(write, read)


def _enumeration(wanted: type[StrEnum]) -> Codec:
    def write(value: Any) -> Any:
        _must(type(value) is wanted)
        return value.value

    def read(value: Any) -> Any:
        _must(type(value) is str)
        return wanted(value)

    return Codec(write, read)


def _scalar(wanted: Any) -> Codec:
    # a float that a user wrote as an integer is one
    types = (wanted, int) if wanted is float else (wanted,)

    def write(value: Any) -> Any:
        if wanted is float and isinstance(value, float):
            return _float_written(float(value))
        _must(type(value) in types)
        return value

    def read(value: Any) -> Any:
        if wanted is float and type(value) in (float, dict):
            return _float_read(value)
        _must(type(value) in types)
        return value

    return Codec(write, read)


def _float_written(value: float) -> Any:
    _must(not math.isnan(value))
    return {"f": str(value)} if math.isinf(value) else value


def _float_read(value: Any) -> float:
    if type(value) is float:
        # 1e999 is read as infinity by JSON, but not written so
        _must(math.isfinite(value))
        return value
    _must(value.keys() == {"f"} and type(value["f"]) is str and value["f"] in _INFINITIES)
    return _INFINITIES[value["f"]]


def _plain_written(value: Any) -> Any:
    kind = type(value)
    if kind in (bool, int, str, NoneType):
        return value
    if kind is float:
        return _float_written(value)
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
        return _float_read(value)
    _must(kind is dict and len(value) == 1)
    ((tag, inner),) = value.items()
    _must(type(inner) is list)
    if tag == "t":
        return tuple(_plain_read(item) for item in inner)
    _must(tag == "d" and all(type(pair) is list and len(pair) == 2 for pair in inner))
    return _dict([(_plain_read(key), _plain_read(item)) for key, item in inner])


def _dict(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    try:
        made = dict(pairs)
    except TypeError:
        raise ValueError from None
    _must(len(made) == len(pairs))
    return made


def _must(holds: bool) -> None:
    if not holds:
        raise ValueError("no document of this type")
