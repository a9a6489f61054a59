"""NumPy's changes of shape on lanes, and outer products; None where NumPy alone knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.arrays import as_array, result_of
from dplint.readings.lanes.functions import Known
from dplint.readings.lanes.lane_values import Arrays, Uniform, Value
from dplint.readings.lanes.merging import LaneMerger, is_of_data
from dplint.readings.lanes.spaces import Mask

_MOST_DIMENSIONS = 2


def _reshape(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    """To a shape that is the same in all lanes; a wrong one NumPy refuses with ValueError or TypeError."""
    value, *shape = (merger.at(argument, active.space) for argument in arguments)
    given = [one.value for one in shape if isinstance(one, Uniform)]
    if not isinstance(value, Arrays) or keywords or not given or len(given) < len(shape):
        return None
    new = np.empty(value.shape, np.bool_).reshape(*given).shape
    if not 1 <= len(new) <= _MOST_DIMENSIONS:
        return None
    return result_of(value.data.reshape(*new, active.space.size), active)


def _flat(merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask) -> Result | None:
    return _reshape(merger, [*arguments, Uniform(-1)], keywords, active) if len(arguments) == 1 else None


def _outer(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    """Of two arrays of one dimension, or lists."""
    sides = [as_array(merger, argument, active) for argument in arguments]
    found = [one.data for one in sides if one is not None and len(one.shape) == 1]
    if len(found) != len(arguments) or len(found) != 2 or keywords or is_of_data(*arguments):
        return None
    return result_of(found[0][:, np.newaxis] * found[1], active)


METHODS: Mapping[str, Known] = {"reshape": _reshape, "ravel": _flat, "flatten": _flat}
"""Methods of arrays, with the receiver as the first argument."""
KNOWN: Mapping[str, Known] = {"numpy.outer": _outer, "numpy.reshape": _reshape, "numpy.ravel": _flat}
"""By name of the function."""
