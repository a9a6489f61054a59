"""Plain values as JSON that keeps tuples, dict keys of any plain type, infinities and NaN. Shared by both sides."""

from __future__ import annotations

from typing import Any

_SCALARS = (bool, int, float, str, type(None))


def encode(value: Any) -> Any:
    """What `json.dumps` can take. Raises TypeError, naming the type, for all but plain values of built-in types."""
    kind = type(value)
    if kind in _SCALARS:
        return value
    if kind is list:
        return [encode(item) for item in value]
    if kind is tuple:
        return {"t": [encode(item) for item in value]}
    if kind is dict:
        return {"d": [[encode(key), encode(item)] for key, item in value.items()]}
    raise TypeError(f"not a plain value: {kind.__name__}")


def decode(value: Any) -> Any:
    """The inverse of `encode`. Raises ValueError for JSON that `encode` does not make."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if isinstance(value, dict):
        if value.keys() == {"t"}:
            return tuple(decode(item) for item in value["t"])
        if value.keys() == {"d"}:
            return {decode(key): decode(item) for key, item in value["d"]}
        raise ValueError(f"not an encoded literal: {sorted(value)}")
    return value
