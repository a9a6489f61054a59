"""Between Python values and values of the symbolic interpretation, for what does not depend on the arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from dplint.readings.symbolic.symbolic_values import UNKNOWN, Entries, Items, SliceValue, Value, plain_items

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
