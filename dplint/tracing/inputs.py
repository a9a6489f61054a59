"""The data as values by lane, so that a recording is about all data of one shape.

Numbers and texts are values by lane; how they lie in lists, tuples and dicts is the shape.
"""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from .lanes import PerLane, tracer
from .paths import ARRAY, PYTHON
from .recording import operation

MOST = 64
"""Parts of data that are taken so: what is worked out of more is worked out once for each data value."""
_WHOLE, _LONGEST = 2**62, 1000
_tables: List[Any] = []
"""For each part what it is in each of the data values."""
_arguments: Dict[str, float] = {}
_of_lanes: List[Any] = [None]
"""The number of the data value of each lane; None if there is one value."""


class Inputs(NamedTuple):
    """A data value. shape: what recordings about such data have in common. parts: an array for each part of it."""

    shape: Any
    parts: List[Any]


def inputs_of(value: Any) -> Optional[Inputs]:
    """The parts of data in their order: of a list, tuple, dict or an array of numbers. None for any other data."""
    if isinstance(value, np.ndarray):
        taken = value.dtype.kind in "bif" and value.dtype.itemsize in (1, 8) and value.size <= MOST
        return Inputs((value.dtype.str, value.shape), [value]) if taken else None
    parts: List[Any] = []
    shape = _shape_of(value, parts)
    return None if shape is None or len(parts) > MOST else Inputs(shape, parts)


def _shape_of(value: Any, parts: List[Any]) -> Any:
    """The shape of a value, whose parts are appended; None where it has no such shape."""
    kind = type(value)
    if kind in (list, tuple):
        inside = [_shape_of(item, parts) if len(parts) <= MOST else None for item in value]
        return None if None in inside else (kind.__name__, *inside)
    if kind is dict:
        if any(type(key) not in (str, int) for key in value):
            return None
        inside = [_shape_of(list(value.values()), parts)]
        return None if None in inside else (kind.__name__, *value, *inside)
    if kind is str:
        parts.append(_text(value))
        return kind.__name__ if len(value) <= _LONGEST else None
    if kind not in (bool, int, float) or (kind is int and abs(value) >= _WHOLE):
        return None
    parts.append(np.asarray(value))
    return kind.__name__


def _text(value: str) -> Any:
    array = np.empty((), object)
    array[()] = value
    return array


def use(values: Sequence[List[Any]], of_lanes: Any = None) -> None:
    """From now on these are the parts of the data values, all of one shape. of_lanes: whose value each lane has."""
    _tables[:] = [
        np.asarray(column[0])[np.newaxis] if len(column) == 1 else np.stack(column) for column in zip(*values)
    ]
    _of_lanes[0] = of_lanes if len(values) > 1 else None


def values_of_lanes() -> Any:
    """The number of the data value of each lane of the path in hand; None where there is one value."""
    return None if _of_lanes[0] is None else _of_lanes[0][tracer.lanes]


def count() -> int:
    """How many data values there are."""
    return len(_tables[0])


def table_of(place: int) -> Tuple[Any, int]:
    """A part in each of the data values, and its form."""
    table = _tables[place]
    return table, ARRAY if table.ndim > 1 else PYTHON


@operation
def datum(place: int) -> PerLane:
    """A part of the data: a number, a text, or an array."""
    table, form = table_of(place)
    of_lanes = values_of_lanes()
    rows = np.broadcast_to(table[:1], (tracer.count, *table.shape[1:])) if of_lanes is None else table[of_lanes]
    return PerLane(rows, form)


@operation
def argument(name: str) -> PerLane:
    """An argument of the function that is a number with a point."""
    return PerLane(np.broadcast_to(np.array([_arguments[name]]), (tracer.count,)))


class LaneArgument:
    """An argument that is a value by lane; a call gives it for the path in hand."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self) -> PerLane:
        """The argument of one path."""
        return argument(self._name)


def by_lane(arguments: Mapping[str, Any], names: Sequence[str]) -> Dict[str, Any]:
    """The arguments, those with these names as values by lane from now on."""
    _arguments.clear()
    _arguments.update({name: arguments[name] for name in names})
    return {name: LaneArgument(name) if name in names else value for name, value in arguments.items()}


def data_by_lane(value: Any) -> Any:
    """The data with values by lane in place of its parts."""
    return datum(0) if isinstance(value, np.ndarray) else _by_lane(value, iter(range(MOST + 1)))


def _by_lane(value: Any, places: Iterator[int]) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)([_by_lane(item, places) for item in value])
    if isinstance(value, dict):
        return {key: _by_lane(item, places) for key, item in value.items()}
    return datum(next(places))
