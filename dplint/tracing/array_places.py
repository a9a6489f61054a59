"""Places in arrays that differ by lane, and values as rows that are put there."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from .kinds import ARRAY, NONE
from .lanes import PerLane, tracer


def one_place(shape: Tuple[int, ...], index: Any) -> Optional[Tuple[Any, ...]]:
    """Where an item of an array of this shape is in its rows, or several along one axis.

    None if it is more, or outside.
    """
    if not isinstance(index, tuple) or len(index) != len(shape) or 0 in shape:
        return None
    several = 0
    for part, length in zip(index, shape):
        if isinstance(part, PerLane):
            places = tracer.rows(part)
            several += part.form == ARRAY
            if several > 1 or places.ndim > 1 + (part.form == ARRAY) or places.dtype.kind != "i":
                return None
            if tracer.decided(((places >= length) | (places < -length)).reshape(tracer.count, -1).any(1)):
                return None
        elif not isinstance(part, (int, np.integer)) or isinstance(part, bool) or not -length <= part < length:
            return None
    lanes: Any = (-1, 1) if several else (-1,)
    parts = [
        (tracer.rows(part) % length).reshape(tracer.count, *lanes[1:] if part.form != ARRAY else [-1])
        if isinstance(part, PerLane)
        else part
        for part, length in zip(index, shape)
    ]
    return (np.arange(tracer.count).reshape(lanes), *parts)


def places_of(shape: Tuple[int, ...], index: Any) -> Optional[Tuple[Any, ...]]:
    """Where an index is in the rows of an array of this shape; None if it is no place of it, and not several."""
    if not isinstance(index, PerLane):
        return one_place(shape, index)
    places = tracer.rows(index)
    if places.dtype.kind != "i" or not shape or 0 in shape or places.ndim > 2 or (places.ndim > 1 and len(shape) > 1):
        return None
    if tracer.decided(((places >= shape[0]) | (places < -shape[0])).reshape(tracer.count, -1).any(1)):
        return None
    places = tracer.rows(index) % shape[0]
    return (np.arange(tracer.count).reshape((-1,) + (1,) * (places.ndim - 1)), places)


def spread(value: Any, dimensions: int) -> Any:
    """A value as rows that broadcast with those of an array."""
    if not isinstance(value, PerLane):
        return value
    rows = numbers(value)
    return rows.reshape(rows.shape[:1] + (1,) * (dimensions - rows.ndim) + rows.shape[1:])


def numbers(value: PerLane) -> Any:
    """The rows for an array, which has one type for all."""
    mixed = value.kinds is not None and (value.kinds == NONE).any()
    return tracer.rows(value) if mixed else tracer.raw(value)


def write_once(owner: PerLane, index: Any, value: Any) -> bool:
    """Write what is the same in all lanes into an array that is, too, and stays so."""
    if owner.base is not None or owner.alias_at is not None or tracer.branches or isinstance(value, PerLane):
        return False
    rows = tracer.rows(owner)
    if rows.strides[0] != 0 or len(rows) < 2:
        return False
    changed = np.array(rows[0])
    changed[index] = value
    owner.rows = np.broadcast_to(changed, rows.shape)
    return True
