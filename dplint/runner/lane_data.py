"""The data of many runs at once: one value for all lanes, or several values of one shape, each for some lanes.

Runs in the user's interpreter.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Dict, List, Sequence, Tuple

import numpy as np

from ..tracing.array_calls import wide
from ..tracing.inputs import LaneArgument, data_by_lane, inputs_of, use
from ..tracing.kinds import NotTraced
from ..tracing.lanes import tracer

__all__ = ["DataInputs", "LaneArgument", "LaneData", "taken_apart"]


class LaneData:
    """A data value that is the same in all lanes; a call gives a fresh one for the path in hand."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __call__(self) -> Any:
        """The data of one path."""
        value = deepcopy(self._value)
        by_lane = tracer.arrays_by_lane and type(value) is np.ndarray
        return wide(value) if by_lane else value


class DataInputs(LaneData):
    """Data values of one shape whose parts are values by lane. of_lanes: the number of the value of each lane.

    Raises NotTraced where they are made of anything else.
    """

    def __init__(self, values: List[Any], of_lanes: List[int]) -> None:
        super().__init__(values[0])
        inputs = [one for one in map(inputs_of, values) if one is not None]
        if len(inputs) < len(values) or len({one.shape for one in inputs}) > 1:
            raise NotTraced("its data are no numbers and texts of one shape")
        use([one.parts for one in inputs], np.array(of_lanes, np.intp))

    def __call__(self) -> Any:
        """The data of one path."""
        return data_by_lane(self._value)


class _Part(LaneData):
    """What lies under some keys in data of many runs."""

    def __init__(self, whole: LaneData, *keys: Any) -> None:
        super().__init__(whole)
        self._keys = keys

    def __call__(self) -> Any:
        """The part in the data of one path."""
        part = self._value()
        for key in self._keys:
            part = part[key]
        return part


def taken_apart(data: Any, names: Sequence[str]) -> Tuple[Any, Dict[str, Any]]:
    """The data, and what the parameters of these names get that take columns of it apart."""
    if isinstance(data, LaneData):
        return _Part(data, 0), {name: _Part(data, 1, name) for name in names}
    whole, others = data
    return whole, others
