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
from typing import Any, Callable, Dict, Iterable, List

import numpy as np

from .branches import pick
from .each import differs
from .items import as_bool, column_of, contains, get_item
from .kinds import ARRAY, BOOL, FLOAT, INT, NONE, NUMPY, NUMPY_FLOAT, PYTHON, objects
from .lanes import PerLane, tracer
from .operators import UFUNCS, operate
from .places import is_scalar
from .recording import nameable, operation
from .writes import set_item

DECLINED = nameable(object(), "declined")
TABLE: Dict[Any, Callable[..., Any]] = {}
"""By the function, what to call in its place where an argument differs by lane."""
ALWAYS: Dict[Any, Callable[..., Any]] = {}
"""The same for those that may meet values by lane that are not seen in their arguments, as those of an iterator."""
_ASKING = frozenset({"map", "filter", "reduce", "partial", "accumulate", "setattr", "delattr", "print", "iter", "next"})
"""Those that call others, or have effects."""
Call = Callable[..., Any]
_LARGE = 2.0**62


def entry(*functions: Any, always: bool = False) -> Callable[[Call], Call]:
    """A decorator: this is what the functions do. Those that call what they are given belong to `always`."""

    def put(known: Call) -> Call:
        if not always:
            known = operation(known, name=f"table.{functions[0].__name__}")
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


@entry(math.trunc)
def _trunc(value: Any) -> Any:
    return _rounded_by(np.trunc, value)


@entry(np.int64, np.int_)
def _int64(value: Any = 0) -> Any:
    if not isinstance(value, PerLane) or value.form == ARRAY or value.kinds is not None:
        return DECLINED
    return _whole(tracer.raw(value), np.trunc, NUMPY)


@entry(bool)
def _bool(value: Any = False) -> Any:
    return as_bool(value)


@entry(math.floor)
def _floor(value: Any) -> Any:
    return _rounded_by(np.floor, value)


@entry(math.ceil)
def _ceil(value: Any) -> Any:
    return _rounded_by(np.ceil, value)


def _rounded_by(rounded: Callable[[Any], Any], value: Any) -> Any:
    if value.form == ARRAY or value.kinds is not None:
        return DECLINED
    rows = tracer.raw(value)
    return DECLINED if value.form == NUMPY and rows.dtype.kind != "f" else _whole(rows, rounded)


@entry(round)
def _round(value: Any, digits: Any = None) -> Any:
    return DECLINED if not isinstance(value, PerLane) or digits is not None else _rounded_by(np.rint, value)


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


# the best of several


def _best(better: Callable[[Any, Any], Any], rows_of: Callable[[Any], Any], known: Any) -> Call:
    @operation(name=f"table.{known.__name__}")
    def extreme(args: Any) -> Any:
        column = column_of(args)
        if column is None or column.dtype != np.float64 or np.isnan(column).any():
            return DECLINED
        return PerLane(rows_of(column), args[0].form if isinstance(args[0], PerLane) else PYTHON)

    def best(*args: Any, key: Any = None, **named: Any) -> Any:
        if not args:
            return known(*args, **named)
        if len(args) == 1:
            if isinstance(args[0], PerLane) and (args[0].form != ARRAY or args[0].ndim != 1):
                return DECLINED
            args = tuple(args[0])
            if not args:
                return known((), key=key, **named)
        if key is None:
            if len(args) > 2 and differs(args) and all(map(is_scalar, args)):
                top = extreme(args)
                if top is not DECLINED:
                    return top
            return functools.reduce(lambda top, item: pick(better(item, top), item, top), args)
        top, top_key = args[0], call(key, args[0])
        for item in args[1:]:
            its_key = call(key, item)
            wins = better(its_key, top_key)
            if isinstance(wins, PerLane) and not (is_scalar(item) or isinstance(item, tuple)):
                wins = tracer.decide(wins)
            top, top_key = pick(wins, item, top), pick(wins, its_key, top_key)
        return top

    return best


entry(max, always=True)(_best(operator.gt, lambda rows: rows.max(1), max))
entry(min, always=True)(_best(operator.lt, lambda rows: rows.min(1), min))


@entry(sorted, always=True)
def _sorted(items: Iterable[Any], *, key: Any = None, reverse: bool = False) -> Any:
    listed, reverse = list(items), bool(reverse)
    keys = [call(key, item) for item in listed] if key is not None else listed
    if not differs(keys):
        order = sorted(range(len(listed)), key=keys.__getitem__, reverse=reverse)
        return [listed[place] for place in order]
    return arranged(listed, sorting_order(keys, reverse))


@operation
def sorting_order(keys: List[Any], reverse: bool) -> PerLane:
    """The places of the items in the order of their keys."""
    columns = [column_of(keys)] if all(map(is_scalar, keys)) else _columns_of_tuples(keys)
    if any(one is None or one.ndim != 2 or one.dtype.kind not in "bif" or np.isnan(one).any() for one in columns):
        raise tracer.singly()
    turned: List[Any] = [one[:, ::-1] if reverse else one for one in columns]  # type: ignore[index]
    by_lane = np.lexsort(turned[::-1], 1)
    return PerLane((len(keys) - 1 - by_lane)[:, ::-1] if reverse else by_lane, ARRAY)


def _columns_of_tuples(keys: List[Any]) -> List[Any]:
    if not all(type(one) is tuple and len(one) == len(keys[0]) and all(map(is_scalar, one)) for one in keys):
        return [None]
    found = []
    for part in zip(*keys):
        column = column_of(part)
        if column is not None and column.ndim == 1 and column.dtype != object:
            column = np.broadcast_to(column, (tracer.count, len(column)))
        found.append(column)
    return found


def arranged(items: List[Any], order: PerLane) -> List[Any]:
    """The items in an order by lane."""
    if all(map(is_scalar, items)):
        scalars = arranged_scalars(items, order)
        if scalars is not DECLINED:
            return list(scalars)
    if all(type(one) is tuple and len(one) == len(items[0]) and all(map(is_scalar, one)) for one in items):
        return list(zip(*(arranged(list(part), order) for part in zip(*items))))
    return [items[place] for place in chosen_order(order)]


@operation
def arranged_scalars(items: List[Any], order: PerLane) -> Any:
    """The same of scalars of one type; DECLINED for others."""
    column = column_of(items)
    if column is None:
        return DECLINED
    places = tracer.rows(order)
    rows = column[places] if column.ndim == 1 else np.take_along_axis(column, places, 1)
    numpy = any(isinstance(one, PerLane) and one.form == NUMPY for one in items)
    return [PerLane(rows[:, place], NUMPY if numpy else PYTHON) for place in range(rows.shape[1])]


@operation
def chosen_order(order: PerLane) -> Any:
    """An order that is the same in all lanes, after a split."""
    return tracer.choose(PerLane(objects(map(tuple, tracer.rows(order).tolist()))))


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
    return None if not tracer.count or tracer.began > 1 else DECLINED


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
for _function in (*TABLE, *ALWAYS):
    if getattr(_function, "__name__", "") not in _ASKING:
        nameable(_function, f"{_function.__module__}.{_function.__name__}")
