"""Items and attributes of values by lane, and those of ordinary objects at places that differ by lane."""

from __future__ import annotations

import collections
import operator
from typing import Any, Callable, Dict, Optional

import numpy as np

from .array_calls import called_on_arrays, stacked
from .each import differs, each
from .lanes import PerLane, tracer
from .paths import ARRAY, NUMPY, PYTHON, objects
from .recording import nameable, operation, operation_named
from .writes import chosen_index, in_lanes, is_basic, is_scalar, places_of, set_item, write_rows

_NUMBERS = (bool, int, float)


def get_item(owner: Any, index: Any) -> Any:
    """`owner[index]`."""
    if isinstance(owner, PerLane):
        return of_lanes(owner, index)
    if differs(index):
        if isinstance(index, PerLane) and isinstance(owner, (list, tuple)):
            return _at(owner, index)
        if isinstance(owner, np.ndarray):
            if owner.ndim > 1 and not isinstance(index, tuple) and getattr(index, "form", None) != ARRAY:
                return owner[chosen_index(index)]  # a part of the array itself, which may be written later
            return of_same_array(owner, index)
        if (
            type(owner) is dict
            and isinstance(index, PerLane)
            and all(type(one) in (*_NUMBERS, str) for one in owner.values())
        ):
            return each(operator.getitem, (owner, index), {})
        index = chosen_index(index)
    if tracer.branches and isinstance(owner, collections.defaultdict) and index not in owner:
        tracer.impure()
    return owner[index]


@operation
def of_lanes(owner: PerLane, index: Any) -> Any:
    """An item or a part of a value by lane."""
    if owner.form != ARRAY:
        return each(operator.getitem, (owner, index), {})
    if isinstance(index, (list, tuple)) and differs(index) and not isinstance(index, tuple):
        index = stacked(index)
        if index is None:
            raise tracer.singly()
    if differs(index):
        where = places_of(tracer.rows(owner).shape[1:], index)
        return each(operator.getitem, (owner, index), {}) if where is None else _of_rows(tracer.rows(owner)[where])
    full = in_lanes(index)
    try:
        rows = tracer.rows(owner)[full]
    except Exception:
        return each(operator.getitem, (owner, index), {})
    if rows.ndim == 1:
        return PerLane(rows.copy(), NUMPY)
    return view_of(owner, lambda rows: rows[full]) if is_basic(index) else PerLane(rows, ARRAY)


def _of_rows(rows: Any) -> PerLane:
    return PerLane(rows, ARRAY if rows.ndim > 1 else NUMPY)


def view_of(owner: PerLane, view: Callable[[Any], Any]) -> PerLane:
    """An array that shares its items with another. view: its rows, of those of the other."""
    rows = tracer.rows(owner)
    result = PerLane(view(rows), ARRAY)
    if np.may_share_memory(result.rows, rows):
        result.base, result.view = owner, view
    return result


@operation
def of_same_array(owner: Any, index: Any) -> Any:
    """Items of an array without lanes, at places by lane."""
    where = places_of(owner.shape, index) if owner.dtype.kind in "biuf" else None
    return each(operator.getitem, (owner, index), {}) if where is None else _of_rows(owner[where[1:]])


def _at(owner: Any, index: PerLane) -> Any:
    """An item of a list or tuple at a place by lane."""
    return scalar_at(owner, index) if all(map(is_scalar, owner)) else owner[tracer.choose(index)]


@operation
def scalar_at(owner: Any, index: PerLane) -> Any:
    """The same of scalars."""
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


_METHODS: Dict[str, Any] = {
    name: getattr(np, name)
    for name in (
        *("sum", "mean", "max", "min", "argmax", "argmin", "any", "all", "std", "var", "prod", "cumsum", "cumprod"),
        *("argsort", "copy", "clip", "round", "dot", "ptp", "nonzero"),
    )
    if hasattr(np, name) and hasattr(np.ndarray, name)
}


def attribute(value: PerLane, name: str) -> Any:
    """`value.name` of a value by lane."""
    if name.startswith("__"):
        raise AttributeError(name)
    return _of_an_array(value, name) if value.form == ARRAY else _of_a_scalar(value, name)


_SIZES = ("shape", "ndim", "size", "dtype", "itemsize", "nbytes")


@operation
def size_of(value: PerLane, name: str) -> Any:
    """What there is to say of the size of a value, which is the same in all lanes."""
    if name not in _SIZES:
        raise AttributeError(name)
    return getattr(tracer.rows(value)[0], name)


@operation
def transposed(value: PerLane) -> PerLane:
    """`value.T`."""
    axes = (0, *range(tracer.rows(value).ndim - 1, 0, -1))
    return view_of(value, lambda rows: rows.transpose(axes))


def _of_an_array(value: PerLane, name: str) -> Any:
    if name in _SIZES:
        return size_of(value, name)
    if name == "T":
        return transposed(value)
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
        return each(attribute_of, (value, name), {})
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
        return each(np.ndarray.reshape, (value, lengths), named)
    return reshaped(value, lengths)


@operation
def reshaped(value: PerLane, lengths: Any) -> PerLane:
    """The same items in each lane in another shape."""
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
    **{
        name: operation_named(f"items.{name}")(method)
        for name, method in (("astype", _astype), ("tolist", _tolist), ("item", _item), ("flatten", _flatten))
    },
    "reshape": _reshape,
    "ravel": _ravel,
    "sort": _sort,
}


@operation
def as_python(value: PerLane) -> PerLane:
    """A scalar of NumPy as one of Python."""
    return PerLane(tracer.rows(value))


@operation
def of_type(value: PerLane, dtype: Any) -> PerLane:
    """A scalar of NumPy as one of another type."""
    return PerLane(tracer.rows(value).astype(dtype), NUMPY)


def _of_a_scalar(value: PerLane, name: str) -> Any:
    if value.form == NUMPY:
        if name in _SIZES:
            return size_of(value, name)
        if name in ("item", "tolist"):
            return lambda *_: as_python(value)
        if name == "astype":
            return lambda dtype, **_: of_type(value, dtype)
        if name == "round":
            return lambda *args, **named: called_on_arrays(np.round, (value, *args), named)
        if name in ("max", "min") or (name in ("sum", "mean") and value.rows.dtype == np.float64):
            return lambda **_: value
    if is_method(value, name):
        return lambda *args, **named: each(method_of, (value, name, *args), named)
    return each(attribute_of, (value, name), {})


@operation
def is_method(value: PerLane, name: str) -> bool:
    """Whether an attribute of a scalar can be called. Raises what Python raises where there is none."""
    shown = tracer.items(value)
    return callable(getattr(shown[0] if tracer.mask is None else shown[int(np.argmax(tracer.mask))], name))


def attribute_of(value: Any, name: str) -> Any:
    """An attribute of a scalar, in one lane; of those that a recording may name."""
    if name.startswith("_") or name in _WRITING or isinstance(value, type) or callable(value):
        raise AttributeError(name)
    return getattr(value, name)


def method_of(value: Any, name: str, *args: Any, **named: Any) -> Any:
    """A call of a method of a scalar, in one lane."""
    return attribute_of(value, name)(*args, **named)


_WRITING = frozenset({"tofile", "dump", "dumps", "setfield", "setflags", "data", "base", "flat"})
nameable(operator.getitem, "operator.getitem")
nameable(operator.contains, "operator.contains")
nameable(attribute_of, "attribute")
nameable(method_of, "method")


def same_or_equal(item: Any, value: Any) -> Any:
    """What containers ask of their items. Of NaN, which equals nothing, one lane alone knows whether it is the same."""
    if item is value:
        return True
    return are_equal(item, value) if isinstance(item, PerLane) or isinstance(value, PerLane) else item == value


@operation
def are_equal(item: Any, value: Any) -> Any:
    """The same of values one of which is by lane."""
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
        return is_among(value, list(items))
    if isinstance(items, PerLane):
        if items.form == ARRAY:
            equal = items == value
            return as_bool(called_on_arrays(np.any, (equal,), {})) if isinstance(equal, PerLane) else equal
        return each(operator.contains, (items, value), {})
    if isinstance(items, str) and isinstance(value, PerLane):
        return each(operator.contains, (items, value), {})
    return value in items


@operation
def is_among(value: Any, items: Any) -> Any:
    """Whether a scalar is one of some."""
    among: Any = False
    for item in items:
        equal = same_or_equal(item, value)
        if isinstance(equal, PerLane):
            truth = tracer.truth(equal)
            among = truth if among is False else among | truth
        elif equal:  # of NumPy's numbers it may be one of NumPy's truth values
            return True
    return False if among is False else PerLane(among)


@operation
def as_bool(value: Any) -> Any:
    """`bool(value)`, by lane."""
    truth = tracer.truth(value)
    return PerLane(truth) if isinstance(truth, np.ndarray) else truth


def _iterate(value: PerLane) -> Any:
    if value.form != ARRAY:
        return iter(tracer.choose(value))
    shape = size_of(value, "shape")
    if not shape:
        raise TypeError("iteration over a 0-d array")
    return (get_item(value, place) for place in range(shape[0]))


def _length(value: PerLane) -> int:
    if value.form != ARRAY:
        return len(tracer.choose(value))
    return int(size_of(value, "shape")[0])


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
