"""Many outputs of one shape as a table, leaf by leaf, and how batches become tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from dplint.events.columns import Classes, Column, Floats, ValueClass
from dplint.events.layout import Layout, Part, layout_of
from dplint.events.places import Steps
from dplint.runner.batch import Batch, Group, LeafKind, Skeleton
from dplint.runner.texts import TextNumbers

Kinds = npt.NDArray[np.uint8]
Sides = npt.NDArray[np.int32]
Weights = npt.NDArray[np.int64]
Piece = tuple[int, slice]
"""Outputs of one data value that stand next to each other: its number, and their rows."""
_LONG = 1 << 10
"""Outputs that a piece has on average, if it pays to count each by itself."""

_Number = TypeVar("_Number", np.uint8, np.float64)

_CLASS_OF_KIND = np.zeros(len(LeafKind), np.uint8)
for _kind, _class in (
    (LeafKind.BOOL, ValueClass.NUMBER),
    (LeafKind.INT, ValueClass.NUMBER),
    (LeafKind.FLOAT, ValueClass.NUMBER),
    (LeafKind.NAN, ValueClass.NAN),
    (LeafKind.STRING, ValueClass.TEXT),
    (LeafKind.NONE, ValueClass.NONE),
    (LeafKind.BIGINT, ValueClass.OTHER),
    (LeafKind.OTHER, ValueClass.OTHER),
):
    _CLASS_OF_KIND[_kind] = _class


@dataclass(frozen=True, slots=True)
class Rows:
    """Outputs of one shape and one data value: kinds and values of shape (leaves, n), texts numbered as in
    `TextNumbers`. weights: how often each came; None for once.
    """

    side: int
    kinds: Kinds
    values: Floats
    weights: Weights | None = None

    @property
    def size(self) -> int:
        """How many outputs."""
        return int(self.values.shape[1])


@dataclass(frozen=True, slots=True)
class Table:
    """Outputs of one shape, of any data values.

    layout: where the parts of an output lie among its leaves, and which of these are kept. kinds, values: shape (leaves
    that are kept, n). classes: the same, or (leaves, 1) if all leaves are numbers. sides: for each output the number of
    its data value, shape (n,). weights: how often each output came, shape (n,); None if every run has a column of its
    own.
    """

    layout: Layout
    kinds: Kinds
    classes: Classes
    values: Floats
    sides: Sides
    weights: Weights | None = None

    @property
    def size(self) -> int:
        """How many columns the table has."""
        return len(self.sides)

    @property
    def parts(self) -> dict[Steps, Part]:
        """The parts of an output."""
        return self.layout.parts

    def pieces(self) -> tuple[Piece, ...]:
        """All outputs in pieces, which are counted faster than one by one; none where pieces are short or outputs have
        weights.
        """
        edges = [0, *(np.flatnonzero(self.sides[1:] != self.sides[:-1]) + 1).tolist(), self.size]
        if self.weights is not None or self.size < _LONG * (len(edges) - 1):
            return ()
        return tuple((int(self.sides[start]), slice(start, stop)) for start, stop in pairwise(edges))

    def slice(self, part: Part) -> Column:
        """The leaves of a part, shapes (its leaves, n)."""
        start = self.layout.row(part.start) if part.start < part.stop else 0
        rows = slice(start, start + part.stop - part.start)
        return Column(self.classes[rows], self.values[rows], self.kinds[rows])

    def kinds_of(self, part: Part) -> Kinds:
        """The kinds of the leaves of a part, shape (its leaves, n)."""
        start = self.layout.row(part.start) if part.start < part.stop else 0
        return self.kinds[start : start + part.stop - part.start]

    def leaf(self, number: int) -> Column:
        """A leaf by its number among those of an output."""
        row = self.layout.row(number)
        return Column(self.classes[row], self.values[row], self.kinds[row])


def rows_of(group: Group, side: int, numbers: Floats | None) -> Rows:
    """The outputs of a group. `numbers`: for each string of the batch its number in `TextNumbers`, None without
    strings.
    """
    kinds, values = group.kinds.T, group.values.T
    if numbers is not None:
        textual = _CLASS_OF_KIND[kinds] >= ValueClass.TEXT
        values = values.copy()
        values[textual] = numbers[values[textual].astype(np.intp)]
    return Rows(side, kinds, values)


def text_numbers(batch: Batch, texts: TextNumbers) -> Floats | None:
    """For each string of the batch its number in `texts`; None if there are none, or if it is their own number."""
    if batch.strings is texts.texts:
        return None
    return np.array([texts.number(text) for text in batch.strings], np.float64) if batch.strings else None


def stack(layout: Layout, pieces: Sequence[Rows]) -> Table:
    """One table of several pieces, in their order."""
    kinds = _joined([piece.kinds for piece in pieces])
    values = _joined([piece.values for piece in pieces])
    sides = np.repeat(np.array([p.side for p in pieces], np.int32), [p.size for p in pieces])
    weights = None
    if any(piece.weights is not None for piece in pieces):
        each = [np.ones(piece.size, np.int64) if piece.weights is None else piece.weights for piece in pieces]
        weights = np.concatenate(each)
    return table_of(layout, kinds, values, sides, weights)


def table_of(layout: Layout, kinds: Kinds, values: Floats, sides: Sides, weights: Weights | None = None) -> Table:
    """The table of these leaves."""
    if kinds.max(initial=0) <= LeafKind.FLOAT:
        classes = np.full((len(kinds), 1), ValueClass.NUMBER, np.uint8)
    else:
        classes = _CLASS_OF_KIND[kinds]
        valued = (classes == ValueClass.NUMBER) | (classes >= ValueClass.TEXT)
        values = np.where(valued, values, 0.0)
    return Table(layout, kinds, classes, values, sides, weights)


def _joined(arrays: Sequence[npt.NDArray[_Number]]) -> npt.NDArray[_Number]:
    """The arrays side by side, each leaf in one piece of memory, for all that follows goes leaf by leaf."""
    if len(arrays) == 1:
        return np.ascontiguousarray(arrays[0])
    joined = np.empty((len(arrays[0]), sum(array.shape[1] for array in arrays)), arrays[0].dtype)
    return np.concatenate(arrays, axis=1, out=joined)


def tables_of(batches: Iterable[Batch], texts: TextNumbers, most: int) -> list[Table]:
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
    return [stack(layout_of(skeleton), found) for skeleton, found in pieces.items()]
