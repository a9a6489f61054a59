"""NumPy's functions on lanes, where one operation on all lanes gives what each lane would have; else None."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.functions import Known, holds, number
from dplint.readings.lanes.lane_values import (
    FITS,
    NP_TAGS,
    Array,
    Arrays,
    Lists,
    Numbers,
    Ragged,
    Tag,
    Uniform,
    Value,
    blend,
)
from dplint.readings.lanes.merging import LaneMerger, as_lists, largest, plain
from dplint.readings.lanes.spaces import Mask

HELD = (np.float64, np.int64, np.bool_)
"""Types of elements that are kept as they are."""
_DTYPES = {"float": np.float64, "int": np.int64, "bool": np.bool_}


def as_array(merger: LaneMerger, value: Value, active: Mask) -> Arrays | None:
    """What `np.asarray` makes of a list, tuple or array; None if it is something else, or not of one shape."""
    space = active.space
    value = merger.at(value, space)
    if isinstance(value, Arrays):
        return value
    if isinstance(value, Uniform):
        if not isinstance(value.value, list | tuple | np.ndarray):
            return None
        one = np.asarray(value.value)
        if one.dtype not in HELD or not 1 <= one.ndim <= 2:
            return None
        return Arrays(space, np.repeat(one[..., np.newaxis], space.size, axis=-1))
    if not isinstance(value, Lists) or value.lengths is not None or not value.items:
        return None
    rows = _rows(merger, value.items, active)
    return None if rows is None else Arrays(space, np.stack(rows))


def _rows(merger: LaneMerger, items: Sequence[Value], active: Mask) -> list[Array] | None:
    """The elements of a new array, all as data of one dtype."""
    if any(isinstance(merger.at(item, active.space), Lists | Arrays) for item in items):
        inner = [as_array(merger, item, active) for item in items]
        if any(one is None or len(one.shape) != 1 for one in inner):
            return None
        tables = [one.data for one in inner if one is not None]
        return tables if len({(t.shape, t.dtype) for t in tables}) == 1 else None
    numbers = [number(merger, item, active) for item in items]
    found = [one for one in numbers if one is not None]
    if len(found) < len(items):
        return None
    dtype = np.result_type(*(np.asarray(one.data).dtype for one in found))
    if dtype not in HELD:
        return None
    full = [np.broadcast_to(one.data, (active.space.size,)) for one in found]
    return [row.astype(dtype, copy=False) for row in full]


def vector(merger: LaneMerger, value: Value, active: Mask) -> list[Array] | None:
    """The elements of a one-dimensional array or a list, as data of one dtype, without stacking them."""
    value = merger.at(value, active.space)
    if isinstance(value, Arrays):
        return list(value.data) if len(value.shape) == 1 and value.shape[0] else None
    lists = as_lists(value, active.space)
    if lists is None or lists.lengths is not None or not lists.items:
        return None
    rows = _rows(merger, lists.items, active)
    return rows if rows is not None and rows[0].ndim == 1 else None


def wrapped(data: Array, active: Mask) -> Value | None:
    """An array operation's result: a NumPy scalar in each lane, or an array in each."""
    if data.dtype not in HELD:
        return None
    if data.ndim == 1:
        return Numbers(active.space, data, NP_TAGS[data.dtype.kind])
    return Arrays(active.space, data)


def result_of(data: Array, active: Mask) -> Result | None:
    """The same as a result; None for a type that lanes do not hold."""
    value = wrapped(data, active)
    return None if value is None else Result(value)


def _make(merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask) -> Result | None:
    array = as_array(merger, arguments[0], active) if len(arguments) == 1 else None
    dtype = keywords.get("dtype", Uniform(None))
    if array is None or set(keywords) - {"dtype"} or not isinstance(dtype, Uniform):
        return None
    if dtype.value is None:
        return Result(array)
    wanted = _DTYPES.get(dtype.value)
    if wanted is None or (array.data.dtype == np.float64 and wanted is np.int64):
        return None
    return Result(Arrays(active.space, array.data.astype(wanted)))


def _elementwise(function: Callable[[Any], Any]) -> Known:
    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        if len(arguments) != 1 or keywords:
            return None
        value = merger.at(arguments[0], active.space)
        array = as_array(merger, value, active) if isinstance(value, Lists | Arrays) else None
        one = number(merger, value, active) if array is None else None
        if array is None and one is None:
            return None
        data = np.asarray(array.data if array is not None else one.data)  # type: ignore[union-attr]
        return result_of(np.asarray(function(data)), active)

    return call


def _pairs(function: Callable[[Any, Any], Any]) -> Known:
    """A function of two numbers, element by element."""

    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        sides = sides_of(merger, arguments, active) if len(arguments) == 2 and not keywords else None
        return None if sides is None else result_of(np.asarray(function(*sides)), active)

    return call


def sides_of(merger: LaneMerger, arguments: Sequence[Value], active: Mask) -> list[Any] | None:
    """Operands of an elementwise function, which broadcast from the right, before the lanes."""
    found: list[Any] = []
    for argument in arguments:
        value = merger.at(argument, active.space)
        one = plain(value)
        if one is not None:
            found.append(one[0])
            continue
        array = as_array(merger, value, active)
        if array is None:
            return None
        found.append(array.data)
    if not any(isinstance(one, np.ndarray) for one in found):
        return None
    try:
        np.broadcast_shapes(*(np.shape(one)[:-1] for one in found))
    except ValueError:
        return None
    return found


def _clip(merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask) -> Result | None:
    """Between bounds, of which one may be missing; they may also be named as since NumPy 2.1."""
    named = dict(zip(_BOUNDS, arguments[1:], strict=False))
    for names in (_BOUNDS, ("a_min", "a_max")):
        named |= {bound: keywords[name] for bound, name in zip(_BOUNDS, names, strict=True) if name in keywords}
    if len(named) != len(arguments) - 1 + len(keywords):
        return None
    given = {name: one for name, one in named.items() if not (isinstance(one, Uniform) and one.value is None)}
    sides = sides_of(merger, [arguments[0], *given.values()], active) if given else None
    if sides is None:
        return None
    bounds = dict(zip(given, sides[1:], strict=True))
    found = sides[0]
    # As NumPy does it: the upper bound wins.
    for name, clipped in zip(_BOUNDS, (np.maximum, np.minimum), strict=True):
        found = clipped(found, bounds[name]) if name in bounds else found
    return result_of(np.asarray(found), active)


_BOUNDS = ("min", "max")


def _round(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    """Of floats, to digits that are the same in all lanes; of a list NumPy makes an array."""
    digits = arguments[1] if len(arguments) == 2 else keywords.get("decimals", Uniform(0))
    if not 1 <= len(arguments) <= 2 or len(keywords) > 2 - len(arguments) or set(keywords) - {"decimals"}:
        return None
    value = merger.at(arguments[0], active.space)
    array = as_array(merger, value, active) if isinstance(value, Lists | Arrays) else None
    if array is None or not isinstance(digits, Uniform) or type(digits.value) is not int:
        return None
    if array.data.dtype != np.float64:
        return None
    return result_of(np.round(array.data, digits.value), active)


def _where(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    if len(arguments) != 3 or keywords:
        return None
    values = [merger.at(argument, active.space) for argument in arguments]
    # Of scalars alone, NumPy makes an array without dimensions, which is no value here.
    if not any(isinstance(value, Arrays | Lists) for value in values):
        return None
    sides = sides_of(merger, values, active)
    if sides is None or np.asarray(sides[0]).dtype != np.bool_:
        return None
    condition, new, old = sides
    dtype = np.result_type(new, old)
    if dtype not in HELD:
        return None
    return result_of(blend(np.asarray(condition), np.asarray(new, dtype), np.asarray(old, dtype)), active)


def _accumulated(function: np.ufunc) -> Known:
    """Of vectors: what the function has made of the elements up to each one."""

    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        array = as_array(merger, arguments[0], active) if len(arguments) == 1 and not keywords else None
        if array is None or len(array.shape) != 1:
            return None
        return result_of(function.accumulate(array.data, axis=0), active)

    return call


def _diff(merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask) -> Result | None:
    array = as_array(merger, arguments[0], active) if len(arguments) == 1 and not keywords else None
    if array is None or len(array.shape) != 1 or array.data.dtype == np.bool_:
        return None
    return result_of(array.data[1:] - array.data[:-1], active)


def _concatenate(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    lists = as_lists(merger.at(arguments[0], active.space), active.space) if len(arguments) == 1 else None
    if lists is None or lists.lengths is not None or keywords:
        return None
    parts = [as_array(merger, item, active) for item in lists.items]
    found = [part.data for part in parts if part is not None]
    if len(found) < len(parts) or not found or len({part.ndim for part in found}) > 1:
        return None
    if len({part.shape[1:] for part in found}) > 1:
        return None
    return result_of(np.concatenate(found), active)


def _scalar(tag: Tag) -> Known:
    """`np.float64(x)` and `np.int64(x)` of numbers that they hold exactly."""

    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        one = number(merger, arguments[0], active) if len(arguments) == 1 and not keywords else None
        if one is None or (tag is Tag.NP_INT and np.asarray(one.data).dtype.kind == "f"):
            return None
        return Result(Numbers(active.space, one.data.astype(np.int64 if tag is Tag.NP_INT else np.float64), tag))

    return call


def tolist(
    merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    """`ndarray.tolist`; an array of several dimensions becomes a list of lists."""
    value = merger.at(arguments[0], active.space)
    if not isinstance(value, Arrays | Ragged) or value.data.size > _MOST_LISTED * active.space.size:
        return None
    tag, bound = {Tag.NP_BOOL: Tag.BOOL, Tag.NP_INT: Tag.INT, Tag.NP_FLOAT: Tag.FLOAT}[value.tag], 1
    if tag is Tag.INT:
        bound = largest(value.data)
        if bound > FITS:
            return None

    def listed(data: Array) -> Value:
        if data.ndim == 1:
            return Numbers(active.space, data, tag, bound)
        return Lists(active.space, tuple(map(listed, data)), None, False)

    counts = value.counts if isinstance(value, Ragged) else None
    return Result(Lists(active.space, tuple(map(listed, value.data)), counts, False))


_MOST_LISTED = 256
"""Elements of an array of which lists are made by arrays."""


def _astype(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    """`ndarray.astype`, of a type that a program names."""
    value = merger.at(arguments[0], active.space)
    if not isinstance(value, Arrays) or len(arguments) != 2 or keywords or not isinstance(arguments[1], Uniform):
        return None
    wanted = _DTYPES.get(arguments[1].value)
    if wanted is None:
        return None
    if wanted is np.int64 and value.data.dtype == np.float64:
        # What NumPy makes of other floats is the machine's own affair.
        fits = np.abs(value.data) < FITS
        if not holds(fits.all(axis=tuple(range(fits.ndim - 1))), active.bits):
            return None
        data = value.data if fits.all() else np.where(fits, value.data, 0.0)
        return Result(Arrays(active.space, data.astype(np.int64)))
    return Result(Arrays(active.space, value.data.astype(wanted)))


_ELEMENTWISE = [
    "abs",
    "absolute",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log10",
    "log1p",
    "log2",
    "sqrt",
    "square",
    "floor",
    "ceil",
    "sign",
    "isnan",
    "isinf",
    "isfinite",
]


def _attribute(name: str) -> Known:
    """What all arrays of one shape have in common."""

    def call(
        merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        value = merger.at(arguments[0], active.space)
        if not isinstance(value, Arrays):
            return None
        known = {"shape": value.shape, "ndim": len(value.shape), "size": math.prod(value.shape)}
        return Result(Uniform(known[name]))

    return call


KNOWN: Mapping[str, Known] = {
    **{f"attribute.{name}": _attribute(name) for name in ("shape", "ndim", "size")},
    **{f"numpy.{name}": _elementwise(getattr(np, name)) for name in _ELEMENTWISE},
    "numpy.asarray": _make,
    "numpy.array": _make,
    "numpy.maximum": _pairs(np.maximum),
    "numpy.minimum": _pairs(np.minimum),
    "numpy.clip": _clip,
    "numpy.round": _round,
    "numpy.around": _round,
    "numpy.where": _where,
    "numpy.add.accumulate": _accumulated(np.add),
    "numpy.cumsum": _accumulated(np.add),
    "numpy.maximum.accumulate": _accumulated(np.maximum),
    "numpy.minimum.accumulate": _accumulated(np.minimum),
    "numpy.diff": _diff,
    "numpy.concatenate": _concatenate,
    "numpy.float64": _scalar(Tag.NP_FLOAT),
    "numpy.int64": _scalar(Tag.NP_INT),
}
"""By name of the function."""

METHODS: Mapping[str, Known] = {
    "cumsum": _accumulated(np.add),
    "clip": _clip,
    "round": _round,
    "astype": _astype,
    "tolist": tolist,
}
"""Methods of arrays, with the receiver as the first argument."""
