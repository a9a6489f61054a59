"""Grids: the cells into which one or two features cut the outputs, counted run by run, and the events they contain.

Counting cells once gives the counts of all events made of them: a value, a half-line, an interval, or the product of a
condition on one feature with a condition on another.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from dplint.events.columns import NUMBER, Column, Floats, Key, RowKey
from dplint.events.conditions import Between, Condition, Equals, Event, Feature, FieldsAlone

_MOST_COMPARED, _LEAST_EACH = 16, 1 << 10
"""Up to so many numbers, with so many outputs for each, it is faster to compare with every one of them: what
`np.bincount` counts waits for what it counted before.
"""


def tally(numbers: npt.NDArray[Any], size: int) -> npt.NDArray[np.int64]:
    """How often each number below `size` comes among numbers that are all below it, shape (size,)."""
    if not 1 < size <= _MOST_COMPARED or len(numbers) < _LEAST_EACH * size:
        return np.bincount(numbers, minlength=size).astype(np.int64, copy=False)
    found = np.empty(size, np.int64)
    for one in range(size - 1):
        found[one] = np.count_nonzero(numbers == numbers.dtype.type(one))
    found[-1] = len(numbers) - found[:-1].sum()
    return found


Counts = npt.NDArray[np.int64]
Cells = npt.NDArray[np.uint8]
"""Numbers of cells; no axis has more than 255."""
_QUICKLY_COMPARED = 800
"""Outputs of a piece, for each threshold, from which on they are compared piece by piece faster than located."""
Bounds = npt.NDArray[np.intp]


@dataclass(frozen=True)
class ValueAxis:
    """Cells by value: one for each key, and a last one for every other value."""

    feature: Feature
    keys: tuple[Key | RowKey, ...]

    @property
    def cells(self) -> int:
        """Number of cells."""
        return len(self.keys) + 1

    def locate(self, column: Column) -> Cells:
        """The cell of each output, shape (n,), or (1,) where the column is so or no key is found."""
        last = len(self.keys)
        cells = np.full(1, last, np.uint8)
        for number, key in enumerate(self.keys):
            mask = key.mask(column)
            if mask.any():
                # No two keys hold at once, so that each may subtract on its own, which NumPy does fastest.
                cells = cells - mask * np.uint8(last - number)
        return cells

    def counted(self, column: Column, pieces: Sequence[slice]) -> Counts | None:
        """How many outputs of each piece are in each cell, shape (pieces, cells); None where all outputs agree."""
        if column.values.shape[-1] == 1:
            return None
        masks = [np.broadcast_to(key.mask(column), column.values.shape[-1]) for key in self.keys]
        found = [[np.count_nonzero(mask[rows]) for mask in masks] for rows in pieces]
        sizes = [rows.stop - rows.start for rows in pieces]
        return np.array([[*row, size - sum(row)] for row, size in zip(found, sizes, strict=True)], np.int64)

    @property
    def size(self) -> int:
        """Number of conditions: one for each key."""
        return len(self.keys)

    def condition(self, index: int) -> Condition:
        """The condition at a position of `totals`."""
        return Equals(self.feature, self.keys[index])

    @property
    def complexities(self) -> Counts:
        """The complexity of every condition."""
        return np.full(len(self.keys), self.feature.complexity, np.int64)

    def totals(self, counts: Counts) -> Counts:
        """Counts of the conditions, from counts of the cells along the last axis."""
        return counts[..., : len(self.keys)]


@dataclass(frozen=True)
class NumberAxis(FieldsAlone):
    """Cells between thresholds, (-inf, t0), [t0, t1), ..., [tk, inf), and a last one for what is not a number."""

    feature: Feature
    thresholds: tuple[float, ...]

    @property
    def cells(self) -> int:
        """Number of cells."""
        return len(self.thresholds) + 2

    def locate(self, column: Column) -> Cells:
        """The cell of each output, shape (n,), or (1,) where the column is so."""
        # With few thresholds all comparisons at once are ten times faster than a search for each value.
        reached = column.values >= self._column_of_thresholds
        cells = reached.view(np.uint8).sum(axis=0, dtype=np.uint8)
        numeric = column.classes == NUMBER
        return cells if numeric.all() else np.where(numeric, cells, np.uint8(len(self.thresholds) + 1))

    def counted(self, column: Column, pieces: Sequence[slice]) -> Counts | None:
        """How many outputs of each piece are in each cell, shape (pieces, cells); None where not all are numbers, or
        all agree. Long pieces are counted faster than located, for nothing is kept of single outputs.
        """
        if column.values.shape[-1] == 1 or not (column.classes == NUMBER).all():
            return None
        if len(column.values) < _QUICKLY_COMPARED * len(self.thresholds) * len(pieces):
            cells = self.locate(column)
            return np.array([tally(cells[piece], self.cells) for piece in pieces])
        found = np.zeros((len(pieces), self.cells), np.int64)
        for row, piece in zip(found, pieces, strict=True):
            values = column.values[piece]
            reached = [int(np.count_nonzero(values >= one)) for one in self.thresholds]
            row[:-1] = np.subtract([len(values), *reached], [*reached, 0])
        return found

    @cached_property
    def _column_of_thresholds(self) -> npt.NDArray[np.float64]:
        return np.array(self.thresholds, np.float64)[:, None]

    @cached_property
    def _ranges(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        starts, ends = np.triu_indices(len(self.thresholds) + 2, k=1)
        proper = ~((starts == 0) & (ends == len(self.thresholds) + 1))
        return starts[proper], ends[proper]

    @property
    def size(self) -> int:
        """Number of conditions: every half-line, and every interval between two thresholds."""
        return len(self._ranges[0])

    def condition(self, index: int) -> Condition:
        """The condition at a position of `totals`."""
        edges = (-np.inf, *self.thresholds, np.inf)
        starts, ends = self._ranges
        return Between(self.feature, float(edges[starts[index]]), float(edges[ends[index]]))

    def narrowed(self, scores: Floats, most: int) -> tuple[NumberAxis, Bounds]:
        """The axis with so many thresholds at most, those of the conditions with the highest scores, and the first of
        its own cells that is in each cell of that one.
        """
        kept: set[int] = set()
        starts, ends = self._ranges
        for place in np.argsort(-scores, kind="stable").tolist():
            # A condition is from the threshold before a cell to the one before another.
            edges = {int(edge) for edge in (starts[place], ends[place]) if 0 < edge <= len(self.thresholds)}
            if len(kept | edges) > most:
                break
            kept |= edges
        cells = sorted(kept)
        bounds = np.array([0, *cells, len(self.thresholds) + 1], np.intp)
        return NumberAxis(self.feature, tuple(self.thresholds[cell - 1] for cell in cells)), bounds

    @property
    def complexities(self) -> Counts:
        """The complexity of every condition: see `Between`."""
        starts, ends = self._ranges
        inner = (starts > 0) & (ends <= len(self.thresholds))
        return np.asarray(self.feature.complexity + inner, np.int64)

    def totals(self, counts: Counts) -> Counts:
        """Counts of the conditions, from counts of the cells along the last axis."""
        sums = np.concatenate(
            [np.zeros((*counts.shape[:-1], 1), np.int64), np.cumsum(counts[..., :-1], axis=-1)], axis=-1
        )
        starts, ends = self._ranges
        return np.asarray(sums[..., ends] - sums[..., starts])


Axis: TypeAlias = ValueAxis | NumberAxis


@dataclass(frozen=True)
class Grid(FieldsAlone):
    """One axis, or two whose cells are crossed."""

    axes: tuple[Axis, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of cells along each axis."""
        return tuple(axis.cells for axis in self.axes)

    def totals(self, counts: Counts) -> Counts:
        """Counts of all events of this grid, from those of its cells on the last axes: flat there, in the order of
        `event`.
        """
        if len(self.axes) == 1:
            return self.axes[0].totals(counts)
        by_second = self.axes[1].totals(counts)
        both = np.swapaxes(self.axes[0].totals(np.swapaxes(by_second, -1, -2)), -1, -2)
        return both.reshape(*both.shape[:-2], -1)

    @cached_property
    def size(self) -> int:
        """How many events the grid contains."""
        return math.prod(axis.size for axis in self.axes)

    def narrowed(self, scores: Floats, most: int) -> tuple[Grid, tuple[Bounds | None, ...]]:
        """The grid with so many thresholds of each number at most, those of the events with the highest scores, and the
        bounds of its cells as `NumberAxis.narrowed` has them, None for axes that stay. scores: as `totals` has events.
        """
        found: list[tuple[Axis, Bounds | None]] = []
        by_axis = scores.reshape([axis.size for axis in self.axes])
        for number, axis in enumerate(self.axes):
            if isinstance(axis, NumberAxis) and len(axis.thresholds) > most:
                others = tuple(other for other in range(len(self.axes)) if other != number)
                found.append(axis.narrowed(by_axis.max(axis=others), most))
            else:
                found.append((axis, None))
        return Grid(tuple(axis for axis, _ in found)), tuple(bounds for _, bounds in found)

    def event(self, index: int) -> Event:
        """The event at a position of `totals`."""
        places = np.unravel_index(index, tuple(axis.size for axis in self.axes))
        return Event(tuple(axis.condition(int(i)) for axis, i in zip(self.axes, places, strict=True)))

    @cached_property
    def complexities(self) -> npt.NDArray[np.int64]:
        """The complexity of every event, in the order of `totals`."""
        parts = [axis.complexities for axis in self.axes]
        return parts[0] if len(parts) == 1 else np.add.outer(parts[0], parts[1]).ravel() + 2
