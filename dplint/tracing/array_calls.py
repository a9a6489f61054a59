"""Functions of NumPy on values by lane: the same function on arrays that have the lanes as their first axis.

What no rule here is sure of is asked lane by lane (`each`).
"""

from __future__ import annotations

import operator
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from .each import differs, each
from .lanes import PerLane, tracer
from .paths import ARRAY, FLOAT, NONE, NUMPY, PYTHON, SCALARS
from .recording import nameable, operation

_USUAL = (np.dtype(np.bool_), np.dtype(np.int64), np.dtype(np.float64))
_Rule = Callable[[Any, Sequence[Any], Mapping[str, Any]], Any]
"""A rule gets the function, arguments and keywords, and gives None where it does not hold."""
_RULES: Dict[Any, _Rule] = {}


def _named(*names: str) -> List[Any]:
    return [getattr(np, name) for name in names if hasattr(np, name)]


def rule(*functions: Any) -> Callable[[_Rule], _Rule]:
    """A decorator: this is what functions of NumPy do."""

    def put(known: _Rule) -> _Rule:
        for function in functions:
            _RULES[nameable(function, f"numpy.{function.__name__}")] = known
        return known

    return put


@operation
def called_on_arrays(function: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """A function of NumPy with arguments some of which are by lane."""
    if isinstance(function, np.ufunc) and len(args) == function.nin + 1 and "out" not in named:
        args, named = args[:-1], {**named, "out": args[-1]}
    out = named.get("out")
    if out is not None:
        return _put_out(function, args, {name: value for name, value in named.items() if name != "out"}, out)
    if function in _IN_PLACE:
        raise tracer.singly()
    known = _RULES.get(function)
    if known is not None:
        result = known(function, args, named)
        if result is not None:
            return result
    elif isinstance(function, np.ufunc) and not named and function.nout == 1 and function.nin == len(args):
        return elementwise(function, args)
    return each(function, args, named)


def _put_out(function: Any, args: Sequence[Any], named: Mapping[str, Any], out: Any) -> Any:
    """A function that writes what it gives into an array."""
    result = called_on_arrays(function, args, named)
    if isinstance(out, tuple) or not (isinstance(result, PerLane) and isinstance(out, PerLane)):
        raise tracer.singly()
    if tracer.rows(result).dtype != tracer.rows(out).dtype:
        raise tracer.singly()
    operator.setitem(out, Ellipsis, result)  # type: ignore[call-overload]
    return out


def rank(value: Any) -> Optional[int]:
    """Dimensions of a value in each lane, as NumPy takes it; None if that is not the same number of numbers."""
    if isinstance(value, PerLane):
        return tracer.rows(value).ndim - 1 if value.form == ARRAY else 0
    if isinstance(value, np.ndarray):
        return value.ndim
    if isinstance(value, (list, tuple)):
        inside = {rank(item) for item in value}
        return 1 if not inside else None if len(inside) > 1 or None in inside else 1 + (inside.pop() or 0)
    return 0 if isinstance(value, (*SCALARS, complex)) else None


def elementwise(function: Any, args: Sequence[Any], named: Optional[Mapping[str, Any]] = None) -> Any:
    """A function that goes by element, with broadcasting: the lanes are one more axis in front."""
    ranks = [rank(value) for value in args]
    values = [stacked(value) if isinstance(value, (list, tuple)) and differs(value) else value for value in args]
    if any(one is None for one in ranks) or any(value is None for value in values) or not _adapt(values):
        return each(function, args, named or {})
    most = max(one or 0 for one in ranks)
    given = []
    for value, dimensions in zip(values, ranks):
        rows: Any = tracer.rows(value) if isinstance(value, PerLane) else value
        spread = (1,) * (most - (dimensions or 0))
        given.append(rows.reshape(rows.shape[:1] + spread + rows.shape[1:]) if isinstance(value, PerLane) else value)
    try:
        rows = function(*given, **(named or {}))
    except Exception:
        return each(function, args, named or {})
    if len(rows) != tracer.count:
        return each(function, args, named or {})
    return PerLane(rows, ARRAY if rows.ndim > 1 or function is np.where else NUMPY)


def _adapt(values: Sequence[Any]) -> bool:
    """Whether scalars of Python by lane, which are arrays here, may be taken for 64 bits, as NumPy would."""
    plain = [value for value in values if isinstance(value, PerLane) and value.form == PYTHON]
    others = [
        value
        for value in values
        if isinstance(value, np.ndarray) or (isinstance(value, PerLane) and value.form != PYTHON)
    ]
    if any(value.kinds is not None or tracer.rows(value).dtype not in _USUAL for value in plain):
        return False
    dtypes = [value.dtype if isinstance(value, np.ndarray) else tracer.rows(value).dtype for value in others]
    return all(dtype in _USUAL for dtype in dtypes) if plain else np.dtype(object) not in dtypes


def stacked(value: Any, *, as_floats: bool = False) -> Optional[PerLane]:
    """A sequence some of whose items are by lane as an array by lane; None if it is not that of numbers of one type.

    Lanes are split where NumPy would make arrays of several types. as_floats: whole numbers may become floats, too.
    """
    mixed = [item for item in value if isinstance(item, PerLane) and item.kinds is not None]
    parts: List[Any] = [stacked(item, as_floats=as_floats) if _is_listed(item) else item for item in value]
    dtype = None
    if mixed:
        if as_floats:
            mixed = []
        ranks = [_RANKS[item.kinds] for item in mixed if tracer.raw(item) is not None]
        kinds = np.max(ranks, 0) if ranks else np.zeros(0, np.uint8)
        if (kinds > _RANKS[FLOAT]).any():
            return None
        if len(kinds):
            chosen = kinds.tolist()
            dtype = _OF_RANK[chosen[tracer.shapes_split(chosen)[0]]]
    rows = [_rows_of(part) for part in parts]
    if dtype is not None:
        rows = [
            one if one is None or getattr(part, "kinds", None) is None else one.astype(dtype)
            for one, part in zip(rows, parts)
        ]
    if not rows or any(one is None or one.dtype.kind not in "bif" or one.shape != rows[0].shape for one in rows):
        return None
    return PerLane(np.stack(rows, 1), ARRAY)


_RANKS = np.array([0, 1, 2, 2, 3], np.uint8)
"""By the kind of a scalar, how far its type of array is up; None has none."""
_OF_RANK = (np.dtype(np.bool_), np.dtype(np.int64), np.dtype(np.float64))


def _is_listed(item: Any) -> bool:
    return isinstance(item, (list, tuple)) and differs(item)


def _rows_of(item: Any) -> Any:
    """The rows of an item of an array, None if it is no number or array of them."""
    if isinstance(item, PerLane):
        if item.kinds is not None and (item.kinds == NONE).any():
            return None
        return tracer.raw(item)
    if isinstance(item, (np.ndarray, np.generic, bool, int, float, list, tuple)):
        rows = np.asarray(item)
        return np.broadcast_to(rows, (tracer.count, *rows.shape))
    return None


def array_of(value: Any) -> Optional[Any]:
    """The rows of an array by lane, or of a list of values by lane; None for anything else."""
    if isinstance(value, (list, tuple)) and differs(value):
        value = stacked(value)
    if isinstance(value, PerLane) and value.form == ARRAY:
        rows = tracer.rows(value)
        return None if rows.dtype == object else rows
    return None


def _result(rows: Any) -> PerLane:
    return PerLane(rows, ARRAY if rows.ndim > 1 else NUMPY)


_IN_PLACE = frozenset(_named("fill_diagonal", "put", "place", "copyto", "putmask", "put_along_axis"))
_BY_ELEMENT = frozenset(_named("where", "clip", "isclose", "nan_to_num", "round", "around", "sinc", "fix"))


@rule(*_BY_ELEMENT)
def _go_by_element(function: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    if (
        differs(list(named.values()))
        or (function is np.where and len(args) != 3)
        or any(value is None for value in args)
    ):
        return None
    if (function in (np.round, np.around) and differs(args[1:])) or (function is np.clip and "out" in named):
        return None
    return elementwise(function, args, named)


@rule(np.select)
def _select(_function: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    if len(args) != 2 or set(named) - {"default"} or differs(named.get("default")):
        return None
    parts: List[List[Any]] = [[array_of(one) if differs(one) else np.asarray(one) for one in side] for side in args]
    if any(one is None or one.dtype == object for side in parts for one in side):
        return None
    return _result(np.select(parts[0], parts[1], **named))


_REDUCTIONS = frozenset(
    _named(
        "sum", "mean", "max", "min", "amax", "amin", "argmax", "argmin", "any", "all", "median", "std", "var", "prod"
    )
    + _named(
        "ptp", "nansum", "nanmean", "nanmax", "nanmin", "nanmedian", "nanstd", "nanvar", "count_nonzero", "average"
    )
)
_ALONG = frozenset(_named("cumsum", "cumprod", "sort", "argsort", "nancumsum"))
_QUANTILES = frozenset(_named("quantile", "percentile", "nanquantile", "nanpercentile"))


@rule(*_REDUCTIONS, *_ALONG)
def _reduce(function: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    if not args or len(args) > 2 or differs(args[1:]) or differs(list(named.values())):
        return None
    rows = array_of(args[0])
    if rows is None or set(named) - {"axis", "ddof", "dtype", "keepdims", "kind"}:
        return None
    last = function in (np.sort, np.argsort)
    options = {name: value for name, value in named.items() if name != "axis"}
    axis = args[1] if len(args) == 2 else named.get("axis", -1 if last else None)
    if axis is None:
        if "keepdims" in options:
            return None
        rows, axis = rows.reshape(tracer.count, -1), 0
    if not isinstance(axis, (int, np.integer)):
        return None
    return _result(function(rows, axis=axis + 1 if axis >= 0 else axis, **options))


@rule(*_QUANTILES)
def _quantiles(function: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    if len(args) != 2 or set(named) - {"method", "interpolation"} or differs(args[1:]):
        return None
    rows = array_of(args[0])
    if rows is None:
        return None
    result = function(rows.reshape(tracer.count, -1), args[1], axis=1, **named)
    return _result(np.moveaxis(result, -1, 0) if result.ndim > 1 else result)


@rule(*_named("array", "asarray", "asanyarray", "copy", "atleast_1d"))
def _make(function: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    if not 1 <= len(args) <= 2 or set(named) - {"dtype", "copy"} or differs(args[1:]):
        return None
    dtype = named.get("dtype", args[1] if len(args) == 2 else None)
    value = args[0]
    if isinstance(value, PerLane) and value.form != ARRAY:
        return _array_of_scalars(function, value, dtype)
    rows = array_of(value)
    if rows is None:
        return None
    same = function in (np.asarray, np.asanyarray, np.atleast_1d) or named.get("copy") is False
    if same and isinstance(value, PerLane) and (dtype is None or rows.dtype == np.dtype(dtype)):
        return value
    result = PerLane(rows.astype(dtype) if dtype is not None else rows.copy(), ARRAY)
    result.own = True
    return result


def _array_of_scalars(function: Any, value: PerLane, dtype: Any) -> Any:
    rows = tracer.rows(value)
    if rows.dtype == object:
        return None
    rows = rows if dtype is None else rows.astype(dtype)
    return PerLane(rows[:, None].copy() if function is np.atleast_1d else rows.copy(), ARRAY)


@rule(np.shape, np.ndim, np.size)
def _sizes(function: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    if differs(args[1:]) or differs(list(named.values())):
        return None
    rows = array_of(args[0])
    return None if rows is None else function(rows[0], *args[1:], **named)


@rule(np.zeros_like, np.ones_like, np.empty_like)
def _like(function: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    rows = array_of(args[0]) if len(args) == 1 else None
    if rows is None:
        return None
    made = function(rows[0], **named)
    return wide(made) if tracer.arrays_by_lane else made


@rule(np.full, np.full_like)
def _full(function: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    value = args[1] if len(args) == 2 else None
    if not isinstance(value, PerLane) or value.form == ARRAY or set(named) - {"dtype"} or value.kinds is not None:
        return None
    rows = tracer.rows(value)
    if function is np.full_like:
        like = array_of(args[0])
        like = args[0] if like is None and isinstance(args[0], np.ndarray) else None if like is None else like[0]
        if like is None:
            return None
        shape, dtype = like.shape, named.get("dtype", like.dtype)
    else:
        shape = tracer.choose(args[0]) if isinstance(args[0], PerLane) else args[0]
        shape, dtype = (shape if isinstance(shape, tuple) else (shape,)), named.get("dtype", rows.dtype)
        rows = tracer.rows(value)
    made = np.empty((tracer.count, *shape), dtype)
    made[...] = rows.reshape((-1,) + (1,) * len(shape))
    return PerLane(made, ARRAY)


@rule(np.concatenate, np.hstack, np.stack, np.vstack, np.append)
def _together(function: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    if function is np.append:
        if len(args) != 2 or named:
            return None
        parts: Any = [np.atleast_1d(one) if not isinstance(one, (PerLane, list)) else one for one in args]
        parts = [
            PerLane(tracer.rows(one)[:, None], ARRAY) if getattr(one, "form", ARRAY) != ARRAY else one for one in parts
        ]
    elif len(args) != 1 or named or isinstance(args[0], PerLane):
        return None
    else:
        parts = args[0]
    parts = [stacked(part) if _is_listed(part) else part for part in parts]  # which may split lanes
    rows = []
    for part in parts:
        own = array_of(part)
        if own is None:
            if differs(part):
                return None
            plain = np.asarray(part)
            own = np.broadcast_to(plain, (tracer.count, *plain.shape))
        rows.append(own)
    if any(one.ndim != 2 for one in rows):
        return None
    if function in (np.stack, np.vstack):
        return PerLane(np.stack(rows, 1), ARRAY)
    return PerLane(np.concatenate(rows, 1), ARRAY)


@rule(np.ravel)
def _ravel(_: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    ravelled = isinstance(args[0], PerLane) and args[0].form == ARRAY and len(args) == 1 and not named
    return args[0].ravel() if ravelled else None


@rule(np.dot, np.inner, np.matmul)
def _products(function: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    if named or len(args) != 2:
        return None
    sides: List[Tuple[Any, int]] = []
    args = [stacked(value) if _is_listed(value) else value for value in args]  # which may split lanes
    for value in args:
        rows = array_of(value)
        if rows is None:
            if differs(value) or rank(value) not in (1, 2):
                return None
            rows = np.asarray(value)
            sides.append((rows, rows.ndim))
        else:
            sides.append((rows, rows.ndim - 1))
    (left, one), (right, other) = sides
    if one == other == 1:
        return PerLane((left * right).sum(-1), NUMPY)
    if function is np.inner:
        return None
    left = left[..., None, :] if one == 1 else left
    right = right[..., None] if other == 1 else right
    result = np.matmul(left, right)
    result = result[..., 0, :] if one == 1 else result
    return _result(result[..., 0] if other == 1 else result)


@rule(np.triu, np.tril)
def _triangles(function: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    rows = array_of(args[0])
    if rows is None or rows.ndim < 3 or differs(args[1:]) or differs(list(named.values())):
        return None
    return PerLane(function(rows, *args[1:], **named), ARRAY)


@rule(np.outer)
def _outer(_: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    sides = []
    for value in args:
        rows: Any = array_of(value) if differs(value) else np.asarray(value)
        if rows is None or rows.dtype == object:
            return None
        sides.append(rows.reshape(tracer.count if differs(value) else 1, -1))
    return None if named or len(sides) != 2 else PerLane(sides[0][:, :, None] * sides[1][:, None, :], ARRAY)


@rule(np.diff, np.flip)
def _last_axis(function: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    rows = array_of(args[0]) if len(args) == 1 and not named else None
    return None if rows is None or rows.ndim != 2 else PerLane(function(rows, axis=1), ARRAY)


@rule(np.linalg.norm)
def _norm(function: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    rows = array_of(args[0]) if args and set(named) <= {"ord"} else None
    if rows is None or rows.ndim != 2 or len(args) > 2 or differs(args[1:]):
        return None
    return PerLane(function(rows, *args[1:], axis=1, **named), NUMPY)


@operation
def wide(array: Any) -> Any:
    """An array that is the same in all lanes as one by lane, which is copied when it is written."""
    if array.dtype == object:
        return array
    return PerLane(np.broadcast_to(array, (tracer.count, *array.shape)), ARRAY)
