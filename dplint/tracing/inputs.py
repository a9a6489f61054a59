"""Numbers of the data as values by lane, so that a recording is about all data of one shape."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

from .kinds import ARRAY, PYTHON
from .lanes import PerLane, tracer
from .recording import operation

MOST = 64
"""Numbers of data that are taken so: what is worked out of more is worked out once for each data value."""
_WHOLE = 2**62
_tables: List[Any] = []
"""For each number what it is in each of the data values."""
_of_lanes: List[Any] = [None]
"""The number of the data value of each lane; None if there is one value."""


def numbers_of(value: Any) -> Optional[List[Any]]:
    """The numbers of data: an array of no dimensions for each item of a list or tuple; None for any other data."""
    if isinstance(value, np.ndarray):
        return [value] if value.dtype.kind in "bif" and value.dtype.itemsize in (1, 8) and value.size <= MOST else None
    items = value if isinstance(value, (list, tuple)) else [value]
    if len(items) > MOST or any(type(item) not in (bool, int, float) for item in items):
        return None
    if any(type(item) is int and abs(item) >= _WHOLE for item in items):
        return None
    return [np.asarray(item) for item in items]


def use(values: Sequence[List[Any]], of_lanes: Any = None) -> None:
    """From now on these are the numbers of the data values, all of one shape. of_lanes: whose value each lane has."""
    _tables[:] = [
        np.asarray(column[0])[np.newaxis] if len(column) == 1 else np.stack(column) for column in zip(*values)
    ]
    _of_lanes[0] = of_lanes if len(values) > 1 else None


def shape_of_inputs(numbers: List[Any]) -> Tuple[Any, ...]:
    """What recordings about such data have in common."""
    return tuple((number.dtype.str, number.shape) for number in numbers)


@operation
def datum(place: int) -> PerLane:
    """A number, or an array of the data."""
    table, of_lanes = _tables[place], _of_lanes[0]
    rows = (
        np.broadcast_to(table[0], (tracer.count, *table.shape[1:]))
        if of_lanes is None
        else table[of_lanes[tracer.lanes]]
    )
    return PerLane(rows, ARRAY if table.ndim > 1 else PYTHON)


def data_by_lane(value: Any) -> Any:
    """The data with values by lane in place of its numbers."""
    if isinstance(value, np.ndarray):
        return datum(0)
    if isinstance(value, (list, tuple)):
        return type(value)([datum(place) for place in range(len(value))])
    return datum(0)
