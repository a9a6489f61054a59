"""Gathering the outputs of many batches by shape, so that what is done once for each shape is done for many runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dplint.events.distinct import Numbering, numbering_of
from dplint.events.layout import Layout, layout_of
from dplint.events.tables import Rows, Table, Weights, rows_of, stack, text_numbers
from dplint.runner.batch import Batch, Skeleton
from dplint.runner.texts import TextNumbers


class Reader(Protocol):
    """Whoever looks at outputs: a feature, or an event."""

    @property
    def leaves(self) -> Callable[[Layout], frozenset[int]]:
        """The leaves of outputs of a shape that are looked at."""
        ...


_ENOUGH = 1 << 15
"""Outputs of one shape that are worth a table."""
_MANY, _FEW = 8, 64
"""Of the shapes beyond so many, which have few outputs each, all leaves are kept if they are few."""
_MOST_WAITING = 1 << 25
"""Bytes of outputs that may wait for others of their shape."""


@dataclass
class _Shape:
    """The outputs of one shape that wait, and the counts of those that were numbered. leaves: those that are kept."""

    layout: Layout
    leaves: npt.NDArray[np.intp]
    waiting: list[Rows] = field(default_factory=list)
    size: int = 0
    counted: dict[Numbering, Weights] = field(default_factory=dict)

    @cached_property
    def at_once(self) -> npt.NDArray[np.intp] | slice:
        """The leaves that are kept, as a slice where they lie together: of these nothing is copied."""
        found = self.leaves.tolist()
        together = found and found[-1] - found[0] == len(found) - 1
        return slice(found[0], found[-1] + 1) if together else self.leaves


class Gathering:
    """Outputs of several data values on their way into tables; only leaves that somebody looks at are kept."""

    def __init__(self, readers: Iterable[Reader], sides: int, texts: TextNumbers) -> None:
        self._readers = tuple(readers)
        self._sides = sides
        self._texts = texts
        self._shapes: dict[Skeleton, _Shape] = {}
        self._bytes = 0

    def add(self, side: int, batch: Batch) -> Iterator[Table]:
        """Take in more outputs of a data value. Yields tables that are full; other outputs wait."""
        numbers = text_numbers(batch, self._texts)
        for group in batch.groups:
            shape = self._shapes.get(group.skeleton)
            if shape is None:
                shape = self._shapes[group.skeleton] = self._shape(group.skeleton)
            rows = rows_of(group, side, numbers)
            if len(shape.leaves) < len(rows.kinds):
                # What waits is copied, lest the other leaves wait with it.
                rows = rows.only(shape.leaves if shape.size + rows.size < _ENOUGH else shape.at_once)
            shape.waiting.append(rows)
            shape.size += rows.size
            self._bytes += rows.kinds.nbytes + rows.values.nbytes
            if shape.size >= _ENOUGH:
                yield from self._empty(shape)
        if self._bytes > _MOST_WAITING:
            for shape in self._shapes.values():
                yield from self._empty(shape)

    def rest(self) -> Iterator[Table]:
        """Tables of all outputs that were not yielded so far."""
        for shape in self._shapes.values():
            yield from self._empty(shape)
            for numbering, counts in shape.counted.items():
                yield numbering.table(shape.layout, counts)
            shape.counted.clear()

    def _shape(self, skeleton: Skeleton) -> _Shape:
        layout = layout_of(skeleton)
        if len(self._shapes) >= _MANY and layout.leaves <= _FEW:
            # To find out what is looked at takes longer than to keep it all.
            return _Shape(layout, np.arange(layout.leaves))
        found: set[int] = set()
        # The last ones are about all elements of a part as often as not.
        for reader in reversed(self._readers):
            if len(found) == layout.leaves:
                break  # as soon as somebody looks at the output as a whole
            found |= reader.leaves(layout)
        kept = sorted(found)
        return _Shape(layout.only(kept), np.array(kept, np.intp))

    def _empty(self, shape: _Shape) -> Iterator[Table]:
        """Make a table of what waits; it is counted and kept back if its outputs come in few ways."""
        if not shape.waiting:
            return
        table = stack(shape.layout, shape.waiting)
        self._bytes -= sum(rows.kinds.nbytes + rows.values.nbytes for rows in shape.waiting)
        shape.waiting.clear()
        shape.size = 0
        numbering = numbering_of(table, self._sides)
        if numbering is None:
            yield table
            return
        counts = numbering.count(table)
        if numbering in shape.counted:
            shape.counted[numbering] += counts
        else:
            shape.counted[numbering] = counts
