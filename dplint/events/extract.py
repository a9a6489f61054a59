"""Reading features from batches of outputs, all runs of a shape at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dplint.events.features import (
    Count,
    Element,
    Feature,
    Hamming,
    Length,
    Message,
    Place,
    Summary,
    Summed,
    TypeName,
    Whole,
)
from dplint.events.layout import Part, parts_of
from dplint.events.values import Class, Classes, Column, Floats, Mask, Texts, number_literal
from dplint.runner.batch import Batch, Group, Kind

_CLASS_OF_KIND = np.zeros(len(Kind), np.uint8)
for _kind, _class in (
    (Kind.BOOL, Class.NUMBER),
    (Kind.INT, Class.NUMBER),
    (Kind.FLOAT, Class.NUMBER),
    (Kind.NAN, Class.NAN),
    (Kind.STRING, Class.TEXT),
    (Kind.NONE, Class.NONE),
    (Kind.BIGINT, Class.OTHER),
    (Kind.OTHER, Class.OTHER),
):
    _CLASS_OF_KIND[_kind] = _class

_TYPE_NAMES = {
    Kind.BOOL: "bool",
    Kind.INT: "int",
    Kind.FLOAT: "float",
    Kind.NAN: "float",
    Kind.STRING: "str",
    Kind.NONE: "NoneType",
    Kind.BIGINT: "int",
    Kind.OTHER: "object",
}


@dataclass(frozen=True, slots=True)
class Table:
    """The leaves of one group as values: classes and values of shape (runs of the group, leaves)."""

    classes: Classes
    values: Floats
    kinds: npt.NDArray[np.uint8]
    parts: dict[tuple[int | str, ...], Part]
    rows: npt.NDArray[np.int32]

    def slice(self, part: Part) -> Column:
        """The leaves of a part, as two-dimensional arrays in a Column."""
        return Column(self.classes[:, part.start : part.stop], self.values[:, part.start : part.stop])


def tables_of(batch: Batch, texts: Texts) -> list[Table]:
    """The groups of a batch with texts numbered alike in all batches."""
    numbers = np.array([texts.number(text) for text in batch.strings] or [0], np.float64)
    return [_table(group, numbers) for group in batch.groups]


def _table(group: Group, numbers: Floats) -> Table:
    classes = _CLASS_OF_KIND[group.kinds]
    values = np.where(classes == Class.NUMBER, group.values, 0.0)
    textual = (classes == Class.TEXT) | (classes == Class.OTHER)
    if textual.any():
        values[textual] = numbers[group.values[textual].astype(np.intp)]
    return Table(classes, values, group.kinds, parts_of(group.skeleton), group.rows)


def read_columns(features: Iterable[Feature], batch: Batch, texts: Texts) -> dict[Feature, Column]:
    """The columns of the features on one batch."""
    tables = tables_of(batch, texts)
    return {feature: _read(feature, tables, batch.runs, texts) for feature in features}


def distinct_rows(batch: Batch, place: Place) -> int:
    """In how many ways a sequence comes out in one batch, before any of them is spelled out."""
    found = 0
    for group in batch.groups:
        part = parts_of(group.skeleton).get(place.steps)
        if part is not None and part.plain:
            cells = slice(part.start, part.stop)
            joined = np.concatenate([group.kinds[:, cells].astype(np.float64), group.values[:, cells]], axis=1)
            found += len(np.unique(joined, axis=0)) if part.stop > part.start else 1
    return found


def _read(feature: Feature, tables: Sequence[Table], runs: int, texts: Texts) -> Column:
    column = Column.missing(runs)
    for table in tables:
        part = table.parts.get(feature.place.steps)
        if part is None:
            continue
        found = _on_part(feature, table, part, texts)
        if found is not None:
            column.classes[table.rows] = found.classes
            column.values[table.rows] = found.values
    return column


def _on_part(feature: Feature, table: Table, part: Part, texts: Texts) -> Column | None:
    """The column on the runs of one table; None where the feature is not defined for its shape."""
    leaves = table.slice(part)
    match feature:
        case Element():
            return Column(leaves.classes[:, 0], leaves.values[:, 0]) if part.is_leaf else None
        case TypeName():
            return _type_names(table, part, texts)
        case Message():
            return Column(leaves.classes[:, 0], leaves.values[:, 0]) if part.raised else None
        case Length():
            return None if part.length is None else _constant(part.length, len(table.rows))
    if not part.plain:
        return None
    match feature:
        case Count(key=key):
            assert key is not None
            return _numbers(key.mask(leaves).sum(axis=1))
        case Hamming():
            return _hamming(feature, leaves)
        case Summed(summary=summary):
            return _summed(summary, leaves)
        case Whole():
            return whole_texts(leaves, table.kinds[:, part.start : part.stop], texts)


def _numbers(values: npt.NDArray[np.generic], where: Mask | None = None) -> Column:
    classes = np.full(values.shape, Class.NUMBER, np.uint8)
    numbers = values.astype(np.float64)
    if where is not None:
        classes[~where] = Class.MISSING
        numbers[~where] = 0.0
    classes[np.isnan(numbers)] = Class.NAN
    numbers[np.isnan(numbers)] = 0.0
    return Column(classes, numbers)


def _constant(value: float, runs: int) -> Column:
    return _numbers(np.full(runs, value))


def _hamming(feature: Hamming, leaves: Column) -> Column:
    width, wanted = leaves.classes.shape[1], len(feature.reference)
    common = min(width, wanted)
    differing = np.full(leaves.classes.shape[0], abs(width - wanted))
    for index in range(common):
        key = feature.reference[index]
        differing += ~key.mask(Column(leaves.classes[:, index], leaves.values[:, index]))
    return _numbers(differing)


def _summed(summary: Summary, leaves: Column) -> Column | None:
    if leaves.values.shape[1] == 0:
        return None
    plain = (leaves.classes == Class.NUMBER).all(axis=1)
    with np.errstate(invalid="ignore", over="ignore"):
        match summary:
            case Summary.MEAN:
                # As Python does it: added up from left to right, then divided.
                return _numbers(np.cumsum(leaves.values, axis=1)[:, -1] / leaves.values.shape[1], plain)
            case Summary.SUM:
                return _numbers(np.cumsum(leaves.values, axis=1)[:, -1], plain)
            case Summary.MIN:
                return _numbers(leaves.values.min(axis=1), plain)
            case Summary.MAX:
                return _numbers(leaves.values.max(axis=1), plain)


def _type_names(table: Table, part: Part, texts: Texts) -> Column:
    runs = len(table.rows)
    if not part.is_leaf:
        number = texts.number(part.type_name)
        return Column(np.full(runs, Class.TEXT, np.uint8), np.full(runs, float(number)))
    by_kind = np.array([texts.number(_TYPE_NAMES[kind]) for kind in Kind], np.float64)
    return Column(np.full(runs, Class.TEXT, np.uint8), by_kind[table.kinds[:, part.start]])


def whole_texts(leaves: Column, kinds: npt.NDArray[np.uint8], texts: Texts) -> Column:
    """Each row of leaves as one category, whose text is the list in Python.

    As in Python, [True] and [1] are the same, and a list with a NaN equals no list: it is left out.
    """
    runs, width = leaves.classes.shape
    joined = np.concatenate([leaves.classes.astype(np.float64), leaves.values], axis=1)
    if width == 0:
        return Column(np.full(runs, Class.OTHER, np.uint8), np.full(runs, float(texts.number("[]"))))
    _, first, inverse = np.unique(joined, axis=0, return_index=True, return_inverse=True)
    numbers = np.array([_row_number(leaves, kinds, int(row), texts) for row in first], np.float64)
    classes = np.where((leaves.classes == Class.NAN).any(axis=1), Class.MISSING, Class.OTHER)
    return Column(classes.astype(np.uint8), numbers[inverse.ravel()])


def _row_number(leaves: Column, kinds: npt.NDArray[np.uint8], row: int, texts: Texts) -> int:
    width = range(leaves.classes.shape[1])
    shown = [leaf_literal(leaves, row, j, texts, boolean=bool(kinds[row, j] == Kind.BOOL)) for j in width]
    alike = [leaf_literal(leaves, row, j, texts, boolean=False) for j in width]
    return texts.number(f"[{', '.join(alike)}]", f"[{', '.join(shown)}]")


def leaf_literal(leaves: Column, row: int, leaf: int, texts: Texts, *, boolean: bool) -> str:
    """One leaf as a Python literal; an integer and an equal float are spelled alike, being equal."""
    value = float(leaves.values[row, leaf])
    match Class(int(leaves.classes[row, leaf])):
        case Class.NUMBER:
            return number_literal(value, integral=abs(value) < 1e15, boolean=boolean)
        case Class.NAN:
            return "float('nan')"
        case Class.NONE | Class.MISSING:
            return "None"
        case Class.TEXT:
            return repr(texts.texts[int(value)])
        case Class.OTHER:
            return texts.texts[int(value)]
