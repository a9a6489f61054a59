"""NumPy's sorting and selecting on lanes, and what gives arrays of several lengths; None where only NumPy knows how."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.arrays import HELD, as_array, sides_of, wrapped
from dplint.readings.lanes.arrays import KNOWN as ELEMENTWISE
from dplint.readings.lanes.functions import Known, holds, number
from dplint.readings.lanes.lane_values import Array, Arrays, Lists, Ragged, Uniform, Value, blend
from dplint.readings.lanes.merging import LaneMerger, as_lists
from dplint.readings.lanes.orders import distinct, in_order, stable_order
from dplint.readings.lanes.places import everywhere, kept, where_not
from dplint.readings.lanes.spaces import Mask


def _sort(merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask) -> Result | None:
    array = as_array(merger, arguments[0], active) if len(arguments) == 1 and not keywords else None
    if array is None or len(array.shape) != 1:
        return None
    return Result(Arrays(active.space, in_order(array.data)))


def _argsort(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    array = as_array(merger, arguments[0], active) if len(arguments) == 1 else None
    kind = keywords.get("kind", Uniform(None))
    if array is None or len(array.shape) != 1 or set(keywords) - {"kind"} or not isinstance(kind, Uniform):
        return None
    # Without a word, the order of equal elements is NumPy's own affair.
    known = np.ones(active.space.size, np.bool_) if kind.value == "stable" else distinct(array.data)
    if array.data.dtype == np.float64:
        known &= ~np.isnan(array.data).any(axis=0)
    return Result(Arrays(active.space, stable_order(array.data)), where_not(known, active))


def _partition(function: Callable[..., Any]) -> Known:
    """`np.partition` and `np.argpartition`: the order within parts is NumPy's own affair, so it is asked."""

    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        kth = arguments[1] if len(arguments) == 2 else keywords.get("kth")
        array = as_array(merger, arguments[0], active) if 1 <= len(arguments) <= 2 else None
        if array is None or len(array.shape) != 1 or len(arguments) + len(keywords) != 2:
            return None
        if not isinstance(kth, Uniform) or not isinstance(kth.value, int | list | tuple):
            return None
        try:
            return Result(Arrays(active.space, function(array.data, kth.value, axis=0)))
        except ValueError:  # a position that no array of this length has
            return Result(Uniform(None), everywhere(active), alike=True)

    return call


def _searchsorted(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    side = keywords.get("side", Uniform("left"))
    if len(arguments) != 2 or set(keywords) - {"side"} or not isinstance(side, Uniform):
        return None
    edges = arguments[0]
    if not isinstance(edges, Uniform):
        places = _among(merger, edges, arguments[1], active, side.value)
    else:
        table, found = np.asarray(edges.value), sides_of(merger, arguments[1:], active)
        if found is None or table.ndim != 1 or table.dtype not in HELD:
            return None
        places = np.asarray(np.searchsorted(table, found[0], side=side.value))
    value = None if places is None else wrapped(places.astype(np.int64, copy=False), active)
    return None if value is None else Result(value)


def _among(merger: LaneMerger, edges: Value, sought: Value, active: Mask, side: Any) -> Array | None:
    """Where a number belongs in the array of each lane; None where that is not in order, and for NaN."""
    table, one = as_array(merger, edges, active), number(merger, sought, active)
    if table is None or len(table.shape) != 1 or one is None or side not in ("left", "right"):
        return None
    numbers = np.asarray(one.data)
    rows = table.data
    if numbers.dtype not in HELD:
        return None
    # Comparisons with NaN are false, so that there is no order with it but for a single one.
    known = ~np.isnan(numbers) & ~np.isnan(rows[:1]).any(axis=0)
    if not holds((rows[1:] >= rows[:-1]).all(axis=0) & known, active.bits):
        return None
    found: Array = np.zeros(active.space.size, np.int64)
    for row in rows:
        found += row < numbers if side == "left" else row <= numbers
    return found


def _places(merger: LaneMerger, argument: Value, active: Mask) -> Arrays | Ragged | None:
    """Where an array of one dimension is true."""
    array = as_array(merger, argument, active)
    if array is None or len(array.shape) != 1:
        return None
    where = Arrays(active.space, array.data.astype(np.bool_))
    return kept(np.broadcast_to(np.arange(len(array.data))[:, np.newaxis], array.data.shape), where)


def _flatnonzero(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    found = _places(merger, arguments[0], active) if len(arguments) == 1 and not keywords else None
    return None if found is None else Result(found)


def _nonzero(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    found = _places(merger, arguments[0], active) if len(arguments) == 1 and not keywords else None
    return None if found is None else Result(Lists(active.space, (found,), None, tuples=True))


def _where(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    """With one argument it is `np.nonzero`."""
    function = _nonzero if len(arguments) == 1 else ELEMENTWISE["numpy.where"]
    return function(merger, arguments, keywords, active)


def _select(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    """`np.select`: of each element the choice of the first condition that holds."""
    given = dict(zip(("condlist", "choicelist", "default"), arguments, strict=False)) | dict(keywords)
    lists = [as_lists(merger.at(given[name], active.space), active.space) for name in ("condlist", "choicelist")]
    found = [one.items for one in lists if one is not None and one.lengths is None]
    if len(found) < 2 or not found[0] or len(found[0]) != len(found[1]):
        return None
    sides = sides_of(merger, [*found[0], *found[1], given.get("default", Uniform(0))], active)
    conditions, choices = ([], []) if sides is None else (sides[: len(found[0])], sides[len(found[0]) :])
    # Of scalars alone, NumPy makes an array without dimensions, which is no value here.
    if not conditions or any(np.asarray(one).dtype != np.bool_ or np.ndim(one) < 2 for one in conditions):
        return None
    dtype = np.result_type(*choices)
    if dtype not in HELD:
        return None
    result = np.asarray(choices.pop(), dtype)
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        result = blend(condition, np.asarray(choice, dtype), result)
    value = wrapped(result, active)
    return None if value is None else Result(value)


KNOWN: Mapping[str, Known] = {
    "numpy.sort": _sort,
    "numpy.argsort": _argsort,
    "numpy.argpartition": _partition(np.argpartition),
    "numpy.partition": _partition(np.partition),
    "numpy.searchsorted": _searchsorted,
    "numpy.flatnonzero": _flatnonzero,
    "numpy.nonzero": _nonzero,
    "numpy.where": _where,
    "numpy.select": _select,
}
"""By name of the function."""

METHODS: Mapping[str, Known] = {
    "argsort": _argsort,
    "argpartition": _partition(np.argpartition),
    "nonzero": _nonzero,
    "searchsorted": _searchsorted,
}
"""Methods of arrays, with the receiver as the first argument."""
