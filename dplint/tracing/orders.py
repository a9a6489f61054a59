"""The best of several values, and values in an order by lane; entries of the table (`table`)."""

from __future__ import annotations

import functools
import operator
from typing import Any, Callable, Iterable, List

import numpy as np

from .branches import pick
from .each import differs
from .items import column_of, size_of
from .lanes import PerLane, tracer
from .operators import kinds_of, number_of
from .paths import ARRAY, NONE, NUMPY, PYTHON, objects
from .recording import operation, operation_named
from .table import DECLINED, Call, call, entry
from .writes import is_scalar


def _best(better: Callable[[Any, Any], Any], rows_of: Callable[[Any], Any], known: Any) -> Call:
    @operation_named(f"table.{known.__name__}")
    def extreme(args: Any) -> Any:
        column = column_of(args)
        if column is None or column.dtype != np.float64 or np.isnan(column).any():
            return DECLINED
        return PerLane(rows_of(column), args[0].form if isinstance(args[0], PerLane) else PYTHON)

    def best_of(args: Any) -> Any:
        if len(args) > 2 and differs(args) and all(map(is_scalar, args)):
            top = extreme(args)
            if top is not DECLINED:
                return top
        return functools.reduce(lambda top, item: pick(better(item, top), item, top), args)

    def best(*args: Any, key: Any = None, **named: Any) -> Any:
        given = args
        if len(args) == 1:
            if isinstance(args[0], PerLane) and (args[0].form != ARRAY or size_of(args[0], "ndim") != 1):
                return DECLINED
            args = tuple(args[0])
        if not args:
            return known(*given, key=key, **named)
        return best_of(args) if key is None else _best_by(key, better, args)

    return best


def _best_by(key: Any, better: Callable[[Any, Any], Any], items: Any) -> Any:
    top, top_key = items[0], call(key, items[0])
    for item in items[1:]:
        its_key = call(key, item)
        wins = better(its_key, top_key)
        if isinstance(wins, PerLane) and not (is_scalar(item) or isinstance(item, tuple)):
            wins = tracer.decide(wins)
        top, top_key = pick(wins, item, top), pick(wins, its_key, top_key)
    return top


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
    columns = [_column(keys)] if all(map(is_scalar, keys)) else _columns_of_tuples(keys)
    if any(one is None or one.ndim != 2 or one.dtype.kind not in "bif" or np.isnan(one).any() for one in columns):
        raise tracer.singly()
    turned: List[Any] = [one[:, ::-1] if reverse else one for one in columns]
    by_lane = np.lexsort(turned[::-1], 1)
    return PerLane((len(keys) - 1 - by_lane)[:, ::-1] if reverse else by_lane, ARRAY)


def _column(keys: Any) -> Any:
    """Numbers as an array: mixed ones as floats, which compare as they do."""
    column = column_of(keys)
    mixed = mixed_numbers(keys) if column is None else None
    return column if mixed is None else mixed[0]


def mixed_numbers(items: Any) -> Any:
    """Numbers of several types as floats, and their kinds, a row for each lane; None for anything else."""
    numbers = [number for number in map(number_of, items) if number is not None]
    kinds = [kinds_of(number) for number in numbers]
    if len(numbers) < len(items) or not items or any(kind is None or (kind == NONE).any() for kind in kinds):
        return None
    shape = (tracer.count,)
    rows = np.stack([np.broadcast_to(np.asarray(rows, np.float64), shape) for rows, _, _ in numbers], 1)
    return rows, np.stack([np.broadcast_to(np.asarray(kind, np.uint8), shape) for kind in kinds], 1)


def _columns_of_tuples(keys: List[Any]) -> List[Any]:
    if not all(type(one) is tuple and len(one) == len(keys[0]) and all(map(is_scalar, one)) for one in keys):
        return [None]
    found = []
    for part in zip(*keys):
        column = _column(part)
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
    """The same of numbers, or of scalars of one type; DECLINED for others."""
    column, places = column_of(items), tracer.rows(order)
    if column is None:
        mixed = mixed_numbers(items)
        if mixed is None:
            return DECLINED
        rows, kinds = (np.take_along_axis(part, places, 1) for part in mixed)
        return [PerLane(rows[:, place], PYTHON, kinds[:, place]) for place in range(rows.shape[1])]
    rows = column[places] if column.ndim == 1 else np.take_along_axis(column, places, 1)
    numpy = any(isinstance(one, PerLane) and one.form == NUMPY for one in items)
    return [PerLane(rows[:, place], NUMPY if numpy else PYTHON) for place in range(rows.shape[1])]


@operation
def chosen_order(order: PerLane) -> Any:
    """An order that is the same in all lanes, after a split."""
    return tracer.choose(PerLane(objects(map(tuple, tracer.rows(order).tolist()))))
