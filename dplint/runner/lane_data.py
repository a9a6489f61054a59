"""The data of many runs at once: one value for all lanes, or several values, each for as many lanes.

Runs in the user's interpreter.
"""

from __future__ import annotations

# ruff: noqa: B905  (zip has no `strict` in Python 3.9)
from copy import deepcopy
from typing import Any, List, Optional

import numpy as np

from ..tracing.array_calls import wide
from ..tracing.inputs import LaneArgument, data_by_lane, inputs_of, use
from ..tracing.kinds import ARRAY, NotTraced
from ..tracing.lanes import PerLane, tracer

__all__ = ["DataInputs", "LaneArgument", "LaneData"]

_NUMBERS = (bool, int, float)
_WHOLE = 2**62


class LaneData:
    """Data values, each for `runs` lanes; a call gives a fresh one for the path in hand."""

    def __init__(self, values: List[Any], runs: int) -> None:
        self._values = values
        self._runs = runs
        self._tables = None if len(values) == 1 else _tables(values)

    @property
    def count(self) -> int:
        """How many values there are."""
        return len(self._values)

    @property
    def is_possible(self) -> bool:
        """Whether all values can be said in one, by lane."""
        return len(self._values) == 1 or self._tables is not None

    def __call__(self) -> Any:
        """The data of one path."""
        which = tracer.lanes // self._runs
        first = self._values[which[0]]
        if self._tables is None or (which == which[0]).all():
            value = deepcopy(first)
            by_lane = tracer.arrays_by_lane and tracer.began > 1 and type(value) is np.ndarray
            return wide(value) if by_lane else value
        if isinstance(first, np.ndarray):
            array = PerLane(self._tables[0][which], ARRAY)
            array.own = True
            return array
        items = [_item(table, which) for table in self._tables]
        return items[0] if not isinstance(first, (list, tuple)) else type(first)(items)


def _item(table: Any, which: Any) -> Any:
    rows = table[which]
    return rows[0].item() if (rows == rows[0]).all() else PerLane(rows)


def _tables(values: List[Any]) -> Optional[List[Any]]:
    """For each place of a list or tuple what stands there in each of the values; None where they are no numbers."""
    kind = type(values[0])
    if any(type(value) is not kind for value in values):
        return None
    if kind is np.ndarray:
        alike = {(value.shape, value.dtype) for value in values}
        return [np.stack(values)] if len(alike) == 1 and values[0].dtype.kind in "bif" else None
    rows = values if kind in (list, tuple) else [[value] for value in values]
    if len(set(map(len, rows))) > 1 or not rows[0]:
        return None
    tables = []
    for column in zip(*rows):
        if len(set(map(type, column))) > 1 or type(column[0]) not in _NUMBERS:
            return None
        if type(column[0]) is int and max(map(abs, column)) >= _WHOLE:
            return None
        tables.append(np.array(column))
    return tables


class DataInputs(LaneData):
    """Data values of one shape whose parts are values by lane. of_lanes: the number of the value of each lane.

    Raises NotTraced where they are made of anything else.
    """

    def __init__(self, values: List[Any], of_lanes: List[int]) -> None:
        super().__init__(values[:1], 1)
        inputs = [one for one in map(inputs_of, values) if one is not None]
        if len(inputs) < len(values) or len({one.shape for one in inputs}) > 1:
            raise NotTraced("its data are no numbers and texts of one shape")
        use([one.parts for one in inputs], np.array(of_lanes, np.intp))

    def __call__(self) -> Any:
        """The data of one path."""
        return data_by_lane(self._values[0])
