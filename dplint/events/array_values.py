"""Values of expressions on many outputs of one shape, and what Python does with them, done for all outputs at once.

Containers are Python's own, with a `Spot` for each leaf: what depends on the shape alone is asked of Python. A value
that differs between outputs is an array of numbers or truths, or a `Column` where it may be something else. Outputs
for which Python raises an exception are noted (`TableValues.fail`), and the values there mean nothing; an operation
that raises one for every output raises `Undefined`. What arrays cannot follow raises `NotFollowed`, and is asked of
each output alone. Arithmetic is exact for integers up to 2**53. Larger ones equal what they equal, and are computed
with as floats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from dplint.events.columns import EXACT, MISSING, NAN, NONE, NUMBER, OTHER, TEXT, Classes, Column, Floats, Mask
from dplint.events.layout import UNORDERED
from dplint.events.table_values import Table
from dplint.program.meaning import function_of
from dplint.program.printing import literal_code
from dplint.runner.batch import LeafKind, Seen, Spot, leaf_value, likeness
from dplint.runner.texts import TextNumbers

UNDEFINED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What it raises to look at a part that an output does not have."""
Value: TypeAlias = Any
"""A plain value, a container of values, a `Spot`, a `Column`, or an array of numbers or truths, shape (n,)."""
Truth: TypeAlias = "bool | Mask"


class Undefined(Exception):
    """Python would raise an exception on every output of the table."""


class NotFollowed(Exception):
    """Arrays cannot tell; each output has to be looked at alone."""


class TableValues:
    """Values on the outputs of one table. texts: the numbers of all texts of the audit.

    variables: what comprehensions bind. found: what has been evaluated on this table, by what evaluates it, and for
    which outputs Python would raise an exception. active: the outputs that an expression is evaluated for, raised:
    those for which Python does raise one; None for all, and for none. read: where not None, the numbers of the leaves
    that are looked at are noted there, and no operand is skipped.
    """

    def __init__(self, table: Table, texts: TextNumbers, read: set[int] | None = None) -> None:
        self.table = table
        self.texts = texts
        self.read = read
        self.active: Mask | None = None
        self.raised: Mask | None = None
        self.variables: dict[str, Value] = {}
        self.found: dict[Callable[[TableValues], Value], tuple[Value, Mask | None]] = {}
        self._columns: dict[int, Column] = {}
        self._numbers: dict[int, tuple[Any, Mask | None]] = {}

    def afresh(self, run: Callable[[TableValues], Value]) -> tuple[Value, Mask | None]:
        """What is evaluated for all outputs, whatever else is being evaluated, and where Python raises an exception."""
        before = self.active, self.raised
        self.active = self.raised = None
        try:
            return run(self), self.raised
        finally:
            self.active, self.raised = before

    def fail(self, where: Mask) -> None:
        """Python raises an exception for these outputs. Raises Undefined where these are all."""
        if self.read is None and where.all():
            raise Undefined
        if self.active is not None:
            where = where & self.active
        self.raised = where if self.raised is None else self.raised | where

    def column(self, spot: Spot) -> Column:
        """A leaf of all outputs."""
        if spot.number not in self._columns:
            if self.read is not None:
                self.read.add(spot.number)
            self._columns[spot.number] = self.table.leaf(spot.number)
        return self._columns[spot.number]

    def number(self, spot: Spot) -> tuple[Any, Mask | None]:
        """A leaf as numbers, and where it is none."""
        if spot.number not in self._numbers:
            self._numbers[spot.number] = numbers_in(self.column(spot), self.texts)
        return self._numbers[spot.number]

    def rows(self, spots: Sequence[Spot]) -> Column | None:
        """Leaves as the rows of a column, shape (leaves, n); None where they do not lie next to each other."""
        numbers = [spot.number for spot in spots]
        first = min(numbers, default=0)
        if numbers != list(range(first, first + len(numbers))):
            return None
        if self.read is not None:
            self.read.update(numbers)
        return self.table.block(first, len(numbers))

    def one_by_one(self, function: Callable[[Any], Any]) -> list[Any]:
        """What a function says of each output. Equal outputs are asked about once."""
        table, layout = self.table, self.table.layout
        if self.read is not None:
            self.read.update(range(layout.leaves))
            return [None] * table.size
        known: dict[bytes, Any] = {}
        found = []
        for kinds, values in zip(table.kinds.T, table.values.T, strict=True):
            key = kinds.tobytes() + values.tobytes()
            if key not in known:
                kept = [self._leaf(kind, value) for kind, value in zip(kinds.tolist(), values.tolist(), strict=True)]
                leaves = (kept[layout.row(leaf)] if layout.keeps(leaf) else None for leaf in range(layout.leaves))
                known[key] = function(likeness(layout.skeleton, leaves))
            found.append(known[key])
        return found

    def _leaf(self, kind: int, value: float) -> object:
        return math.nan if kind == LeafKind.NAN else leaf_value(kind, value, self.texts.texts)


_ALL_NUMBERS = np.array([NUMBER], np.uint8)
_KIND_NAMES = {
    LeafKind.BOOL: "bool",
    LeafKind.INT: "int",
    LeafKind.FLOAT: "float",
    LeafKind.NAN: "float",
    LeafKind.STRING: "str",
    LeafKind.NONE: "NoneType",
    LeafKind.BIGINT: "int",
}
_KINDS_OF_TYPE: Mapping[str, frozenset[LeafKind]] = {
    "bool": frozenset([LeafKind.BOOL]),
    "int": frozenset([LeafKind.BOOL, LeafKind.INT, LeafKind.BIGINT]),
    "float": frozenset([LeafKind.FLOAT, LeafKind.NAN]),
    "str": frozenset([LeafKind.STRING]),
}


def is_number(value: Value) -> bool:
    """Whether this is one number for all outputs."""
    return isinstance(value, bool | int | float)


def is_plain(value: Value) -> bool:
    """Whether this is one value for all outputs, and no container."""
    return value is None or isinstance(value, bool | int | float | str | bytes)


def leaf_of(value: Any, texts: TextNumbers) -> tuple[int, float]:
    """The class of a plain value, and its number. Raises Undefined for a container."""
    if is_number(value) and not (isinstance(value, int) and abs(value) > EXACT):
        return (NAN, 0.0) if math.isnan(value) else (NUMBER, float(value))
    if value is None:
        return NONE, 0.0
    if isinstance(value, str):
        return TEXT, texts.number(value)
    if isinstance(value, int | bytes):
        return OTHER, texts.number(literal_code(value))
    raise Undefined


def column_from(leaves: Sequence[tuple[int, float]]) -> Column:
    """Leaves, one after the other."""
    return Column(np.array([kind for kind, _ in leaves], np.uint8), np.array([one for _, one in leaves], np.float64))


def numbers_of(values: TableValues, value: Value) -> Any:
    """The value as a number or numbers, NaN included; outputs where it is none are undefined."""
    if isinstance(value, np.ndarray):
        return value
    if is_number(value):
        if abs(value) > EXACT and isinstance(value, int):
            raise NotFollowed
        return value
    if not isinstance(value, Spot | Column):
        raise Undefined
    found, missing = values.number(value) if isinstance(value, Spot) else numbers_in(value, values.texts)
    if missing is not None:
        values.fail(missing)
    return found


def numbers_in(column: Column, texts: TextNumbers) -> tuple[Floats, Mask | None]:
    """The numbers of a column, and where there are none, if there are such outputs."""
    classes, values = column.classes, column.values
    if all_numbers(classes):
        return values, None
    numeric = np.asarray(classes == NUMBER)
    unknown = classes == NAN
    if unknown.any():
        values = np.where(unknown, np.nan, values)
        numeric |= unknown
    if column.kinds is not None and (large := column.kinds == LeafKind.BIGINT).any():
        values = np.where(large, _large_numbers(column, texts), values)
        numeric = numeric | large
    return values, None if numeric.all() else ~np.broadcast_to(numeric, values.shape)


def _large_numbers(column: Column, texts: TextNumbers) -> Floats:
    """Integers beyond 2**53 as floats, away from zero where they are none, so that none comes within 2**53."""
    found = np.zeros(column.values.shape)
    for number in np.unique(column.values[column.kinds == LeafKind.BIGINT]).tolist():
        exact = int(texts.texts[int(number)], 0)
        outwards = math.inf if exact > 0 else -math.inf
        try:
            nearest = float(exact)
        except OverflowError:
            nearest = outwards
        within = math.isfinite(nearest) and abs(int(nearest)) < abs(exact)
        found[column.values == number] = math.nextafter(nearest, outwards) if within else nearest
    return found


def all_numbers(classes: Classes) -> bool:
    """Whether all are numbers, and no NaN."""
    return bool(classes.item() == NUMBER) if classes.size == 1 else bool((classes == NUMBER).all())


def column_of(values: TableValues, value: Value) -> Column:
    """The value, if it is no container, as a column. Raises NotFollowed for what is no leaf."""
    if isinstance(value, Column):
        return value
    if isinstance(value, Spot):
        return values.column(value)
    if isinstance(value, np.ndarray):
        numbers = value.astype(np.float64, copy=False)
        unknown = np.isnan(numbers)
        if not unknown.any():
            return Column(_ALL_NUMBERS, numbers)
        return Column(np.where(unknown, np.uint8(NAN), np.uint8(NUMBER)), np.where(unknown, 0.0, numbers))
    return column_from([leaf_of(value, values.texts)])


def truth_of(values: TableValues, value: Value) -> Truth:
    """Python's truth of the value."""
    if isinstance(value, np.ndarray):
        return value if value.dtype == np.bool_ else value != 0
    if isinstance(value, Spot | Column):
        column = column_of(values, value)
        if has_text(values, column):
            raise NotFollowed
        known = column.classes == NUMBER
        return np.asarray((known & (column.values != 0)) | (column.classes == NAN) | (column.classes == OTHER))
    if is_plain(value) or isinstance(value, list | tuple | dict):
        return bool(value)
    if isinstance(value, Seen):
        raise NotFollowed  # one of the views may be its length
    return True


def has_text(values: TableValues, value: Value) -> bool:
    """Whether it is a text on some outputs."""
    if isinstance(value, Spot | Column):
        return bool((column_of(values, value).classes == TEXT).any())
    return isinstance(value, str)


def items_of(value: Value) -> list[Value]:
    """What a loop over the value goes through. Raises Undefined where not all of it is known."""
    value = seen_through(value, "list")
    if isinstance(value, str | bytes | Spot | Column):
        raise NotFollowed
    if isinstance(value, list | tuple | dict):
        items = list(value)
        if len(items) == len(value):
            return items
    raise Undefined


def seen_through(value: Value, view: str) -> Value:
    """What a view of the value shows, if it is known; else the value itself."""
    return value.seen.get(view, value) if isinstance(value, Seen | Spot) else value


def item(values: TableValues, value: Value, index: Any) -> Value:
    """`value[index]`, for a constant index."""
    if isinstance(value, Spot | Column):
        return of_text(values, lambda text: text[index], value)
    if type(value).__name__ in UNORDERED or isinstance(value, np.ndarray):
        raise Undefined
    if isinstance(value, list) and isinstance(index, int) and index < 0 and len(value) > len(list(value)):
        raise Undefined  # the last ones are not known
    try:
        return value[index]
    except UNDEFINED:
        raise Undefined from None


def of_types(values: TableValues, value: Value, names: frozenset[str]) -> Truth:
    """`isinstance(value, names)`."""
    if isinstance(value, Spot):
        kinds = values.column(value).kinds
        wanted = {kind for name in names for kind in _KINDS_OF_TYPE.get(name, ())}
        return np.array([kind in wanted for kind in LeafKind])[kinds]
    if isinstance(value, Column | np.ndarray):
        if names >= {"int", "float"} and (isinstance(value, np.ndarray) or all_numbers(value.classes)):
            return True
        raise NotFollowed
    return bool(function_of("isinstance")(value, *names))


def type_name(values: TableValues, value: Value) -> Value:
    """`type(value).__name__`."""
    if isinstance(value, Spot):
        by_kind = np.array([values.texts.number(_KIND_NAMES.get(kind, "object")) for kind in LeafKind], np.float64)
        return Column(np.array([TEXT], np.uint8), by_kind[values.column(value).kinds])
    if isinstance(value, Column | np.ndarray):
        raise NotFollowed
    return type(value).__name__


def of_text(values: TableValues, function: Callable[[str], object], value: Value) -> Value:
    """A function of one text, called once for each of them; undefined for what is no text."""
    column = column_of(values, value)
    is_text = column.classes == TEXT
    chosen = np.broadcast_to(is_text, np.broadcast_shapes(column.classes.shape, column.values.shape))
    if not is_text.all():
        values.fail(~chosen)
        if not is_text.any():
            return np.zeros(chosen.shape)
    numbers, places = np.unique(np.broadcast_to(column.values, chosen.shape)[chosen], return_inverse=True)
    found = _of_each(function, [values.texts.texts[int(number)] for number in numbers.tolist()], values.texts)
    classes, results = np.zeros(chosen.shape, np.uint8), np.zeros(chosen.shape)
    classes[chosen], results[chosen] = found.classes[places], found.values[places]
    if not found.classes.all():
        values.fail(classes == 0)
    return results if all_numbers(found.classes) else Column(classes, results)


def _of_each(function: Callable[[str], object], given: Sequence[str], texts: TextNumbers) -> Column:
    """What a function gives, one for each of the texts, missing where it raises an exception."""
    found: list[tuple[int, float]] = []
    for text in given:
        try:
            found.append(leaf_of(function(text), texts))
        except Undefined:
            raise NotFollowed from None
        except UNDEFINED:
            found.append((MISSING, 0.0))
    return column_from(found)
