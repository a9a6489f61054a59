"""Many outputs of one shape as a table, leaf by leaf, and how batches become tables.

What all outputs have in common is not written out for each: kinds that agree are a view of one column, and which data
value outputs are of is known by pieces.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from dplint.events.columns import NUMBER, TEXT, Classes, Column, Floats, ValueClass
from dplint.events.layout import Layout, Part, layout_of
from dplint.events.places import Steps
from dplint.runner.batch import Batch, Group, LeafKind, Skeleton, of_all
from dplint.runner.texts import TextNumbers

Kinds = npt.NDArray[np.uint8]
Sides = npt.NDArray[np.int32]
Weights = npt.NDArray[np.int64]
Piece = tuple[int, slice]
"""Outputs of one data value that stand next to each other: its number, and their rows."""
_LONG = 1 << 10
"""Outputs that a piece has on average, if it pays to count each by itself."""

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
    `TextNumbers`.
    """

    side: int
    kinds: Kinds
    values: npt.NDArray[Any]

    @property
    def size(self) -> int:
        """How many outputs."""
        return int(self.values.shape[1])

    def only(self, leaves: npt.NDArray[np.intp] | slice) -> Rows:
        """The outputs with these leaves alone."""
        common = _common(self.kinds)[leaves]
        kinds = of_all(common[:, 0], self.size) if common.shape[1] == 1 else common
        return Rows(self.side, kinds, self.values[leaves])


@dataclass(frozen=True)
class Table:
    """Outputs of one shape, of any data values.

    layout: where the parts of an output lie among its leaves, and which of these are kept. kinds, values: shape (leaves
    that are kept, n); values are bools if all leaves are, else floats. classes: the same, or (leaves, 1) if all outputs
    agree. pieces: of which data value they are, none left out. weights: how often each output came, shape (n,); None if
    every run has a column of its own.
    """

    layout: Layout
    kinds: Kinds
    classes: Classes
    values: npt.NDArray[Any]
    pieces: tuple[Piece, ...]
    weights: Weights | None = None

    @property
    def size(self) -> int:
        """How many columns the table has."""
        return int(self.values.shape[1])

    @cached_property
    def sides(self) -> Sides:
        """For each output the number of its data value, shape (n,)."""
        sizes = [rows.stop - rows.start for _, rows in self.pieces]
        return np.repeat(np.array([side for side, _ in self.pieces], np.int32), sizes)

    @property
    def common_kinds(self) -> Kinds:
        """The kinds, shape (leaves, 1) where all outputs are known to agree."""
        return _common(self.kinds)

    @property
    def floats(self) -> Floats:
        """The values as floats."""
        return self._floats if self.values.dtype == np.bool_ else self.values

    @cached_property
    def _floats(self) -> Floats:
        return self.values.astype(np.float64)

    @property
    def parts(self) -> dict[Steps, Part]:
        """The parts of an output."""
        return self.layout.parts

    @property
    def long_pieces(self) -> tuple[Piece, ...]:
        """The pieces, where these are counted faster one by one than outputs are; none where they are short or outputs
        have weights.
        """
        return () if self.weights is not None or self.size < _LONG * len(self.pieces) else self.pieces

    def slice(self, part: Part) -> Column:
        """The leaves of a part, shapes (its leaves, n)."""
        return self.block(part.start, part.leaves)

    def block(self, first: int, count: int) -> Column:
        """So many leaves that lie next to each other, shapes (count, n)."""
        start = self.layout.row(first) if count else 0
        rows = slice(start, start + count)
        return Column(self.classes[rows], self.floats[rows], self.kinds[rows])

    def kinds_of(self, part: Part) -> Kinds:
        """The kinds of the leaves of a part, shape (its leaves, n)."""
        start = self.layout.row(part.start) if part.start < part.stop else 0
        return self.kinds[start : start + part.stop - part.start]

    def leaf(self, number: int) -> Column:
        """A leaf by its number among those of an output."""
        row = self.layout.row(number)
        return Column(self.classes[row], self.floats[row], self.kinds[row])


def rows_of(group: Group, side: int, numbers: Floats | None) -> Rows:
    """The outputs of a group. `numbers`: for each string of the batch its number in `TextNumbers`, None without
    strings.
    """
    kinds, values = group.kinds.T, group.values.T
    if numbers is not None:
        textual = _CLASS_OF_KIND[kinds] >= TEXT
        values = values.copy()
        values[textual] = numbers[values[textual].astype(np.intp)]
    if kinds.size and kinds.strides[1] and (kinds == kinds[:, :1]).all():
        kinds = of_all(kinds[:, 0], kinds.shape[1])
    return Rows(side, kinds, values)


def pieces_of(sides: Sides) -> tuple[Piece, ...]:
    """Where outputs of one data value stand next to each other. sides: of each output, shape (n,)."""
    edges = [0, *(np.flatnonzero(sides[1:] != sides[:-1]) + 1).tolist(), len(sides)]
    return tuple((int(sides[start]), slice(start, stop)) for start, stop in pairwise(edges) if stop > start)


def text_numbers(batch: Batch, texts: TextNumbers) -> Floats | None:
    """For each string of the batch its number in `texts`; None if there are none, or if it is their own number."""
    if batch.strings is texts.texts:
        return None
    return np.array([texts.number(text) for text in batch.strings], np.float64) if batch.strings else None


def stack(layout: Layout, pieces: Sequence[Rows]) -> Table:
    """One table of several pieces, in their order."""
    edges = [0, *accumulate(piece.size for piece in pieces)]
    rows = [(piece.side, slice(*edge)) for piece, edge in zip(pieces, pairwise(edges), strict=True)]
    kinds = _joined_kinds([piece.kinds for piece in pieces], edges[-1])
    return table_of(layout, kinds, _joined([piece.values for piece in pieces]), rows)


def table_of(
    layout: Layout, kinds: Kinds, values: npt.NDArray[Any], pieces: Sequence[Piece], weights: Weights | None = None
) -> Table:
    """The table of these leaves."""
    common = _common(kinds)
    if common.max(initial=0) <= LeafKind.FLOAT:
        classes = np.full((len(kinds), 1), NUMBER, np.uint8)
    else:
        classes = _CLASS_OF_KIND[common]
        valued = (classes == NUMBER) | (classes >= TEXT)
        values = np.where(valued, values, 0.0)
    return Table(layout, kinds, classes, values, tuple(pieces), weights)


def _common(kinds: Kinds) -> Kinds:
    """The kinds of outputs, one column of them where these are written out for none."""
    return kinds[:, :1] if kinds.shape[1] > 1 and kinds.strides[1] == 0 else kinds


def _joined_kinds(arrays: Sequence[Kinds], size: int) -> Kinds:
    first, *others = map(_common, arrays)
    # Small arrays are compared faster as bytes.
    if first.shape[1] == 1 and all(one.shape[1] == 1 and one.tobytes() == first.tobytes() for one in others):
        return of_all(first[:, 0], size)
    return _joined(arrays)


def _joined(arrays: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """The arrays side by side, each leaf in one piece of memory, for all that follows goes leaf by leaf."""
    if len(arrays) == 1:
        return np.ascontiguousarray(arrays[0])
    joined = np.empty((len(arrays[0]), sum(array.shape[1] for array in arrays)), np.result_type(*arrays))
    return np.concatenate(arrays, axis=1, out=joined)


def tables_of(batches: Iterable[Batch], texts: TextNumbers, most: int) -> list[Table]:
    """About `most` outputs of every batch, of each shape in proportion; a table for each shape, batches are the
    sides.

    Runs are exchangeable, and those on lanes are numbered shape by shape: the first rows would be of one shape only.
    """
    pieces: dict[Skeleton, list[Rows]] = {}
    for side, batch in enumerate(batches):
        numbers = text_numbers(batch, texts)
        for group in batch.groups:
            rows = rows_of(group, side, numbers)
            first: Any = slice(min(rows.size, math.ceil(rows.size * most / batch.runs)))
            kept = Rows(side, rows.kinds[:, first], rows.values[:, first])
            if kept.size:
                pieces.setdefault(group.skeleton, []).append(kept)
    return [stack(layout_of(skeleton), found) for skeleton, found in pieces.items()]


def example_of(layout: Layout, texts: TextNumbers) -> Table:
    """Made-up outputs of a shape, to see what somebody looks at: of no leaf do they agree, nor is one always a number.

    What is done to numbers or to texts is done to one of them, and what comes after it in an expression is looked at.
    """
    kinds = np.tile(np.array([LeafKind.FLOAT, LeafKind.NONE, LeafKind.STRING], np.uint8), (layout.leaves, 1))
    classes = np.tile(np.array([ValueClass.NUMBER, ValueClass.NONE, ValueClass.TEXT], np.uint8), (layout.leaves, 1))
    values = np.tile(np.array([0.7311, 0.0, texts.number("a text")]), (layout.leaves, 1))
    return Table(layout, kinds, classes, values, ((0, slice(0, 3)),))
