"""Middles and other quantiles on lanes, of lists and arrays of one length; None where only Python or NumPy know how."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dplint.readings.lanes.arithmetic import Result, binary
from dplint.readings.lanes.arrays import as_array, wrapped
from dplint.readings.lanes.functions import Known
from dplint.readings.lanes.lane_values import Array, Arrays, Lists, Uniform, Value
from dplint.readings.lanes.merging import LaneMerger
from dplint.readings.lanes.sorting import KNOWN as ORDERS
from dplint.readings.lanes.spaces import Mask


def _vectors(merger: LaneMerger, value: Value, active: Mask) -> Array | None:
    """The elements of arrays of numbers in one dimension, shape (elements, lanes)."""
    array = as_array(merger, value, active)
    if array is None or len(array.shape) != 1 or not array.shape[0] or array.data.dtype == np.bool_:
        return None
    return array.data


def _quantile(function: Callable[..., Any]) -> Known:
    """`np.quantile` and `np.percentile` at places which are the same in all lanes."""

    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        data = _vectors(merger, arguments[0], active) if len(arguments) == 2 and not keywords else None
        place = arguments[1] if len(arguments) == 2 else None
        if data is None or not isinstance(place, Uniform) or not _are_places(place.value):
            return None
        try:
            found = wrapped(function(data, place.value, axis=0), active)
        except ValueError:
            return None
        return None if found is None else Result(found)

    return call


def _are_places(value: Any) -> bool:
    if isinstance(value, list | tuple | np.ndarray):
        return np.ndim(value) == 1 and len(value) > 0 and all(isinstance(one, int | float) for one in value)
    return type(value) in (int, float)


def _numpy_median(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    data = _vectors(merger, arguments[0], active) if len(arguments) == 1 and not keywords else None
    found = None if data is None else wrapped(np.median(data, axis=0), active)
    return None if found is None else Result(found)


def _median(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    """`statistics.median`: the middle one of them in order, or half the sum of two."""
    if len(arguments) != 1 or keywords or isinstance(merger.at(arguments[0], active.space), Arrays):
        return None
    ordered = ORDERS["sorted"](merger, arguments, {}, active)
    if ordered is None or not isinstance(ordered.value, Lists) or ordered.value.lengths is not None:
        return None
    items = ordered.value.items
    middle = len(items) // 2
    if len(items) % 2:
        return Result(items[middle])
    total = binary(merger, "+", items[middle - 1], items[middle], active)
    if total is None or total.failed is not None:
        return None
    return binary(merger, "/", total.value, Uniform(2), active)


KNOWN: Mapping[str, Known] = {
    "numpy.quantile": _quantile(np.quantile),
    "numpy.percentile": _quantile(np.percentile),
    "numpy.median": _numpy_median,
    "statistics.median": _median,
}
"""By name of the function."""
