"""Operators and functions on values of many outputs, as Python has them for each output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np

from dplint.events import array_values as arrays
from dplint.events.array_values import UNDEFINED, NotFollowed, TableValues, Truth, Undefined, Value
from dplint.events.columns import NAN, TEXT, Column
from dplint.program.meaning import BINARY, COMPARE
from dplint.runner.batch import Seen, Spot

Run: TypeAlias = Callable[[TableValues], Value]
"""How an expression is evaluated on a table."""

_SMALL = 1 << 15
"""Whole numbers up to here, and sums of many of them, fit into 32 bits."""
_COUNTS, _MOST_OF_8_BITS = (np.uint8, np.int16), 255
_ARITHMETIC: Mapping[str, Callable[..., Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.true_divide,
    "//": np.floor_divide,
    "%": np.mod,
}


def arithmetic(values: TableValues, symbol: str, left: Value, right: Value) -> Value:
    """`left symbol right` for numbers; lists are joined."""
    if arrays.is_plain(left) and arrays.is_plain(right):
        try:
            return BINARY[symbol](left, right)
        except UNDEFINED:
            raise Undefined from None
    if symbol == "+" and type(left) is type(right) is list:
        return [*left, *right]
    texts = arrays.has_text(values, left), arrays.has_text(values, right)
    listed = isinstance(left, list | tuple) or isinstance(right, list | tuple)
    if symbol not in _ARITHMETIC or all(texts) or (symbol in "*%" and any(texts)) or (symbol in "+*" and listed):
        raise NotFollowed
    if symbol == "%" and isinstance(right, int) and right.bit_count() == 1:
        right = float(right)  # perhaps beyond 2**53, and exact as a float
    one, two = arrays.numbers_of(values, left), arrays.numbers_of(values, right)
    with np.errstate(all="ignore"):
        if symbol in "+-*":
            one, two = _counted(one), _counted(two)
            # 32 bits are added twice as fast as 64, but products of two would not fit.
            if symbol == "*" and not (arrays.is_number(one) or arrays.is_number(two)):
                one, two = (np.asarray(side, np.float64) for side in (one, two))
            return _ARITHMETIC[symbol](one, two)
        zero = np.broadcast_to(two == 0, np.broadcast_shapes(np.shape(one), np.shape(two)))
        if zero.any():
            values.fail(zero)
        return _ARITHMETIC[symbol](*(np.asarray(side, np.float64) for side in (one, two)))


def _counted(number: Any) -> Any:
    """Truths as whole numbers of 32 bits; numbers that do not go with these as floats."""
    if isinstance(number, np.ndarray):
        return number.astype(np.int32) if number.dtype == np.bool_ else number
    return int(number) if isinstance(number, int) and abs(number) < _SMALL else float(number)


def ordered(values: TableValues, symbol: str, left: Value, right: Value) -> Truth:
    """`left symbol right` for < <= > >=. Lists and texts are not followed."""
    if arrays.is_plain(left) and arrays.is_plain(right):
        try:
            return bool(COMPARE[symbol](left, right))
        except UNDEFINED:
            raise Undefined from None
    if not isinstance(left, np.ndarray) and not isinstance(right, np.ndarray):
        of_items = isinstance(left, list | tuple) and isinstance(right, list | tuple)
        if of_items or (arrays.has_text(values, left) and arrays.has_text(values, right)):
            raise NotFollowed
    one, two = arrays.numbers_of(values, left), arrays.numbers_of(values, right)
    found: Truth = COMPARE[symbol](one, two)
    return found


def equal(values: TableValues, left: Value, right: Value) -> Truth:
    """`left == right`."""
    if _is_leaf(left) and _is_leaf(right):
        return _equal_leaves(values, left, right)
    if left is right:
        return True
    if _is_leaf(left) or _is_leaf(right):
        return False
    if not isinstance(left, list | tuple) or not isinstance(right, list | tuple):
        raise NotFollowed
    if type(left) is not type(right) or len(left) != len(right):
        return False
    same: Truth = True
    for one, two in zip(arrays.items_of(left), arrays.items_of(right), strict=True):
        if one is not two:  # even a NaN: Python first asks whether elements are the same object
            same = same & equal(values, one, two)
            if values.read is None and not np.any(same):
                break
    return same


def _is_leaf(value: Value) -> bool:
    return arrays.is_plain(value) or isinstance(value, Spot | Column | np.ndarray)


def _equal_leaves(values: TableValues, left: Value, right: Value) -> Truth:
    if arrays.is_plain(left) and arrays.is_plain(right):
        return bool(left == right)
    if isinstance(left, np.ndarray) and (isinstance(right, np.ndarray) or arrays.is_number(right)):
        return np.asarray(left == right)
    one, two = arrays.column_of(values, left), arrays.column_of(values, right)
    same = np.asarray(one.values == two.values)
    if arrays.all_numbers(one.classes) and arrays.all_numbers(two.classes):
        return same
    return np.asarray(same & (one.classes == two.classes) & (two.classes != NAN))


def same(values: TableValues, left: Value, right: Value) -> Truth:
    """`left is right`, for None alone."""
    if right is not None:
        raise NotFollowed
    return _equal_leaves(values, left, None) if isinstance(left, Spot | Column) else left is None


def negated(truth: Truth) -> Truth:
    """`not truth`."""
    return ~truth if isinstance(truth, np.ndarray) else not truth


def joined_by(operands: Iterable[Run], values: TableValues, *, conjunctive: bool) -> Truth:
    """Operands of `and` or of `or`; one is evaluated for those outputs only that are not decided before."""
    outer = values.active
    found: Truth = conjunctive
    try:
        for operand in operands:
            try:
                truth = arrays.truth_of(values, operand(values))
            except Undefined:
                if values.active is None:
                    raise
                values.fail(values.active)
                truth = not conjunctive
            found = found & truth if conjunctive else found | truth
            if isinstance(found, bool):
                if found is not conjunctive:
                    break
                continue
            going = found if conjunctive else ~found
            if values.read is None and not going.any():
                break
            values.active = going if outer is None else outer & going
    finally:
        values.active = outer
    return found


def contained(values: TableValues, wanted: Value, container: Value) -> Truth:
    """`wanted in container`."""
    if isinstance(container, dict):
        if not _is_known(wanted):
            raise NotFollowed
        return wanted in container
    found: Truth = False
    for one in arrays.items_of(container):
        found = found | equal(values, wanted, one)
    return found


def _is_known(value: Value) -> bool:
    return arrays.is_plain(value) or (isinstance(value, tuple) and all(map(_is_known, value)))


def attribute(value: Value, name: str) -> Value:
    """`value.name`."""
    if name in (own := getattr(value, "__dict__", {})):
        return own[name]
    kinds = (bool, float, str) if isinstance(value, Spot | Column | np.ndarray) else (type(value),)
    raise NotFollowed if any(hasattr(kind, name) for kind in kinds) else Undefined


def shown_by(value: Value, method: str) -> Value:
    """What a method of a container or object shows."""
    shown = attribute(value, method) if not isinstance(value, dict) or method != "values" else value.values
    found = shown()
    if isinstance(value, dict) and len(found) < len(value):
        raise Undefined  # not all of it is known
    return list(found) if isinstance(value, dict) else found


# functions of one argument


def _length(values: TableValues, value: Value) -> Value:
    if isinstance(value, Spot | Column):
        return arrays.of_text(values, len, value)
    if isinstance(value, Seen) and value.length is not None:
        return value.length
    if isinstance(value, list | tuple | dict | str | bytes):
        return len(value)
    raise Undefined


def _text(values: TableValues, value: Value) -> Value:
    if isinstance(value, Exception) and value.args:
        return value.args[0]
    value = arrays.seen_through(value, "str")
    if isinstance(value, str) or (isinstance(value, Spot) and (values.column(value).classes == TEXT).all()):
        return value
    raise NotFollowed


def _as_float(values: TableValues, value: Value) -> Value:
    value = arrays.seen_through(arrays.seen_through(value, "astype"), "float")
    if arrays.has_text(values, value):
        raise NotFollowed  # what a text says
    number = arrays.numbers_of(values, value)
    return number.astype(np.float64, copy=False) if isinstance(number, np.ndarray) else float(number)


def _rounded(values: TableValues, value: Value) -> Value:
    number = np.asarray(arrays.numbers_of(values, value), np.float64)
    endless = ~np.isfinite(number)
    if endless.any():
        values.fail(endless)
    return np.rint(number)


def _absolute(values: TableValues, value: Value) -> Value:
    return abs(_counted(arrays.numbers_of(values, value)))


def _unit_in_last_place(values: TableValues, value: Value) -> Value:
    sizes = np.abs(np.asarray(arrays.numbers_of(values, value), np.float64))
    units = np.ldexp(1.0, np.maximum(np.frexp(sizes)[1] - 53, -1074))
    return np.where(np.isfinite(sizes), units, sizes)


def _shown(view: str) -> Callable[[TableValues, Value], Value]:
    """What a view of a text shows."""

    def found(_: TableValues, value: Value) -> Value:
        if (shown := arrays.seen_through(value, view)) is value:
            raise NotFollowed
        return shown

    return found


def _sorted(_: TableValues, value: Value) -> Value:
    """Of a set, whose elements come so; else as a view shows it."""
    shown = arrays.seen_through(value, "sorted")
    if shown is value and type(value).__name__ not in ("set", "frozenset"):
        raise NotFollowed
    return arrays.items_of(shown)


def total(values: TableValues, rows: Iterable[Value]) -> Value:
    """The sum of rows, from left to right as Python adds; they are used up one at a time, to fit into the cache."""
    added: Any = 0
    with np.errstate(all="ignore"):
        for count, row in enumerate(rows):
            number = arrays.numbers_of(values, row)
            truths = isinstance(number, np.ndarray) and number.dtype == np.bool_
            if truths and count < _SMALL - 1 and (count == 0 or getattr(added, "dtype", None) in _COUNTS):
                # Counts of 8 bits are added ten times as fast as floats.
                added = added.astype(np.int16) if count == _MOST_OF_8_BITS else added
                added = np.add(added, number.view(np.uint8), out=added) if count else number.astype(np.uint8)
                continue
            if isinstance(number, np.ndarray):
                number = number.astype(np.float64, copy=False)
            if isinstance(added, np.ndarray) and added.dtype == np.float64 and np.shape(number) in (added.shape, ()):
                added += number
            else:
                added = (added.astype(np.float64) if isinstance(added, np.ndarray) else added) + number
    return added.astype(np.float64, copy=False) if isinstance(added, np.ndarray) else added


def _extreme(better: Callable[..., Any], of_known: Callable[..., Any]) -> Callable[[TableValues, Value], Value]:
    """As Python does it, for whom the order decides where there is a NaN."""

    def found(values: TableValues, value: Value) -> Value:
        rows = arrays.items_of(value)
        if not rows:
            raise Undefined
        numbers = [arrays.numbers_of(values, row) for row in rows]
        known = not any(np.isnan(one).any() for one in numbers)
        best, *rest = numbers
        for one in rest:
            best = of_known(one, best) if known else np.where(better(one, best), one, best)
        return best

    return found


FUNCTIONS: Mapping[str, Callable[[TableValues, Value], Value]] = {
    "abs": _absolute,
    "bool": arrays.truth_of,
    "float": _as_float,
    "json.loads": _shown("json"),
    "len": _length,
    "list": lambda _, value: arrays.items_of(value),
    "math.ulp": _unit_in_last_place,
    "max": _extreme(np.greater, np.maximum),
    "min": _extreme(np.less, np.minimum),
    "numbers-in": _shown("numbers"),
    "round": _rounded,
    "sorted": _sorted,
    "str": _text,
    "sum": lambda values, value: total(values, arrays.items_of(value)),
    "words-in": _shown("words"),
}
"""Functions of one argument."""
