"""Places of arrays and lists: what an index by lane is for the rows of all lanes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .kinds import ARRAY, SCALARS
from .lanes import PerLane, tracer


def is_scalar(value: Any) -> bool:
    """Whether it is one scalar in each lane."""
    return value.form != ARRAY if isinstance(value, PerLane) else isinstance(value, SCALARS)


def chosen_index(index: Any) -> Any:
    """An index that is the same in all lanes, after splits."""
    if isinstance(index, PerLane):
        return tracer.choose(index)
    if isinstance(index, slice):
        return slice(*[chosen_index(part) for part in (index.start, index.stop, index.step)])
    if isinstance(index, tuple):
        return tuple(map(chosen_index, index))
    return index


def is_basic(index: Any) -> bool:
    """Whether what NumPy gives for an index is a view."""
    if isinstance(index, tuple):
        return all(is_basic(part) and not isinstance(part, tuple) for part in index)
    return (
        index is None
        or index is Ellipsis
        or (isinstance(index, (slice, int, np.integer)) and not isinstance(index, bool))
    )


def in_lanes(index: Any) -> Any:
    """The index of all rows, with the axis of lanes in front."""
    if isinstance(index, list):
        index = np.asarray(index) if index else np.empty(0, np.intp)
    return (slice(None), *index) if isinstance(index, tuple) else (slice(None), index)
