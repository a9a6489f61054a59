"""Reading features from tables of outputs, all runs of a shape at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from dplint.events.features import (
    Count,
    Difference,
    Element,
    Feature,
    Hamming,
    Length,
    Message,
    Reaching,
    Summary,
    Summed,
    TypeName,
    Whole,
)
from dplint.events.layout import Part, Steps
from dplint.events.tables import Table
from dplint.events.values import MISSING_COLUMN, Class, Column, Mask, Texts
from dplint.runner.batch import Kind

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


def read_column(feature: Feature, table: Table, texts: Texts) -> Column:
    """The values of a feature on the outputs of a table."""
    part = table.parts.get(feature.place.steps)
    found = None if part is None else _on_part(feature, table, part, texts)
    return MISSING_COLUMN if found is None else _narrowed(found)


def _narrowed(column: Column) -> Column:
    """The column with one entry for all outputs if they agree, as constants are counted at no cost."""
    values, classes = column.values, column.classes
    if values.ndim == 1 and values.size and _agree(values) and _agree(classes):
        return Column(classes[:1], values[:1])
    return column


def _agree(entries: npt.NDArray[np.generic]) -> bool:
    return bool(entries[0] == entries[-1] and (entries == entries[0]).all())


def leaves_read(feature: Feature, parts: dict[Steps, Part]) -> Sequence[int]:
    """The leaves that a feature is read from in outputs with these parts."""
    part = parts.get(feature.place.steps)
    if part is None:
        return range(0)
    match feature:
        case Difference(other=other):
            second = parts.get(other.steps)
            return (part.start, second.start) if second and part.is_leaf and second.is_leaf else ()
        case Length():
            return range(0)
        case Element() | TypeName():
            read = part.is_leaf
        case Message():
            read = part.raised
        case _:
            read = part.plain
    return range(part.start, part.stop) if read else range(0)


def _on_part(feature: Feature, table: Table, part: Part, texts: Texts) -> Column | None:
    """The column on the outputs of one table; None where the feature is not defined for its shape."""
    match feature:
        case Element():
            return table.leaf(part) if part.is_leaf else None
        case TypeName():
            return _type_names(table, part, texts)
        case Message():
            return table.leaf(part) if part.raised else None
        case Length():
            return None if part.length is None else _constant(Class.NUMBER, part.length)
        case Difference(other=other):
            return _difference(table, part, table.parts.get(other.steps))
        case _:
            return _on_sequence(feature, table.slice(part)) if part.plain else None


def _on_sequence(feature: Count | Hamming | Summed | Reaching | Whole, leaves: Column) -> Column | None:
    """The column of a feature of all elements, given as a column with a row for each."""
    match feature:
        case Count(key=key):
            assert key is not None
            return _numbers(_how_many(key.mask(leaves)))
        case Hamming():
            return _hamming(feature, leaves)
        case Summed(summary=summary):
            return _summed(summary, leaves)
        case Reaching():
            return _reaching(feature, leaves)
        case Whole():
            return leaves


def _constant(kind: Class, value: float) -> Column:
    return Column(np.array([kind], np.uint8), np.array([value], np.float64))


def _numbers(values: npt.NDArray[np.generic], where: Mask | None = None) -> Column:
    """A column of numbers; missing outside `where`, and NaN where the numbers are."""
    numbers = values.astype(np.float64)
    unknown = np.isnan(numbers)
    if where is None and not unknown.any():
        return Column(np.array([Class.NUMBER], np.uint8), numbers)
    classes = np.full(numbers.shape, Class.NUMBER, np.uint8)
    classes[unknown] = Class.NAN
    if where is not None:
        classes[~where] = Class.MISSING
    numbers[classes != Class.NUMBER] = 0.0
    return Column(classes, numbers)


def _how_many(masks: Mask) -> npt.NDArray[np.integer]:
    """In how many rows a mask of shape (w, n) holds, shape (n,)."""
    return np.asarray(masks.view(np.uint8).sum(axis=0, dtype=np.uint8 if len(masks) < 256 else np.int64))


def _hamming(feature: Hamming, leaves: Column) -> Column:
    width, wanted = len(leaves.values), len(feature.reference)
    common = min(width, wanted)
    kinds = np.array([key.kind for key in feature.reference[:common]], np.uint8)[:, None]
    values = np.array([key.value for key in feature.reference[:common]], np.float64)[:, None]
    differing = (leaves.classes[:common] != kinds) | (leaves.values[:common] != values)
    return _numbers(_how_many(differing) + float(abs(width - wanted)))


def _difference(table: Table, part: Part, other: Part | None) -> Column | None:
    if other is None or not (part.is_leaf and other.is_leaf):
        return None
    one, two = table.leaf(part), table.leaf(other)
    plain = (one.classes == Class.NUMBER) & (two.classes == Class.NUMBER)
    with np.errstate(invalid="ignore", over="ignore"):
        return _numbers(one.values - two.values, None if plain.all() else plain)


def _reaching(feature: Reaching, leaves: Column) -> Column | None:
    if len(leaves.values) == 0:
        return None
    plain = (leaves.classes == Class.NUMBER).all(axis=0)
    where = None if plain.all() else plain
    if not feature.steps:
        return _numbers(_how_many(leaves.values >= feature.threshold), where)
    count = (leaves.values[0] >= feature.threshold).astype(np.int16)
    # Row by row, as all steps at once would not fit into the cache.
    with np.errstate(invalid="ignore", over="ignore"):
        for before, values in pairwise(leaves.values):
            count += values - before >= feature.threshold
    return _numbers(count, where)


def steps_of(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """What each row adds to the one before, the first row to zero; shape (w, n)."""
    steps = values.copy()
    with np.errstate(invalid="ignore", over="ignore"):
        steps[1:] -= values[:-1]
    return steps


def _summed(summary: Summary, leaves: Column) -> Column | None:
    if len(leaves.values) == 0:
        return None
    plain: Mask | None = (leaves.classes == Class.NUMBER).all(axis=0)
    if plain is not None and plain.all():
        plain = None
    with np.errstate(invalid="ignore", over="ignore"):
        match summary:
            case Summary.MEAN:
                return _numbers(_total(leaves) / len(leaves.values), plain)
            case Summary.SUM:
                return _numbers(_total(leaves), plain)
            case Summary.MIN:
                return _numbers(leaves.values.min(axis=0), plain)
            case Summary.MAX:
                return _numbers(leaves.values.max(axis=0), plain)


def _total(leaves: Column) -> npt.NDArray[np.float64]:
    """The sum of the elements from left to right, as Python adds; NumPy's own sum may take another order."""
    total: npt.NDArray[np.float64] = leaves.values[0].copy()
    for values in leaves.values[1:]:
        total += values
    return total


def _type_names(table: Table, part: Part, texts: Texts) -> Column:
    if not part.is_leaf:
        return _constant(Class.TEXT, texts.number(part.type_name))
    by_kind = np.array([texts.number(_TYPE_NAMES[kind]) for kind in Kind], np.float64)
    return Column(np.array([Class.TEXT], np.uint8), by_kind[table.kinds[part.start]])


def read_pooled(feature: Feature, tables: Sequence[Table], texts: Texts) -> Column:
    """The values of a feature on the outputs of all tables, one table after the other, written out for each."""
    return pool([(read_column(feature, table, texts), table.size) for table in tables])


def pool(columns: Iterable[tuple[Column, int]]) -> Column:
    """Columns one after the other, each written out for so many outputs."""
    written = [(np.broadcast_to(c.classes, n), np.broadcast_to(c.values, n)) for c, n in columns]
    if not written:
        return Column(np.zeros(0, np.uint8), np.zeros(0, np.float64))
    return Column(np.concatenate([c for c, _ in written]), np.concatenate([v for _, v in written]))
