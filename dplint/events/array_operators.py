"""Operators on values of many outputs: arithmetic, comparisons, `not` and `in`, as Python has them for each output."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
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
    truth_of,
    truths,
)
from dplint.events.columns import MISSING, NAN, TEXT, Column, Mask
from dplint.events.layout import step_to
from dplint.events.table_values import TableValues

Run: TypeAlias = Callable[[TableValues], Value]
"""How an expression is evaluated on a table."""

_SMALL = 1 << 15
"""Whole numbers up to here, and sums of many of them, fit into 32 bits."""
_ORDERED: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
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
    return truths(_ORDERED[symbol](one.values, two.values), one.undefined, two.undefined)


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
