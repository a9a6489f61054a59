"""What known functions do on values by lane, by the function itself: aliases and tables of functions need nothing more.

An entry may decline, and must never be wrong: then Python is asked lane by lane. Where lanes may be split, everything
that was looked at before is looked at again.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
import warnings
from typing import Any, Callable, Dict, List

import numpy as np

from .each import differs
from .items import as_bool, contains, get_item
from .lanes import PerLane, tracer
from .operators import UFUNCS, operate
from .paths import ARRAY, BOOL, FLOAT, INT, NONE, NUMPY, NUMPY_FLOAT, PYTHON
from .recording import nameable, operation, operation_named
from .writes import set_item

DECLINED = nameable(object(), "declined")
TABLE: Dict[Any, Callable[..., Any]] = {}
"""By the function, what to call in its place where an argument differs by lane."""
ALWAYS: Dict[Any, Callable[..., Any]] = {}
"""The same for those that may meet values by lane that are not seen in their arguments, as those of an iterator."""
Call = Callable[..., Any]
_LARGE = 2.0**62


def entry(*functions: Any, always: bool = False) -> Callable[[Call], Call]:
    """A decorator: this is what the functions do. Those that call what they are given belong to `always`."""

    def put(known: Call) -> Call:
        if not always:
            known = operation_named(f"table.{functions[0].__name__}")(known)
        for function in functions:
            (ALWAYS if always else TABLE)[function] = known
        return known

    return put


def call(function: Any, *args: Any, **named: Any) -> Any:
    """A call from the table of what the user gave, as a key or a function to map; `calls` puts its own in place."""
    return caller[0](function, *args, **named)


caller: List[Call] = [lambda function, *args, **named: function(*args, **named)]


# conversions


def _takes_one_item() -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return bool(float(np.zeros(1)) == 0)
    except TypeError:
        return False


_ONE_IS_A_NUMBER = _takes_one_item()
"""Whether an array with one item can be made a number; since NumPy 2.4 it must have no dimensions."""


@entry(float)
def to_float(value: Any = 0.0) -> Any:
    """`float(value)`; DECLINED where Python is to be asked."""
    if not isinstance(value, PerLane):
        return DECLINED
    rows = tracer.raw(value)
    if value.kinds is not None and (value.kinds == NONE).any():
        return DECLINED
    if value.form == ARRAY:
        if rows.ndim > 1 + _ONE_IS_A_NUMBER or rows[0].size != 1:
            return DECLINED
        rows = rows.reshape(tracer.count)
    return PerLane(rows.astype(np.float64)) if rows.dtype.kind in "bif" else DECLINED


@entry(np.float64)
def _float64(value: Any = 0.0) -> Any:
    found = to_float(value)
    if found is DECLINED or getattr(value, "form", PYTHON) == ARRAY:
        return DECLINED
    found.form = NUMPY
    return found


@entry(int)
def _int(value: Any = 0, *base: Any) -> Any:
    if not isinstance(value, PerLane) or base or value.kinds is not None:
        return DECLINED
    rows = tracer.raw(value)
    if value.form == ARRAY:
        if rows.ndim > 1 + _ONE_IS_A_NUMBER or rows[0].size != 1:
            return DECLINED
        rows = rows.reshape(tracer.count)
    return _whole(rows, np.trunc)


def _whole(rows: Any, rounded: Callable[[Any], Any], form: int = PYTHON) -> Any:
    if rows.dtype.kind in "bi":
        return PerLane(rows.astype(np.int64), form)
    active = rows if tracer.mask is None else rows[tracer.mask]
    if rows.dtype.kind != "f" or not (np.abs(active) < _LARGE).all():
        return DECLINED
    safe = rows if tracer.mask is None else np.where(tracer.mask, rows, 0.0)
    return PerLane(rounded(safe).astype(np.int64), form)


@entry(np.int64, np.int_)
def _int64(value: Any = 0) -> Any:
    if not isinstance(value, PerLane) or value.form == ARRAY or value.kinds is not None:
        return DECLINED
    return _whole(tracer.raw(value), np.trunc, NUMPY)


@entry(bool)
def _bool(value: Any = False) -> Any:
    return as_bool(value)


def _rounded_by(rounded: Callable[[Any], Any], value: Any) -> Any:
    if value.form == ARRAY or value.kinds is not None:
        return DECLINED
    rows = tracer.raw(value)
    return DECLINED if value.form == NUMPY and rows.dtype.kind != "f" else _whole(rows, rounded)


for _name in ("trunc", "floor", "ceil"):
    entry(getattr(math, _name))(functools.partial(_rounded_by, getattr(np, _name)))


@entry(round)
def _round(value: Any, digits: Any = None) -> Any:
    if not isinstance(value, PerLane):
        return DECLINED
    if digits is None:
        return _rounded_by(np.rint, value)
    rows = tracer.raw(value)
    if value.form == ARRAY or rows.dtype != np.float64 or type(digits) is not int:
        return DECLINED
    if value.kinds is not None:
        if digits < 0 or digits > _DECIMALS or (value.kinds == NONE).any():
            return DECLINED
        rounded = np.where(value.kinds == FLOAT, _to_decimal_places(rows, digits), rows)
        rounded = np.where(value.kinds == NUMPY_FLOAT, np.round(rows, digits), rounded)
        return PerLane(rounded, PYTHON, np.where(value.kinds == BOOL, INT, value.kinds).astype(np.uint8))
    if value.form == NUMPY:
        return PerLane(np.round(rows, digits), NUMPY)
    return PerLane(_to_decimal_places(rows, digits)) if 0 <= digits <= _DECIMALS else DECLINED


_DECIMALS = 15


def _to_decimal_places(rows: Any, digits: int) -> Any:
    """`round` of floats: a whole number over a power of ten, both exact, where it is sure which; else Python's own."""
    scale = 10.0**digits
    scaled = rows * scale
    result = np.rint(scaled) / scale
    from_half = np.abs(np.abs(scaled - np.trunc(scaled)) - 0.5)
    sure = (from_half > np.abs(scaled) * 2.0**-50) & (np.abs(scaled) < 2.0**51)
    unsure = np.flatnonzero(~sure)
    result[unsure] = [round(item, digits) for item in rows[unsure].tolist()]
    return result


@entry(abs)
def _abs(value: Any) -> Any:
    return abs(value)


@entry(math.fabs)
def _fabs(value: Any) -> Any:
    return abs(to_float(value)) if to_float(value) is not DECLINED else DECLINED


@entry(len)
def _len(value: Any) -> Any:
    if not isinstance(value, PerLane) or value.form == ARRAY:
        return len(value)
    return DECLINED


# what a value is


def _type_of(value: Any) -> Any:
    """The type in all lanes, where it is known without a look into them; else None."""
    if not isinstance(value, PerLane):
        return type(value)
    if value.form == ARRAY:
        return np.ndarray
    if value.kinds is not None or value.rows.dtype == object:
        return None
    return value.rows.dtype.type if value.form == NUMPY else {"b": bool, "i": int, "f": float}[value.rows.dtype.kind]


@entry(isinstance, always=True)
def _isinstance(value: Any, kinds: Any) -> Any:
    if not isinstance(value, PerLane):
        return DECLINED
    kind = _type_of(value)
    return issubclass(kind, kinds) if kind is not None else by_type(value, kinds)


_TYPES = {BOOL: bool, INT: int, FLOAT: float, NONE: type(None), NUMPY_FLOAT: np.float64}


@operation
def by_type(value: PerLane, kinds: Any) -> PerLane:
    """`isinstance(value, kinds)` of a scalar whose type differs by lane."""
    rows = tracer.raw(value)
    if value.kinds is not None:
        by_kind = np.array([issubclass(_TYPES[kind], kinds) for kind in range(len(_TYPES))])
        return PerLane(by_kind[value.kinds])
    return PerLane(np.array([isinstance(item, kinds) for item in rows.tolist()]))


@entry(type, always=True)
def _type(value: Any, *rest: Any) -> Any:
    if not isinstance(value, PerLane) or rest:
        return DECLINED
    return _type_of(value) or chosen_type(value)


@operation
def chosen_type(value: PerLane) -> Any:
    """The type of a scalar, after a split by types."""
    items = tracer.items(value)
    return type(items[tracer.shapes_split(list(map(type, items)))[0]])


@entry(callable)
def _callable(_: Any) -> Any:
    return False


@entry(hasattr)
def _hasattr(value: Any, name: str) -> Any:
    try:
        getattr(value, name)
    except AttributeError:
        return False
    return True


# going through values


@entry(range, always=True)
def _range(*args: Any) -> Any:
    return range(*[tracer.choose(one) if isinstance(one, PerLane) else one for one in args])


def _all_any(every: bool) -> Call:
    known = all if every else any

    def call_(items: Any) -> Any:
        if not isinstance(items, (list, tuple)) or not differs(items):
            if isinstance(items, PerLane):
                return DECLINED
            return known(items)
        return all_or_any([as_bool(item) if isinstance(item, PerLane) else bool(item) for item in items], every)

    return call_


@operation
def all_or_any(values: List[Any], every: bool) -> Any:
    """`all` or `any` of bools."""
    held: Any = every
    for value in values:
        truth = tracer.truth(value)
        held = np.logical_and(held, truth) if every else np.logical_or(held, truth)
    return PerLane(held) if isinstance(held, np.ndarray) and held.ndim else bool(held)


entry(all, always=True)(_all_any(True))
entry(any, always=True)(_all_any(False))


@entry(sum, always=True)
def _sum(items: Any, start: Any = 0) -> Any:
    if isinstance(items, PerLane) and items.form == ARRAY:
        items = list(items)
    total = start
    for item in items:
        total = total + item
    return total


def _asking(function: Any) -> Call:
    """The user's function as native code may call it."""
    return lambda *args: call(function, *args)


@entry(map, always=True)
def _map(function: Any, *sources: Any) -> Any:
    return map(_asking(function), *sources)


@entry(filter, always=True)
def _filter(function: Any, items: Any) -> Any:
    return filter(None if function is None else _asking(function), items)


@entry(functools.reduce, always=True)
def _reduce(function: Any, *others: Any) -> Any:
    return functools.reduce(_asking(function), *others)


@entry(itertools.accumulate, always=True)
def _accumulate(items: Any, function: Any = None, **named: Any) -> Any:
    return itertools.accumulate(items, None if function is None else _asking(function), **named)


@entry(next, iter, setattr, delattr, always=True)
def _impure(*_: Any) -> Any:
    tracer.impure()
    return DECLINED


@entry(functools.partial, always=True)
def _partial(function: Any, *args: Any, **named: Any) -> Any:
    if not (differs(args) or differs(list(named.values()))):
        return DECLINED
    return lambda *more, **others: call(function, *args, *more, **{**named, **others})


@entry(print, always=True)
def _print(*_: Any, **__: Any) -> Any:
    return None


for _name in UFUNCS:

    def _operator(left: Any, right: Any, name: str = _name) -> Any:
        result = operate(name, left, right)
        return DECLINED if result is NotImplemented else result

    TABLE[getattr(operator, _name, None) or getattr(operator, f"{_name}_")] = _operator
TABLE[operator.neg] = lambda value: -value
TABLE[operator.getitem] = get_item
TABLE[operator.setitem] = set_item
TABLE[operator.contains] = lambda items, value: contains(value, items)
TABLE[operator.truth] = _bool


@operation
def not_(value: Any) -> Any:
    """`not value`."""
    truth = tracer.truth(value)
    return PerLane(~truth) if isinstance(truth, np.ndarray) else not truth


TABLE[operator.not_] = not_
