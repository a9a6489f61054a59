"""NumPy's functions that make one number of an array on lanes, or of a row or column; None where NumPy alone knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.arrays import as_array, result_of, vector
from dplint.readings.lanes.functions import Known
from dplint.readings.lanes.lane_values import Array, Numbers, Tag, Uniform, Value
from dplint.readings.lanes.merging import LaneMerger, is_of_data
from dplint.readings.lanes.orders import MINUS_ZERO
from dplint.readings.lanes.places import met
from dplint.readings.lanes.spaces import Mask
from dplint.readings.lanes.sums import first_extreme, pairwise_sum

Reduction: TypeAlias = Callable[[list[Array]], Array]
_TWO = 2
"""Dimensions of a table."""


def _position(*, largest: bool) -> Known:
    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        rows = vector(merger, arguments[0], active) if len(arguments) == 1 and not keywords else None
        if rows is None or rows[0].dtype == np.bool_:
            return None
        where, best = first_extreme(rows, largest=largest)
        failed = met(active.bits, np.isnan(best)) if best.dtype == np.float64 else None
        return Result(Numbers(active.space, where, Tag.NP_INT), failed if np.any(failed) else None)

    return call


def _reduction(function: Reduction, *, in_turn: Reduction | None = None) -> Known:
    """A function that makes one number of an array, or one of all numbers along an axis of a table.

    in_turn: what it is along the first axis of a table, where NumPy takes whole rows one after the other.
    """

    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        axis = arguments[1] if len(arguments) == 2 else keywords.get("axis", Uniform(None))
        if not 1 <= len(arguments) + len(keywords) <= 2 or set(keywords) - {"axis"} or not isinstance(axis, Uniform):
            return None
        if axis.value is not None and (type(axis.value) is not int or not -_TWO <= axis.value < _TWO):
            return None
        rows = vector(merger, arguments[0], active) if axis.value in (None, 0, -1) else None
        if rows is not None:
            return result_of(function(rows), active)
        table = None if is_of_data(arguments[0]) else as_array(merger, arguments[0], active)
        if table is None or len(table.shape) != _TWO or not _is_plain(table.data):
            return None
        if axis.value is None:
            return result_of(function(list(table.data.reshape(-1, active.space.size))), active)
        first = axis.value in (0, -_TWO) and table.shape[1] > 1
        along = list(np.moveaxis(table.data, axis.value % _TWO, 0))
        return result_of((in_turn if first and in_turn else function)(along), active)

    return call


def _is_plain(data: Array) -> bool:
    """Whether there are elements, and no -0.0, of which neither the order of a sum nor what is largest is told."""
    return bool(data.size) and not (data.dtype == np.float64 and (data.view(np.int64) == MINUS_ZERO).any())


def _chain(function: Callable[[Any, Any], Any]) -> Reduction:
    def reduce(rows: list[Array]) -> Array:
        found = rows[0]
        for row in rows[1:]:
            found = function(found, row)
        return found

    return reduce


def _of_truths(function: Callable[[Any, Any], Any]) -> Reduction:
    """The same for what gives a truth value, also of one row alone."""
    chain = _chain(function)
    return lambda rows: chain([row.astype(np.bool_, copy=False) for row in rows])


def _sum(rows: list[Array]) -> Array:
    return np.asarray(pairwise_sum(rows)) if rows[0].dtype == np.float64 else _sum_in_turn(rows)


def _sum_in_turn(rows: list[Array]) -> Array:
    return _chain(np.add)([row if row.dtype == np.float64 else row.astype(np.int64) for row in rows])


def _mean(rows: list[Array]) -> Array:
    floats = [row.astype(np.float64, copy=False) for row in rows]
    return np.asarray(_sum(floats) / len(rows))


def _mean_in_turn(rows: list[Array]) -> Array:
    return np.asarray(_sum_in_turn([row.astype(np.float64, copy=False) for row in rows]) / len(rows))


METHODS: Mapping[str, Known] = {
    "sum": _reduction(_sum, in_turn=_sum_in_turn),
    "mean": _reduction(_mean, in_turn=_mean_in_turn),
    "max": _reduction(_chain(np.maximum)),
    "min": _reduction(_chain(np.minimum)),
    "any": _reduction(_of_truths(np.logical_or)),
    "all": _reduction(_of_truths(np.logical_and)),
    "argmax": _position(largest=True),
    "argmin": _position(largest=False),
}
"""Methods of arrays, with the receiver as the first argument."""
KNOWN: Mapping[str, Known] = {f"numpy.{name}": known for name, known in METHODS.items()}
"""By name of the function."""
