"""Python's functions on values of many outputs: `len`, `float`, `sum`, `min`, `zip` and their like."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from dplint.events.array_operators import equal
from dplint.events.array_values import (
    Held,
    Items,
    NotFollowed,
    Numbers,
    Undefined,
    Value,
    all_numbers,
    items_of,
    joined,
    numbers_of,
    of_text,
    truth_of,
)
from dplint.events.columns import TEXT, Column, Mask
from dplint.runner.texts import TextNumbers

Function: TypeAlias = Callable[[TextNumbers, Value], Value]


def length(texts: TextNumbers, value: Value) -> Value:
    """`len(value)`."""
    match value:
        case Items():
            return Numbers(np.array([float(len(value))]))
        case Held(part) if part.length is not None:
            return Numbers(np.array([float(part.length)]))
        case Column():
            return of_text(len, value, texts)
    raise Undefined


def text(texts: TextNumbers, value: Value) -> Value:  # noqa: ARG001
    """`str(value)` of an exception or a text."""
    match value:
        case Held(part, source=source) if part.raised:
            return _first(source.leaves(part))
        case Column(classes) if (classes == TEXT).all():
            return value
    raise NotFollowed


def _first(leaves: Column) -> Column:
    return Column(leaves.classes[0], leaves.values[0], None if leaves.kinds is None else leaves.kinds[0])


def as_float(texts: TextNumbers, value: Value) -> Value:  # noqa: ARG001
    """`float(value)`."""
    if isinstance(value, Column) and (value.classes == TEXT).any():
        raise NotFollowed  # what a text says
    number = numbers_of(value)
    return Numbers(number.values.astype(np.float64, copy=False), number.undefined)


def rounded(texts: TextNumbers, value: Value) -> Value:  # noqa: ARG001
    """`round(value)`: to the even neighbour from the middle."""
    number = numbers_of(value)
    values = number.values.astype(np.float64, copy=False)
    endless = ~np.isfinite(values)
    return Numbers(np.rint(values), joined(number.undefined, endless if endless.any() else None))


def absolute(texts: TextNumbers, value: Value) -> Value:  # noqa: ARG001
    """`abs(value)`."""
    number = numbers_of(value)
    values = number.values.astype(np.int32) if number.values.dtype == np.bool_ else number.values
    return Numbers(np.abs(values), number.undefined)


def unit_in_last_place(texts: TextNumbers, value: Value) -> Value:  # noqa: ARG001
    """`math.ulp(value)`."""
    number = numbers_of(value)
    sizes = np.abs(number.values.astype(np.float64, copy=False))
    units = np.ldexp(1.0, np.maximum(np.frexp(sizes)[1] - 53, -1074))
    return Numbers(np.where(np.isfinite(sizes), units, sizes), number.undefined)


def listed(texts: TextNumbers, value: Value) -> Value:  # noqa: ARG001
    """`list(value)`."""
    items = items_of(value)
    return Items("list", items.block, items.made)


def zipped(*sequences: Value) -> Items:
    """`list(zip(...))`."""
    rows = zip(*(items_of(sequence).rows for sequence in sequences), strict=False)
    return Items("list", made=[Items("tuple", made=row) for row in rows])


def first_rows(block: Column | Numbers, width: int) -> Column | Numbers:
    """The first `width` items of a block."""
    if len(block.values) == width:
        return block
    if isinstance(block, Numbers):
        return Numbers(block.values[:width], None if block.undefined is None else block.undefined[:width])
    kinds = None if block.kinds is None else block.kinds[:width]
    return Column(block.classes[:width], block.values[:width], kinds, block.texts)


def mapped(function: str, texts: TextNumbers, value: Value) -> Items:
    """`list(map(function, value))`."""
    one, items = FUNCTIONS.get(function), items_of(value)
    if one is None:
        raise NotFollowed
    block = None if items.block is None else one(texts, items.block)
    if isinstance(block, Numbers | Column) and block.values.ndim == 2:
        return Items("list", block)
    return Items("list", made=[one(texts, row) for row in items.rows])


def total(texts: TextNumbers, value: Value) -> Value:  # noqa: ARG001
    """`sum(value)`, added from left to right as Python does; NumPy's own sum may take another order."""
    items = items_of(value)
    if items.block is None:
        return sum_of(items.rows, len(items))
    numbers = numbers_of(items.block)
    undefined = None if numbers.undefined is None else np.asarray(numbers.undefined.any(axis=0))
    if numbers.values.dtype == np.bool_:
        return Numbers(how_many(numbers.values), undefined)
    return Numbers(sum_of(map(Numbers, numbers.values), len(items)).values, undefined)


def sum_of(rows: Iterable[Value], most: int) -> Numbers:
    """The sum of at most so many rows, which are used up one at a time: all at once would not fit into the cache."""
    with np.errstate(all="ignore"):
        return _sum_of(rows, most)


def _sum_of(rows: Iterable[Value], most: int) -> Numbers:
    added: npt.NDArray[Any] | None = None
    undefined: Mask | None = None
    for row in rows:
        number = numbers_of(row)
        undefined = joined(undefined, number.undefined)
        if added is None:
            truth = number.values.dtype == np.bool_ and most < np.iinfo(np.int16).max
            added = number.values.astype(np.int16 if truth else np.float64)
        elif added.dtype != np.float64 and number.values.dtype != np.bool_:
            added = added.astype(np.float64) + number.values
        elif number.values.shape in (added.shape, (1,)):
            added += number.values
        else:
            added = added + number.values
    return Numbers(np.zeros(1) if added is None else added.astype(np.float64, copy=False), undefined)


def how_many(masks: Mask) -> npt.NDArray[np.float64]:
    """In how many rows a mask of shape (w, n) holds, shape (n,)."""
    small = len(masks) <= np.iinfo(np.uint8).max
    counts = masks.view(np.uint8).sum(axis=0, dtype=np.uint8 if small else np.int64)
    return np.asarray(counts, np.float64)


def count(value: Value, wanted: Value) -> Numbers:
    """`list(value).count(wanted)`."""
    items = items_of(value)
    if items.block is None:
        return sum_of((equal(row, wanted) for row in items.rows), len(items))
    same = equal(items.block, wanted).values
    if same.shape != items.block.values.shape:
        same = np.ascontiguousarray(np.broadcast_to(same, items.block.values.shape))
    return Numbers(how_many(same))


def smallest(texts: TextNumbers, value: Value) -> Value:  # noqa: ARG001
    """`min(value)`."""
    return _extreme(value, np.min, np.less)


def largest(texts: TextNumbers, value: Value) -> Value:  # noqa: ARG001
    """`max(value)`."""
    return _extreme(value, np.max, np.greater)


def _extreme(value: Value, extreme: Callable[..., Any], better: Callable[..., Any]) -> Numbers:
    items = items_of(value)
    if not len(items):
        raise Undefined
    if isinstance(items.block, Column) and all_numbers(items.block.classes):
        return Numbers(extreme(items.block.values, axis=0))
    # As Python does it, for whom the order decides where there is a NaN.
    best, *rest = map(numbers_of, items.rows)
    for one in rest:
        chosen = np.where(better(one.values, best.values), one.values, best.values)
        best = Numbers(chosen, joined(best.undefined, one.undefined))
    return best


FUNCTIONS: Mapping[str, Function] = {
    "abs": absolute,
    "bool": lambda _, value: truth_of(value),
    "float": as_float,
    "len": length,
    "list": listed,
    "math.ulp": unit_in_last_place,
    "max": largest,
    "min": smallest,
    "round": rounded,
    "str": text,
    "sum": total,
}
"""Functions of one argument."""
