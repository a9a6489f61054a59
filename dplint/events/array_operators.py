"""Operators on values of many outputs: arithmetic, comparisons, `not` and `in`, as Python has them for each output.

Python's functions on values of many outputs: `len`, `float`, `sum`, `min`, `zip` and their like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from dplint.events.array_values import (
    FALSE,
    TRUE,
    Held,
    Items,
    NotFollowed,
    Numbers,
    Undefined,
    Value,
    all_numbers,
    column_of,
    items_of,
    joined,
    numbers_of,
    of_text,
    truth_of,
    truths,
)
from dplint.events.columns import MISSING, NAN, TEXT, Column, Mask
from dplint.events.layout import step_to
from dplint.events.table_values import TableValues
from dplint.program.meaning import COMPARE
from dplint.runner.texts import TextNumbers

Run: TypeAlias = Callable[[TableValues], Value]
"""How an expression is evaluated on a table."""

_SMALL = 1 << 15
"""Whole numbers up to here, and sums of many of them, fit into 32 bits."""
_ARITHMETIC: Mapping[str, Callable[..., Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.true_divide,
    "//": np.floor_divide,
    "%": np.mod,
}


def arithmetic(symbol: str, left: Value, right: Value) -> Numbers:
    """`left symbol right` for numbers."""
    function = _ARITHMETIC.get(symbol)
    if function is None or (_is_text(left) and _is_text(right)):
        raise NotFollowed
    one, two = numbers_of(left), numbers_of(right)
    undefined = joined(one.undefined, two.undefined)
    with np.errstate(all="ignore"):
        return _computed(symbol, function, one.values, two.values, undefined)


def _computed(
    symbol: str, function: Callable[..., Any], a: npt.NDArray[Any], b: npt.NDArray[Any], undefined: Mask | None
) -> Numbers:
    if symbol == "*":
        small = _is_small(a) if b.dtype == np.bool_ else a.dtype == np.bool_ and _is_small(b)
        # 32 bits are added twice as fast as 64.
        kind: Any = np.int32 if small else np.float64
        return Numbers(function(a.astype(kind, copy=False), b.astype(kind, copy=False)), undefined)
    if symbol in "+-":
        if a.dtype == b.dtype == np.bool_:
            a = a.astype(np.int32)
        return Numbers(function(a, b), undefined)
    zero = b == 0
    if zero.all():
        raise Undefined
    a, b = a.astype(np.float64, copy=False), b.astype(np.float64, copy=False)
    return Numbers(function(a, b), joined(undefined, zero if zero.any() else None))


def _is_small(values: npt.NDArray[Any]) -> bool:
    """Whether this is one small whole number."""
    return values.size == 1 and abs(value := float(values.flat[0])) < _SMALL and value.is_integer()


def _is_text(value: Value) -> bool:
    return isinstance(value, Column) and bool((value.classes == TEXT).any())


def ordered(symbol: str, left: Value, right: Value) -> Numbers:
    """`left symbol right` for < <= > >=. Lists and texts are not followed."""
    if not isinstance(left, Numbers) and not isinstance(right, Numbers):
        both_items = isinstance(left, Items | Held) and isinstance(right, Items | Held)
        if both_items or (_is_text(left) and _is_text(right)):
            raise NotFollowed
    one, two = numbers_of(left), numbers_of(right)
    return truths(COMPARE[symbol](one.values, two.values), one.undefined, two.undefined)


def equal(left: Value, right: Value) -> Numbers:
    """`left == right`."""
    if isinstance(left, Held | Items) or isinstance(right, Held | Items):
        return _equal_items(left, right)
    if isinstance(left, Numbers) and isinstance(right, Numbers):
        return truths(left.values == right.values, left.undefined, right.undefined)
    one, two = column_of(left), column_of(right)
    same = np.asarray(one.values == two.values)
    others = [column.classes for column in (one, two) if not all_numbers(column.classes)]
    if not others:
        return Numbers(same)
    same = same & (one.classes == two.classes) & (two.classes != NAN)
    missing = [classes == MISSING for classes in others]
    return truths(same, *(where for where in missing if where.any()))


def _equal_items(left: Value, right: Value) -> Numbers:
    if left is right or (isinstance(left, Held) and isinstance(right, Held) and left.same_place(right)):
        return TRUE  # even with a NaN in it, as Python first asks whether elements are the same object
    for scalar in (left, right):
        if isinstance(scalar, Numbers | Column):
            missing = scalar.undefined if isinstance(scalar, Numbers) else scalar.classes == MISSING
            return truths(FALSE.values, missing)
    one, two = (value.items if isinstance(value, Held) else value for value in (left, right))
    if not isinstance(one, Items) or not isinstance(two, Items):
        raise NotFollowed
    if one.type_name != two.type_name or len(one) != len(two):
        return FALSE
    same: Numbers = TRUE
    for a, b in zip(one.rows, two.rows, strict=True):
        if not same.values.any():
            break
        found = equal(a, b)
        same = truths(same.values & found.values, joined(same.undefined, found.undefined))
    return same


def negated(truth: Numbers) -> Numbers:
    """`not truth`."""
    return truths(~truth.values, truth.undefined)


def joined_by(runs: Sequence[Run], join: Callable[[Numbers, Numbers | None], Numbers]) -> Run:
    """Operands of `and` or of `or`, of which those after one that decides are not evaluated."""
    first, *rest = runs
    conjunctive = join is both

    def run(values: TableValues) -> Value:
        found = truth_of(first(values))
        for operand in rest:
            truth = found.values
            if truth.size == 1:
                if truth.item() is not conjunctive:
                    break
            elif values.read is None and not (truth.any() if conjunctive else not truth.all()):
                break
            try:
                found = join(found, truth_of(operand(values)))
            except Undefined:
                found = join(found, None)
        return found

    return run


def both(left: Numbers, right: Numbers | None) -> Numbers:
    """`left and right`; None for what is undefined wherever it is evaluated."""
    if right is None:
        return truths(left.values & False, joined(left.undefined, left.values))
    if left.undefined is None and left.values.size == 1 and left.values.item():
        return right
    if left.undefined is None and right.undefined is None:
        return Numbers(left.values & right.values)
    there = None if right.undefined is None else left.values & right.undefined
    return truths(left.values & right.values, left.undefined, there)


def either(left: Numbers, right: Numbers | None) -> Numbers:
    """`left or right`; None for what is undefined wherever it is evaluated."""
    if right is None:
        return truths(left.values, ~left.values)
    there = None if right.undefined is None else ~left.values & right.undefined
    return truths(left.values | right.values, left.undefined, there)


def contained(wanted: Value, container: Value, key: object) -> Numbers:
    """`wanted in container`; key: what is wanted, if it is a constant."""
    if isinstance(container, Held) and container.part.type_name == "dict":
        if not isinstance(key, int | str | tuple):
            raise NotFollowed
        return TRUE if container.source.has((*container.steps, step_to(key))) else FALSE
    found: Numbers = FALSE
    for one in items_of(container).rows:
        same = equal(wanted, one)
        found = Numbers(found.values | same.values, joined(found.undefined, same.undefined))
    return truths(found.values, found.undefined)


# what is asked of types and of texts


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
            return source.leaves(part).rows(0)
        case Column(classes) if (classes == TEXT).all():
            return value
    raise NotFollowed


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
