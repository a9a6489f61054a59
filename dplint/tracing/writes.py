"""Writes of items, attributes and arrays by lane, which branches can take back.

Places in arrays that differ by lane, and values as rows that are put there.

Places of arrays and lists: what an index by lane is for the rows of all lanes.
"""

from __future__ import annotations

import operator
from typing import Any, Callable, List, Optional, Tuple

import numpy as np

from .array_calls import called_on_arrays, stacked
from .branches import pick, write
from .each import differs, each
from .lanes import PerLane, tracer
from .operators import OPERATORS, operate
from .paths import ARRAY, NONE, PYTHON, SCALARS, UNKNOWN
from .recording import operation


def one_place(shape: Tuple[int, ...], index: Any) -> Optional[Tuple[Any, ...]]:
    """Where an item of an array of this shape is in its rows, or several along one axis.

    None if it is more, or outside.
    """
    if not isinstance(index, tuple) or len(index) != len(shape) or 0 in shape:
        return None
    several = 0
    for part, length in zip(index, shape):
        if isinstance(part, PerLane):
            places = tracer.rows(part)
            several += part.form == ARRAY
            if several > 1 or places.ndim > 1 + (part.form == ARRAY) or places.dtype.kind != "i":
                return None
            if tracer.decided(((places >= length) | (places < -length)).reshape(tracer.count, -1).any(1)):
                return None
        elif not isinstance(part, (int, np.integer)) or isinstance(part, bool) or not -length <= part < length:
            return None
    lanes: Any = (-1, 1) if several else (-1,)
    parts = [
        (tracer.rows(part) % length).reshape(tracer.count, *lanes[1:] if part.form != ARRAY else [-1])
        if isinstance(part, PerLane)
        else part
        for part, length in zip(index, shape)
    ]
    return (np.arange(tracer.count).reshape(lanes), *parts)


def places_of(shape: Tuple[int, ...], index: Any) -> Optional[Tuple[Any, ...]]:
    """Where an index is in the rows of an array of this shape; None if it is no place of it, and not several."""
    if not isinstance(index, PerLane):
        return one_place(shape, index)
    places = tracer.rows(index)
    if places.dtype.kind != "i" or not shape or 0 in shape or places.ndim > 2 or (places.ndim > 1 and len(shape) > 1):
        return None
    if tracer.decided(((places >= shape[0]) | (places < -shape[0])).reshape(tracer.count, -1).any(1)):
        return None
    places = tracer.rows(index) % shape[0]
    return (np.arange(tracer.count).reshape((-1,) + (1,) * (places.ndim - 1)), places)


def spread(value: Any, dimensions: int) -> Any:
    """A value as rows that broadcast with those of an array."""
    if not isinstance(value, PerLane):
        return value
    rows = numbers(value)
    return rows.reshape(rows.shape[:1] + (1,) * (dimensions - rows.ndim) + rows.shape[1:])


def numbers(value: PerLane) -> Any:
    """The rows for an array, which has one type for all."""
    mixed = value.kinds is not None and (value.kinds == NONE).any()
    return tracer.rows(value) if mixed else tracer.raw(value)


def write_once(owner: PerLane, index: Any, value: Any) -> bool:
    """Write what is the same in all lanes into an array that is, too, and stays so."""
    if owner.base is not None or owner.alias_at is not None or tracer.branches or isinstance(value, PerLane):
        return False
    rows = tracer.rows(owner)
    if rows.strides[0] != 0 or len(rows) < 2:
        return False
    changed = np.array(rows[0])
    changed[index] = value
    owner.rows = np.broadcast_to(changed, rows.shape)
    return True


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


def set_item(owner: Any, index: Any, value: Any) -> None:
    """`owner[index] = value`."""
    if isinstance(owner, PerLane):
        if owner.form != ARRAY:
            raise TypeError(f"{type(tracer.choose(owner)).__name__!r} object does not support item assignment")
        write_rows(owner, index, value)
        return
    # A branch that is walked on both sides can write into arrays by lane alone.
    in_branch = bool(tracer.branches) and not tracer.arrays_by_lane
    if isinstance(owner, np.ndarray) and (differs(value) or differs(index) or (in_branch and owner.dtype != object)):
        raise by_lane_from_now_on()
    if isinstance(index, PerLane):
        if isinstance(owner, list) and _set_at(owner, index, value):
            return
        index = tracer.choose(index)
    elif differs(index):
        index = chosen_index(index)
    if (
        isinstance(owner, (list, dict))
        and not isinstance(index, slice)
        and getattr(type(owner), "__setitem__", None) in _PLAIN
    ):
        write("item", owner, index, value)
    else:
        tracer.impure()
        owner[index] = value


_PLAIN: Tuple[Any, ...] = (list.__setitem__, dict.__setitem__)


def _set_at(owner: List[Any], index: PerLane, value: Any) -> bool:
    """Write an item of a list at a place by lane, if that can be said by lane."""
    if not all(map(is_scalar, owner)) or not is_scalar(value) or not are_places(index, len(owner)):
        return False
    for place in range(len(owner)):
        write("item", owner, place, pick(is_place(index, len(owner), place), value, owner[place]))
    return True


@operation
def are_places(index: PerLane, length: int) -> bool:
    """Whether these are whole numbers. Raises IndexError where they are no places of a list of this length."""
    places = tracer.rows(index)
    if places.dtype.kind not in "ib" or (places.dtype.kind == "b" and index.form != PYTHON):
        return False
    if tracer.decided((places >= length) | (places < -length)):
        raise IndexError("list assignment index out of range")
    return True


@operation
def is_place(index: PerLane, length: int, place: int) -> PerLane:
    """Whether an index of a list of this length is that place."""
    return PerLane(tracer.rows(index) % length == place)


@operation
def write_rows(owner: PerLane, index: Any, value: Any) -> None:
    """Write into an array by lane, through its views."""
    if differs(index):
        if not _write_where(owner, index, value):
            raise as_in_each_lane(operator.setitem, owner, index, value)
        return
    if isinstance(value, (list, tuple)) and differs(value):
        value = stacked(value)
        if value is None:
            raise tracer.singly()
    if write_once(owner, index, value):
        return
    target = _writable(owner)
    full = in_lanes(index)
    rows = value
    if isinstance(value, PerLane):
        rows = numbers(value)
        if rows.dtype == object:
            raise tracer.singly()
    try:
        room = target[full].ndim
        missing = room - rows.ndim if isinstance(value, PerLane) else 0
        if not isinstance(value, PerLane) and np.ndim(value) >= room:
            raise ValueError("more axes than there are below that of the lanes, which it may only seem to fit")
        target[full] = rows.reshape(rows.shape[:1] + (1,) * missing + rows.shape[1:]) if missing > 0 else rows
    except Exception:
        raise as_in_each_lane(operator.setitem, owner, index, value) from None


def as_in_each_lane(function: Callable[..., Any], *args: Any) -> BaseException:
    """Raises what a function that writes into an array raises in single lanes. Where these differ they part, and begin
    again; else they are left out.
    """
    before = tracer.count
    each(lambda array, *others: function(np.array(array), *others), args, {})
    return tracer.again() if tracer.count < before else tracer.singly()


def _write_where(owner: PerLane, index: Any, value: Any) -> bool:
    """`owner[index] = value` where the index differs by lane: a mask, one place, or places along one axis."""
    index = stacked(index) if isinstance(index, list) else index
    value = stacked(value) if isinstance(value, (list, tuple)) else value
    if not isinstance(value, (bool, int, float, np.generic, np.ndarray, PerLane)):
        return False
    if isinstance(value, PerLane) and numbers(value).dtype == object:
        return False
    if getattr(index, "form", None) == ARRAY and tracer.rows(index).dtype == np.bool_:
        return _write_masked(owner, index, value)
    where = places_of(tracer.rows(owner).shape[1:], index)
    if where is None:
        return False
    target = _writable(owner)
    try:
        if not isinstance(value, PerLane) and np.ndim(value) >= target[where].ndim:
            raise ValueError("more axes than there are below that of the lanes")
        target[where] = spread(value, target[where].ndim)
    except ValueError:
        raise as_in_each_lane(operator.setitem, owner, index, value) from None
    return True


def _write_masked(owner: PerLane, index: PerLane, value: Any) -> bool:
    """`owner[mask] = value` of one number."""
    if tracer.rows(index).shape != tracer.rows(owner).shape or not is_scalar(value):
        return False
    target, mask = _writable(owner), tracer.rows(index)
    if isinstance(value, PerLane):
        target[...] = np.where(mask, spread(value, target.ndim), target)
    else:
        target[mask] = value  # raises what NumPy raises
    return True


def _writable(owner: PerLane) -> Any:
    """The rows of an array that may be written: its own, or what its view shows of those of its base."""
    if owner.alias_at is not None:
        if owner.alias_at is UNKNOWN:
            raise tracer.singly()
        tracer.split_at.add(owner.alias_at)
        raise tracer.again()
    if owner.base is not None:
        rows = _writable(owner.base)
        part = owner.view(rows)
        if not np.may_share_memory(part, rows):
            raise tracer.singly()
        return part
    rows = tracer.rows(owner)
    if tracer.branches and tracer.branches[-1].log("rows", owner, None, PerLane(rows, ARRAY)):
        owner.own = False
    if not owner.own:
        owner.rows, owner.own = rows.copy(), True
    return owner.rows


def set_attribute(owner: Any, name: str, value: Any) -> None:
    """`owner.name = value`."""
    kept = getattr(owner, "__dict__", None)
    kind: Any = type(owner)
    plain = kind.__setattr__ is object.__setattr__ and not hasattr(getattr(kind, name, None), "__set__")
    if kept is not None and plain and not isinstance(owner, type) and (name in kept or not tracer.branches):
        write("attribute", owner, name, value)
    else:
        tracer.impure()
        setattr(owner, name, value)


def augmented(name: str, value: Any, other: Any) -> Any:
    """`value op= other`, which changes what can be changed in place."""
    if isinstance(value, PerLane) and value.form == ARRAY:
        return augmented_rows(name, value, other)
    if isinstance(value, np.ndarray) and differs(other):
        raise by_lane_from_now_on()
    if isinstance(value, (list, dict, set, np.ndarray)) or hasattr(value, f"__i{name}__"):
        tracer.impure()
    return (getattr(operator, f"i{name}", None) or OPERATORS[name])(value, other)


@operation
def augmented_rows(name: str, value: PerLane, other: Any) -> Any:
    """The same of an array by lane."""
    try:
        result = operate(name, value, other) if name != "matmul" else called_on_arrays(np.matmul, (value, other), {})
    except TypeError:  # in place it may be one of NumPy's own kinds
        result = NotImplemented
    rows = tracer.rows(value)
    after = tracer.rows(result) if isinstance(result, PerLane) else rows
    if result is NotImplemented or after.shape != rows.shape or not np.can_cast(after.dtype, rows.dtype, "same_kind"):
        raise as_in_each_lane(getattr(operator, f"i{name}"), value, other)
    write_rows(value, Ellipsis, result)
    return value


def by_lane_from_now_on() -> BaseException:
    """An array that is the same in all lanes is given noise: all begin again, with arrays by lane from the start."""
    if tracer.arrays_by_lane:
        return tracer.singly()
    tracer.arrays_by_lane = True
    return tracer.again()
