"""Counting cells and events over the outputs of several data values, as they come in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from dplint.events.array_values import TableValues
from dplint.events.columns import Column, Floats, Mask
from dplint.events.conditions import Event, joined_column, of_each
from dplint.events.gathering import Gathering, Reader
from dplint.events.grids import Axis, Cells, Counts, Grid, tally
from dplint.events.table_values import Piece, Sides, Table, Weights
from dplint.runner.batch import Batch
from dplint.runner.texts import TextNumbers

_MOST_CELLS = 1 << 16
"""Of crossed axes, that can be numbered with 16 bits."""
_SMALL = 1 << 12
"""Outputs of a table that is counted together with others: what is done for each axis would take longer than that."""


@dataclass(frozen=True)
class Counting:
    """What is to be counted: the cells of these grids, or these events. Plain data, for any process.

    wanted: for each event the data values, by their numbers, that it is counted of; of others nothing is promised.
    Empty: all are counted of all.
    """

    what: tuple[Grid, ...] | tuple[Event, ...]
    wanted: tuple[frozenset[int], ...] = ()

    def counter(self, sides: int, texts: TextNumbers, numbers: Sequence[int] | None = None) -> OutputCounter:
        """A counter that has seen nothing, of so many data values. numbers: theirs; by default they count up from 0."""
        events = [one for one in self.what if isinstance(one, Event)]
        if events:
            named = range(sides) if numbers is None else numbers
            wanted = [frozenset(side for side, number in enumerate(named) if number in one) for one in self.wanted]
            return EventCounter(events, sides, texts, wanted)
        # Also of no grids at all, where outputs never vary.
        return CellCounter([one for one in self.what if isinstance(one, Grid)], sides, texts)

    def shapes(self, sides: int) -> list[tuple[int, ...]]:
        """Those of the totals for so many data values."""
        return [one.shape for one in self.counter(sides, TextNumbers()).totals()]


class OutputCounter(ABC):
    """Takes in batches of outputs, table by table."""

    def __init__(self, readers: Sequence[Reader], sides: int, texts: TextNumbers) -> None:
        self._sides = sides
        self._texts = texts
        self._gathering = Gathering(readers, sides, texts)

    def add(self, side: int, batch: Batch) -> None:
        """Count the outputs of one data value, given by its number."""
        self._take(self._gathering.add(side, batch))

    def totals(self) -> list[Counts]:
        """The counts so far, as arrays: for each grid one by data value and cell, or one by data value and event."""
        self._finish()
        return self._arrays()

    def take(self) -> list[Counts]:
        """The totals of what came since they were last taken."""
        found = [one.copy() for one in self.totals()]
        for one in self._arrays():
            one[...] = 0
        return found

    def add_totals(self, totals: Sequence[Counts], first: int = 0) -> None:
        """Count what another counter of the same has counted, whose data values have numbers from `first` on."""
        for mine, other in zip(self._arrays(), totals, strict=True):
            part = mine[first : first + len(other)]
            np.add(part, other, out=part)

    @abstractmethod
    def _arrays(self) -> list[Counts]: ...

    def _finish(self) -> None:
        self._take(self._gathering.rest())

    def _take(self, tables: Iterable[Table]) -> None:
        small: list[TableValues] = []
        for table in tables:
            values = TableValues(table, self._texts)
            if table.size < _SMALL:
                small.append(values)
            else:
                self._count([values])
        if small:
            self._count(small)

    @abstractmethod
    def _count(self, tables: Sequence[TableValues]) -> None:
        """Count the outputs of one table, or of many small ones together."""


class CellCounter(OutputCounter):
    """Counts the cells of grids, for `sides` data values."""

    def __init__(self, grids: Sequence[Grid], sides: int, texts: TextNumbers) -> None:
        self._of = tuple(grids)
        self._axes = tuple(dict.fromkeys(axis for grid in grids for axis in grid.axes))
        numbers = {axis: number for number, axis in enumerate(self._axes)}
        self._grids = [tuple(numbers[axis] for axis in grid.axes) for grid in grids]
        self._counts = [np.zeros((sides, *grid.shape), np.int64) for grid in grids]
        self._features = tuple(dict.fromkeys(axis.feature for axis in self._axes))
        order = {feature: number for number, feature in enumerate(self._features)}
        self._feature_of = [order[axis.feature] for axis in self._axes]
        super().__init__(self._features, sides, texts)

    def counts(self) -> tuple[tuple[Counts, ...], ...]:
        """The counts so far: for every data value those of each grid."""
        self._finish()
        return tuple(tuple(counts[side] for counts in self._counts) for side in range(self._sides))

    def _arrays(self) -> list[Counts]:
        return self._counts

    @property
    def counting(self) -> Counting:
        """What is counted."""
        return Counting(self._of)

    def of_grids(self, numbers: Sequence[int], scores: Sequence[Floats], most: int) -> CellCounter:
        """A counter that goes on from these counts with some of the grids, and in each with the thresholds of the best
        events, so many of a number at most. scores: of each of these grids those of its events.
        """
        self._finish()
        narrowed = [self._of[number].narrowed(own, most) for number, own in zip(numbers, scores, strict=True)]
        found = CellCounter([grid for grid, _ in narrowed], self._sides, self._texts)
        for place, (number, (_, bounds)) in enumerate(zip(numbers, narrowed, strict=True)):
            counts = self._counts[number]
            for axis, own in enumerate(bounds, 1):
                counts = counts if own is None else np.add.reduceat(counts, own, axis=axis)
            found._counts[place] = counts
        return found

    @property
    def grids(self) -> tuple[Grid, ...]:
        """What is counted."""
        return self._of

    def _count(self, tables: Sequence[TableValues]) -> None:
        sides, weights, pieces = _held_by(tables)
        columns: dict[int, Column] = {}
        located: dict[int, Cells] = {}

        def column(axis: int) -> Column:
            place = self._feature_of[axis]
            if place not in columns:
                feature = self._features[place]
                columns[place] = feature.column(*tables) if len(tables) == 1 else joined_column(feature, tables)
            return columns[place]

        def cells(axis: int) -> Cells:
            if axis not in located:
                own = self._axes[axis]
                apart = own.feature.IS_LIST and len(tables) > 1
                # Lists are not equally long in all tables.
                located[axis] = (
                    of_each(lambda values: own.locate(own.feature.column(values)), tables)
                    if apart
                    else own.locate(column(axis))
                )
            return located[axis]

        alone: dict[int, Counts] = {}
        for axis in {axes[0] for axes in self._grids if len(axes) == 1} if pieces else ():
            counted = self._axes[axis].counted(column(axis), [rows for _, rows in pieces])
            if counted is not None:
                alone[axis] = _by_side(self._sides, pieces, counted)
        self._count_cells(cells, sides, weights, pieces, alone)

    def _count_cells(
        self,
        cells: Callable[[int], Cells],
        sides: Sides,
        weights: Weights | None,
        pieces: Sequence[Piece],
        alone: dict[int, Counts],
    ) -> None:
        """Add the counts of all grids. cells: of each axis. alone: the counts of axes that are known without."""
        found: dict[tuple[int, ...], Counts] = {}
        for counts, axes in zip(self._counts, self._grids, strict=True):
            if len(axes) == 1 and axes[0] in alone:
                np.add(counts, alone[axes[0]], out=counts)
                continue
            # An axis on which all outputs agree says where to count, but nothing has to be counted on it.
            varying = tuple(axis for axis in axes if len(cells(axis)) > 1)
            if varying not in found:
                crossed = [(self._axes[axis], cells(axis)) for axis in varying]
                found[varying] = _cross(sides, weights, self._sides, crossed, pieces)
            place = [slice(None) if axis in varying else int(cells(axis)[0]) for axis in axes]
            counts[(slice(None), *place)] += found[varying]


def _held_by(tables: Sequence[TableValues]) -> tuple[Sides, Weights | None, tuple[Piece, ...]]:
    """The data values and weights of the outputs of tables, one table after the other; of a single one its pieces."""
    held = [values.table for values in tables]
    if len(held) == 1:
        return held[0].sides, held[0].weights, held[0].long_pieces
    sides = np.concatenate([table.sides for table in held])
    if all(table.weights is None for table in held):
        return sides, None, ()
    return sides, np.concatenate([np.ones(t.size, np.int64) if t.weights is None else t.weights for t in held]), ()


def _by_side(sides: int, pieces: Sequence[Piece], counts: Sequence[Counts] | Counts) -> Counts:
    """Counts of pieces, added up for every data value."""
    found = np.zeros((sides, *np.shape(counts[0])), np.int64)
    for (side, _), counted in zip(pieces, counts, strict=True):
        found[side] += counted
    return found


def _cross(
    side: Sides, weights: Weights | None, sides: int, axes: Sequence[tuple[Axis, Cells]], pieces: Sequence[Piece]
) -> Counts:
    """Counts of the cells of crossed axes, shape (sides, *cells of the axes). side, weights: of each output."""
    shape = (sides, *(axis.cells for axis, _ in axes))
    each = int(np.prod(shape[1:]))
    if pieces and axes and each <= _MOST_CELLS:
        flat = axes[0][1]
        if len(axes) > 1:
            flat = flat.astype(np.min_scalar_type(each - 1))
            for axis, cells in axes[1:]:
                flat *= flat.dtype.type(axis.cells)
                flat += cells
        return _by_side(sides, pieces, [tally(flat[rows], each) for _, rows in pieces]).reshape(shape)
    # Numbers of 16 bits take a quarter of the time.
    kind: type[np.integer[Any]] = np.uint16 if sides * each <= _MOST_CELLS else np.intp
    numbers = side.astype(kind)
    for axis, cells in axes:
        numbers *= kind(axis.cells)
        numbers += cells
    counts = np.bincount(numbers, weights, minlength=sides * each)
    return counts.reshape(shape).astype(np.int64)


class CountedEvent(Reader, Protocol):
    """What holds for some outputs."""

    def mask(self, values: TableValues) -> Mask:
        """Where it holds, shape (n,), or (1,) where all outputs of the table agree."""
        ...


class EventCounter(OutputCounter):
    """Counts how often events happen, for `sides` data values. wanted: for each event those that it is counted of."""

    def __init__(
        self, events: Sequence[CountedEvent], sides: int, texts: TextNumbers, wanted: Sequence[frozenset[int]] = ()
    ) -> None:
        self._events = tuple(events)
        self._wanted = tuple(wanted) or (frozenset(range(sides)),) * len(events)
        self._hits = np.zeros((sides, len(events)), np.int64)
        super().__init__(self._events, sides, texts)

    def hits(self) -> list[list[int]]:
        """The counts so far: for every event those of each data value."""
        self._finish()
        return self._hits.T.tolist()

    def _arrays(self) -> list[Counts]:
        return [self._hits]

    def _count(self, tables: Sequence[TableValues]) -> None:
        sides, weights, pieces = _held_by(tables)
        present = {side for values in tables for side, _ in values.table.pieces}
        for number, (event, wanted) in enumerate(zip(self._events, self._wanted, strict=True)):
            if wanted.isdisjoint(present):
                continue
            masks = [event.mask(values) for values in tables]
            if pieces and len(masks[0]) == len(sides):
                for side, rows in pieces:
                    if side in wanted:
                        self._hits[side, number] += np.count_nonzero(masks[0][rows])
            elif any(mask.any() for mask in masks):
                sizes = (values.table.size for values in tables)
                mask = np.concatenate(list(map(np.broadcast_to, masks, sizes)))
                hits = np.bincount(sides, mask if weights is None else mask * weights, minlength=self._sides)
                counted = sorted(wanted)
                self._hits[counted, number] += hits[counted].astype(np.int64)
