"""Items and attributes of values by lane, and those of ordinary objects at places that differ by lane."""

from __future__ import annotations

import collections
import operator
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from .array_calls import called_on_arrays, stacked
from .branches import pick, write
from .each import differs, each
from .lanes import ARRAY, NUMPY, PYTHON, SCALARS, UNKNOWN, PerLane, objects, tracer
from .operators import by_lane_from_now_on

_NUMBERS = (bool, int, float)


def is_scalar(value: Any) -> bool:
    """Whether it is one scalar in each lane."""
    return value.form != ARRAY if isinstance(value, PerLane) else isinstance(value, SCALARS)


def get_item(owner: Any, index: Any) -> Any:
    """`owner[index]`."""
    if isinstance(owner, PerLane):
        return _of_array(owner, index) if owner.form == ARRAY else each(operator.getitem, (owner, index), {})
    if differs(index):
        if isinstance(index, PerLane) and isinstance(owner, (list, tuple)):
            return _at(owner, index)
        if isinstance(owner, np.ndarray):
            return _of_same_array(owner, index)
        if (
            type(owner) is dict
            and isinstance(index, PerLane)
            and all(type(one) in (*_NUMBERS, str) for one in owner.values())
        ):
            return each(operator.getitem, (owner, index), {})
        index = _chosen(index)
    if tracer.branches and isinstance(owner, collections.defaultdict) and index not in owner:
        tracer.impure()
    return owner[index]


def _chosen(index: Any) -> Any:
    """An index that is the same in all lanes, after splits."""
    if isinstance(index, PerLane):
        return tracer.choose(index)
    if isinstance(index, slice):
        return slice(*[_chosen(part) for part in (index.start, index.stop, index.step)])
    if isinstance(index, tuple):
        return tuple(map(_chosen, index))
    return index


def _is_basic(index: Any) -> bool:
    if isinstance(index, tuple):
        return all(_is_basic(part) and not isinstance(part, tuple) for part in index)
    return (
        index is None
        or index is Ellipsis
        or (isinstance(index, (slice, int, np.integer)) and not isinstance(index, bool))
    )


def _in_lanes(index: Any) -> Any:
    """The index of all rows, with the axis of lanes in front."""
    return (slice(None), *index) if isinstance(index, tuple) else (slice(None), index)


def _of_array(owner: PerLane, index: Any) -> Any:
    if isinstance(index, (list, tuple)) and differs(index) and not isinstance(index, tuple):
        index = stacked(index)
        if index is None:
            raise tracer.singly()
    if differs(index):
        if isinstance(index, PerLane):
            found = _gathered_from(owner, index)
            if found is not None:
                return found
        return each(operator.getitem, (owner, index), {})
    full = _in_lanes(np.asarray(index) if isinstance(index, list) else index)
    try:
        rows = tracer.rows(owner)[full]
    except Exception:
        return each(operator.getitem, (owner, index), {})
    if rows.ndim == 1:
        return PerLane(rows.copy(), NUMPY)
    return view_of(owner, lambda rows: rows[full]) if _is_basic(index) else PerLane(rows, ARRAY)


def view_of(owner: PerLane, view: Callable[[Any], Any]) -> PerLane:
    """An array that shares its items with another. view: its rows, of those of the other."""
    rows = tracer.rows(owner)
    result = PerLane(view(rows), ARRAY)
    if np.may_share_memory(result.rows, rows):
        result.base, result.view = owner, view
    return result


def _gathered_from(owner: PerLane, index: PerLane) -> Any:
    """Items of an array of one dimension at places by lane."""
    rows, places = tracer.rows(owner), tracer.rows(index)
    if places.dtype.kind not in "iu" or rows.ndim != 2 or places.ndim > 2:
        return None
    length = rows.shape[1]
    outside = ((places >= length) | (places < -length)).reshape(tracer.count, -1).any(1)
    if tracer.decided(outside) or length == 0:
        return None
    rows, places = tracer.rows(owner), tracer.rows(index)
    found = np.take_along_axis(rows, places.reshape(tracer.count, -1) % length, 1)
    return PerLane(found, ARRAY) if index.form == ARRAY else PerLane(found[:, 0], NUMPY)


def _of_same_array(owner: Any, index: Any) -> Any:
    if owner.ndim > 1 and not (isinstance(index, PerLane) and index.form == ARRAY) and not isinstance(index, tuple):
        return owner[_chosen(index)]  # a part of the array itself, which may be written later
    if isinstance(index, PerLane) and tracer.rows(index).dtype.kind == "i":
        places = tracer.rows(index)
        outside = ((places >= len(owner)) | (places < -len(owner))).reshape(tracer.count, -1).any(1)
        if not tracer.decided(outside) and len(owner):
            found = owner[np.clip(tracer.rows(index), -len(owner), len(owner) - 1)]
            return PerLane(found, ARRAY if found.ndim > 1 else NUMPY)
    return each(operator.getitem, (owner, index), {})


def _at(owner: Any, index: PerLane) -> Any:
    """An item of a list or tuple at a place by lane."""
    length = len(owner)
    places = tracer.rows(index)
    if places.dtype.kind not in "ib" or (places.dtype.kind == "b" and index.form != PYTHON):
        return owner[tracer.choose(index)]
    if tracer.decided((places >= length) | (places < -length)):
        raise IndexError(f"{type(owner).__name__} index out of range")
    places = tracer.rows(index).astype(np.int64)
    places = np.where(places < 0, places + length, places)
    places = np.clip(places, 0, length - 1)
    column = column_of(owner)
    if column is None:
        return owner[int(tracer.choose(index))]
    if column.ndim == 1:
        return PerLane(column[places])
    rows = np.take_along_axis(column, places[:, None], 1)[:, 0]
    return PerLane(rows, NUMPY if isinstance(owner[0], PerLane) and owner[0].form == NUMPY else PYTHON)


def column_of(items: Any) -> Optional[Any]:
    """Scalars of one type as an array, with the axis of lanes in front if any is by lane; None if they are not such."""
    kinds = {type(item) for item in items}
    if PerLane not in kinds:
        if len(kinds) == 1 and kinds <= {bool, int, float}:
            array = np.asarray(items)
            return None if array.dtype == object else array
        return objects(items) if kinds <= {bool, int, float, str, type(None)} else None
    forms = {
        item.form if isinstance(item, PerLane) else NUMPY if isinstance(item, np.generic) else PYTHON for item in items
    }
    if len(forms) > 1 or ARRAY in forms:
        return None
    if any(item.kinds is not None for item in items if isinstance(item, PerLane)):
        return None
    if not all(isinstance(item, (PerLane, bool, int, float, np.generic)) for item in items):
        return None
    columns = [tracer.rows(item) if isinstance(item, PerLane) else np.asarray(item) for item in items]
    if len({column.dtype for column in columns}) > 1 or columns[0].dtype.kind not in "bif":
        return None
    return np.stack([np.broadcast_to(column, (tracer.count,)) for column in columns], 1)


def set_item(owner: Any, index: Any, value: Any) -> None:
    """`owner[index] = value`."""
    if isinstance(owner, PerLane):
        if owner.form != ARRAY:
            raise TypeError(f"{type(tracer.choose(owner)).__name__!r} object does not support item assignment")
        write_rows(owner, index, value)
        return
    if isinstance(owner, np.ndarray) and (differs(value) or differs(index)):
        raise by_lane_from_now_on()
    if isinstance(index, PerLane):
        if isinstance(owner, list) and _set_at(owner, index, value):
            return
        index = tracer.choose(index)
    elif differs(index):
        index = _chosen(index)
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
    places, length = tracer.rows(index), len(owner)
    if places.dtype.kind not in "ib" or (places.dtype.kind == "b" and index.form != PYTHON):
        return False
    if tracer.decided((places >= length) | (places < -length)):
        raise IndexError("list assignment index out of range")
    if not all(map(is_scalar, owner)) or not is_scalar(value):
        return False
    for place in range(length):
        where = PerLane(tracer.rows(index) % length == place)
        write("item", owner, place, pick(where, value, owner[place]))
    return True


def write_rows(owner: PerLane, index: Any, value: Any) -> None:
    """Write into an array by lane, through its views."""
    if differs(index):
        if not (isinstance(index, PerLane) and _write_where(owner, index, value)):
            raise tracer.singly()
        return
    if isinstance(value, (list, tuple)) and differs(value):
        value = stacked(value)
        if value is None:
            raise tracer.singly()
    target = _writable(owner)
    full = _in_lanes(np.asarray(index) if isinstance(index, list) else index)
    rows = value
    if isinstance(value, PerLane):
        rows = tracer.rows(value)
        if rows.dtype == object:
            raise tracer.singly()
    try:
        missing = target[full].ndim - rows.ndim if isinstance(value, PerLane) else 0
        target[full] = rows.reshape(rows.shape[:1] + (1,) * missing + rows.shape[1:]) if missing > 0 else rows
    except Exception:
        raise as_in_each_lane(operator.setitem, owner, index, value) from None


def as_in_each_lane(function: Callable[..., Any], *args: Any) -> BaseException:
    """Raises what the function raises in single lanes, on copies of the arguments; else lanes go on one by one."""
    each(function, args, {})
    return tracer.singly()


def _write_where(owner: PerLane, index: PerLane, value: Any) -> bool:
    """`owner[mask] = value`, and `owner[place] = value` of one dimension."""
    if not isinstance(value, (bool, int, float, np.generic)) and (getattr(value, "form", ARRAY) == ARRAY):
        return False
    shape, dtype = tracer.rows(owner).shape, tracer.rows(index).dtype
    if index.form != ARRAY and dtype.kind == "i" and len(shape) == 2:
        length = shape[1]
        places = tracer.rows(index)
        if tracer.decided((places >= length) | (places < -length)):
            np.empty(length)[tracer.choose(index)]  # raises what it raises there
        where = np.arange(length) == (tracer.rows(index) % length)[:, None]
    elif index.form == ARRAY and dtype == np.bool_ and tracer.rows(index).shape == shape:
        where = tracer.rows(index)
    else:
        return False
    if isinstance(value, PerLane):
        value = tracer.rows(value)
        if value.dtype == object:
            return False
        value = value.reshape((-1,) + (1,) * (len(shape) - 1))
    target = _writable(owner)
    target[...] = np.where(where, value, target)
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


_METHODS: Dict[str, Any] = {
    name: getattr(np, name)
    for name in (
        *("sum", "mean", "max", "min", "argmax", "argmin", "any", "all", "std", "var", "prod", "cumsum", "cumprod"),
        *("argsort", "copy", "clip", "round", "dot", "ptp"),
    )
    if hasattr(np, name) and hasattr(np.ndarray, name)
}


def attribute(value: PerLane, name: str) -> Any:
    """`value.name` of a value by lane."""
    if name.startswith("__"):
        raise AttributeError(name)
    return _of_an_array(value, name) if value.form == ARRAY else _of_a_scalar(value, name)


def _of_an_array(value: PerLane, name: str) -> Any:
    rows = tracer.rows(value)
    if name in ("shape", "ndim", "size", "dtype", "itemsize", "nbytes"):
        return getattr(rows[0], name)
    if name == "T":
        axes = (0, *range(rows.ndim - 1, 0, -1))
        return view_of(value, lambda rows: rows.transpose(axes))
    if name == "flat":
        return iter(_reshape(value, -1))
    own = _OWN.get(name)
    if own is not None:
        return lambda *args, **named: own(value, *args, **named)
    if name in _METHODS:
        return lambda *args, **named: called_on_arrays(_METHODS[name], (value, *args), named)
    if not hasattr(np.ndarray, name):
        raise AttributeError(f"'numpy.ndarray' object has no attribute {name!r}")
    if not callable(getattr(np.ndarray, name)):
        return each(getattr, (value, name), {})
    if name in ("fill", "put", "resize", "partition", "setflags", "itemset"):
        raise tracer.singly()
    return lambda *args, **named: each(getattr(np.ndarray, name), (value, *args), named)


def _astype(value: PerLane, dtype: Any, **_: Any) -> PerLane:
    return PerLane(tracer.rows(value).astype(dtype), ARRAY)


def _tolist(value: PerLane) -> Any:
    rows = tracer.rows(value)
    if rows.ndim == 1:
        return PerLane(rows.copy())
    return [_tolist(PerLane(rows[:, place], ARRAY)) for place in range(rows.shape[1])]


def _item(value: PerLane, *index: Any) -> Any:
    rows = tracer.rows(value)
    if index or rows.size != tracer.count:
        return each(np.ndarray.item, (value, *index), {})
    return PerLane(rows.reshape(tracer.count).copy())


def _reshape(value: PerLane, *shape: Any, **named: Any) -> Any:
    given = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    lengths = tuple(int(one) for one in given)  # which may split lanes: before the rows are looked at
    if named:
        return each(lambda array: array.reshape(lengths, **named), (value,), {})
    rows = tracer.rows(value)
    if -1 in lengths:
        lengths = rows[0].reshape(lengths).shape
    return view_of(value, lambda rows: rows.reshape(len(rows), *lengths))


def _ravel(value: PerLane) -> Any:
    return _reshape(value, -1)


def _flatten(value: PerLane) -> Any:
    return PerLane(tracer.rows(value).reshape(tracer.count, -1).copy(), ARRAY)


def _sort(value: PerLane, *args: Any, **named: Any) -> None:
    write_rows(value, Ellipsis, called_on_arrays(np.sort, (value, *args), named))


_OWN: Dict[str, Callable[..., Any]] = {
    "astype": _astype,
    "tolist": _tolist,
    "item": _item,
    "reshape": _reshape,
    "ravel": _ravel,
    "flatten": _flatten,
    "sort": _sort,
}


def _of_a_scalar(value: PerLane, name: str) -> Any:
    rows = tracer.rows(value)
    if value.form == NUMPY:
        if name in ("shape", "ndim", "size", "dtype", "itemsize", "nbytes"):
            return getattr(rows[0], name)
        if name in ("item", "tolist"):
            return lambda *_: PerLane(rows if len(rows) == tracer.count else tracer.rows(value))
        if name == "astype":
            return lambda dtype, **_: PerLane(tracer.rows(value).astype(dtype), NUMPY)
        if name == "round":
            return lambda *args, **named: called_on_arrays(np.round, (value, *args), named)
        if name in ("max", "min") or (name in ("sum", "mean") and rows.dtype == np.float64):
            return lambda **_: value
    shown = tracer.items(value)
    found = getattr(shown[0] if tracer.mask is None else shown[int(np.argmax(tracer.mask))], name)
    if callable(found):
        return lambda *args, **named: each(lambda one, *a, **n: getattr(one, name)(*a, **n), (value, *args), named)
    return each(getattr, (value, name), {})


def same_or_equal(item: Any, value: Any) -> Any:
    """What containers ask of their items. Of NaN, which equals nothing, one lane alone knows whether it is the same."""
    if item is value:
        return True
    if isinstance(item, PerLane) or isinstance(value, PerLane):
        both = [tracer.truth(one != one) for one in (item, value)]  # noqa: PLR0124
        if tracer.known(np.logical_and(*both)) is not False:
            raise tracer.singly()
    return item == value


def contains(value: Any, items: Any) -> Any:
    """`value in items`."""
    sequence = isinstance(items, (list, tuple, range, set, frozenset, dict))
    if (
        sequence
        and is_scalar(value)
        and (isinstance(value, PerLane) or (isinstance(items, (list, tuple)) and differs(items)))
    ):
        if not all(map(is_scalar, items)):
            return each(operator.contains, (items, value), {}) if not differs(list(items)) else value in items
        found: Any = False
        for item in items:
            equal = same_or_equal(item, value)
            if equal is True:
                return True
            if isinstance(equal, PerLane):
                truth = tracer.truth(equal)
                found = truth if found is False else found | truth
        return False if found is False else PerLane(found)
    if isinstance(items, PerLane):
        if items.form == ARRAY:
            found = items == value
            return (
                PerLane(tracer.truth(called_on_arrays(np.any, (found,), {}))) if isinstance(found, PerLane) else found
            )
        return each(operator.contains, (items, value), {})
    if isinstance(items, str) and isinstance(value, PerLane):
        return each(operator.contains, (items, value), {})
    return value in items


def _iterate(value: PerLane) -> Any:
    if value.form != ARRAY:
        return iter(tracer.choose(value))
    rows = tracer.rows(value)
    if rows.ndim == 1:
        raise TypeError("iteration over a 0-d array")
    return (get_item(value, place) for place in range(rows.shape[1]))


def _length(value: PerLane) -> int:
    if value.form != ARRAY:
        return len(tracer.choose(value))
    return int(tracer.rows(value).shape[1])


def _install() -> None:
    """Give values by lane their items and attributes."""
    methods: Dict[str, Callable[..., Any]] = {
        "getitem": get_item,
        "setitem": set_item,
        "getattr": attribute,
        "iter": _iterate,
        "len": _length,
        "contains": lambda self, value: bool(contains(value, self)),
        "reversed": lambda self: iter(list(self)[::-1]),
    }
    for name, method in methods.items():
        setattr(PerLane, f"__{name}__", method)


_install()
