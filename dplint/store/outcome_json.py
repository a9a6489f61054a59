"""Outcomes as documents of JSON, and back: exactly, or not at all.

A document is read by the types of the fields: every dataclass has its very fields, every value the type that its field
asks for. Nothing is guessed, filled in or converted, so that a document that can be read is the one that would be
written. Values of the data that JSON does not have are written as the runner's literals are: `{"t": [...]}` for a
tuple, `{"d": [[key, value], ...]}` for a dict; infinities are `{"f": "inf"}`. NaN has no place here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from types import MappingProxyType, NoneType, UnionType
from typing import Any, TypeAlias, Union, get_args, get_origin, get_type_hints

from dplint.outcomes import Failed, NoViolation, Outcome, Proved, Untestable, Violation

Document: TypeAlias = dict[str, object]
_Codec: TypeAlias = Callable[[Any], Any]

_KINDS: Mapping[str, type[Any]] = MappingProxyType(
    {
        "violation": Violation,
        "proved": Proved,
        "no-violation": NoViolation,
        "untestable": Untestable,
        "failed": Failed,
    }
)
_KIND = "outcome"
_INFINITIES = {"inf": math.inf, "-inf": -math.inf}


def outcome_document(outcome: Outcome) -> Document:
    """The outcome as JSON.

    Raises:
        ValueError: it holds something that is not plain, or NaN.
    """
    kind = next(name for name, made in _KINDS.items() if type(outcome) is made)
    return {_KIND: kind, **_written(type(outcome), outcome)}


def read_outcome(document: object) -> Outcome | None:
    """The outcome that was written as this document; None for any document that was not made that way."""
    if not isinstance(document, dict):
        return None
    made = _KINDS.get(kind) if isinstance(kind := document.get(_KIND), str) else None
    if made is None:
        return None
    try:
        found: Outcome = _read(made, {key: value for key, value in document.items() if key != _KIND})
    except (ValueError, RecursionError):
        return None
    return found


class _Plain:
    """Stands for `Literal` in the types of fields, as that refers to itself."""


_TYPES: dict[type[Any], Mapping[str, Any]] = {}


def _types(made: type[Any]) -> Mapping[str, Any]:
    """The types of a dataclass's fields."""
    if made not in _TYPES:
        hints = get_type_hints(made, localns={"Literal": _Plain})
        _TYPES[made] = {field.name: hints[field.name] for field in fields(made)}
    return _TYPES[made]


def _written(wanted: Any, value: Any) -> Any:
    """The value as JSON. Raises ValueError."""
    if wanted is _Plain:
        return _plain_written(value)
    if get_origin(wanted) in (Union, UnionType):
        return None if value is None else _written(_only(wanted), value)
    if get_origin(wanted) is tuple:
        return [_written(kind, item) for kind, item in zip(_items(wanted, value), value, strict=True)]
    if is_dataclass(wanted):
        _must(type(value) is wanted)
        return {name: _written(kind, getattr(value, name)) for name, kind in _types(_class(wanted)).items()}
    if issubclass(wanted, StrEnum):
        _must(type(value) is wanted)
        return value.value
    return _scalar_written(wanted, value)


def _read(wanted: Any, value: Any) -> Any:
    """The inverse of `_written`. Raises ValueError."""
    if wanted is _Plain:
        return _plain_read(value)
    if get_origin(wanted) in (Union, UnionType):
        return None if value is None else _read(_only(wanted), value)
    if get_origin(wanted) is tuple:
        _must(type(value) is list)
        return tuple(_read(kind, item) for kind, item in zip(_items(wanted, value), value, strict=True))
    if is_dataclass(wanted):
        types = _types(_class(wanted))
        _must(type(value) is dict and value.keys() == types.keys())
        return _class(wanted)(**{name: _read(kind, value[name]) for name, kind in types.items()})
    if issubclass(wanted, StrEnum):
        _must(type(value) is str)
        return wanted(value)
    return _scalar_read(wanted, value)


def _only(wanted: Any) -> Any:
    """The one type beside None of a union."""
    (kind,) = (kind for kind in get_args(wanted) if kind is not NoneType)
    return kind


def _items(wanted: Any, value: Any) -> list[Any]:
    """The types of a tuple's items: `tuple[X, ...]`, or as many as it says."""
    kinds = get_args(wanted)
    return [kinds[0]] * len(value) if kinds[-1] is Ellipsis else list(kinds)


def _class(wanted: Any) -> type[Any]:
    assert isinstance(wanted, type)
    return wanted


def _scalar_written(wanted: Any, value: Any) -> Any:
    if wanted is float and isinstance(value, float):
        return _float_written(float(value))
    # a float that a user wrote as an integer is one
    _must(type(value) is wanted or (wanted is float and type(value) is int))
    return value


def _scalar_read(wanted: Any, value: Any) -> Any:
    if wanted is float and type(value) in (float, dict):
        return _float_read(value)
    _must(type(value) is wanted or (wanted is float and type(value) is int))
    return value


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
        raise ValueError("no document of an outcome")
