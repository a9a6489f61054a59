"""Many outputs of one shape as a table, leaf by leaf, and how batches become tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from dplint.events.layout import Part, Steps, parts_of
from dplint.events.values import Class, Classes, Column, Floats, Texts
from dplint.runner.batch import Batch, Group, Kind, Skeleton

Kinds = npt.NDArray[np.uint8]
Sides = npt.NDArray[np.int32]
Weights = npt.NDArray[np.int64]

_Number = TypeVar("_Number", np.uint8, np.float64)

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


@dataclass(frozen=True, slots=True)
class Rows:
    """Outputs of one shape and one data value: kinds and values of shape (leaves, n), texts numbered as in `Texts`."""

    side: int
    kinds: Kinds
    values: Floats

    @property
    def size(self) -> int:
        """How many outputs."""
        return int(self.values.shape[1])


@dataclass(frozen=True, slots=True)
class Table:
    """Outputs of one shape, of any data values.

    parts: where the parts of an output lie among the leaves. kinds, values: shape (leaves, n). classes: the same, or
    (leaves, 1) if all leaves are numbers. sides: for each output the number of its data value, shape (n,).
    weights: how often each output came, shape (n,); None if every run has a column of its own.
    """

    parts: dict[Steps, Part]
    kinds: Kinds
    classes: Classes
    values: Floats
    sides: Sides
    weights: Weights | None = None

    @property
    def size(self) -> int:
        """How many columns the table has."""
        return len(self.sides)

    def slice(self, part: Part) -> Column:
        """The leaves of a part, shapes (its leaves, n)."""
        return Column(self.classes[part.start : part.stop], self.values[part.start : part.stop])

    def leaf(self, part: Part) -> Column:
        """The one leaf of a part."""
        return Column(self.classes[part.start], self.values[part.start])


def rows_of(group: Group, side: int, numbers: Floats | None) -> Rows:
    """The outputs of a group. `numbers`: for each string of the batch its number in `Texts`, None without strings."""
    kinds, values = group.kinds.T, group.values.T
    if numbers is not None:
        textual = _CLASS_OF_KIND[kinds] >= Class.TEXT
        values = values.copy()
        values[textual] = numbers[values[textual].astype(np.intp)]
    return Rows(side, kinds, values)


def text_numbers(batch: Batch, texts: Texts) -> Floats | None:
    """For each string of the batch its number in `texts`; None if there are no strings."""
    return np.array([texts.number(text) for text in batch.strings], np.float64) if batch.strings else None


def stack(parts: dict[Steps, Part], pieces: Sequence[Rows]) -> Table:
    """One table of several pieces, in their order."""
    kinds = _joined([piece.kinds for piece in pieces])
    values = _joined([piece.values for piece in pieces])
    sides = np.repeat(np.array([p.side for p in pieces], np.int32), [p.size for p in pieces])
    return table_of(parts, kinds, values, sides)


def table_of(
    parts: dict[Steps, Part], kinds: Kinds, values: Floats, sides: Sides, weights: Weights | None = None
) -> Table:
    """The table of these leaves."""
    if kinds.max(initial=0) <= Kind.FLOAT:
        classes = np.full((len(kinds), 1), Class.NUMBER, np.uint8)
    else:
        classes = _CLASS_OF_KIND[kinds]
        valued = (classes == Class.NUMBER) | (classes >= Class.TEXT)
        values = np.where(valued, values, 0.0)
    return Table(parts, kinds, classes, values, sides, weights)


def _joined(arrays: Sequence[npt.NDArray[_Number]]) -> npt.NDArray[_Number]:
    """The arrays side by side, each leaf in one piece of memory, for all that follows goes leaf by leaf."""
    if len(arrays) == 1:
        return np.ascontiguousarray(arrays[0])
    joined = np.empty((len(arrays[0]), sum(array.shape[1] for array in arrays)), arrays[0].dtype)
    return np.concatenate(arrays, axis=1, out=joined)


def tables_of(batches: Iterable[Batch], texts: Texts, most: int) -> list[Table]:
    """About `most` outputs of every batch, of each shape in proportion; a table for each shape, batches are the sides.

    Runs are exchangeable, and those on lanes are numbered shape by shape: the first rows would be of one shape only.
    """
    pieces: dict[Skeleton, list[Rows]] = {}
    for side, batch in enumerate(batches):
        numbers = text_numbers(batch, texts)
        for group in batch.groups:
            rows = rows_of(group, side, numbers)
            kept = min(rows.size, math.ceil(rows.size * most / batch.runs))
            if kept:
                pieces.setdefault(group.skeleton, []).append(Rows(side, rows.kinds[:, :kept], rows.values[:, :kept]))
    return [stack(parts_of(skeleton), found) for skeleton, found in pieces.items()]
