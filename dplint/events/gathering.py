"""Gathering the outputs of many batches by shape, so that what is done once for each shape is done for many runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from dplint.events.distinct import Numbering, numbering_of
from dplint.events.extract import leaves_read
from dplint.events.features import Feature
from dplint.events.layout import Part, Steps, parts_of
from dplint.events.tables import Rows, Table, Weights, rows_of, stack, text_numbers
from dplint.events.values import Texts
from dplint.runner.batch import Batch, Skeleton

_ENOUGH = 1 << 15
"""Outputs of one shape that are worth a table."""
_MOST_WAITING = 1 << 25
"""Bytes of outputs that may wait for others of their shape."""


@dataclass
class _Shape:
    """The outputs of one shape that wait, and the counts of those that were numbered.

    parts: places among the leaves that are kept. leaves: numbers of those leaves.
    """

    parts: dict[Steps, Part]
    leaves: npt.NDArray[np.intp]
    waiting: list[Rows] = field(default_factory=list)
    size: int = 0
    counted: dict[Numbering, Weights] = field(default_factory=dict)


class Gathering:
    """Outputs of several data values on their way into tables; only leaves that some feature is read from are kept."""

    def __init__(self, features: Iterable[Feature], sides: int, texts: Texts) -> None:
        self._features = tuple(features)
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
                rows = Rows(side, rows.kinds[shape.leaves], rows.values[shape.leaves])
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
                yield numbering.table(shape.parts, counts)
            shape.counted.clear()

    def _shape(self, skeleton: Skeleton) -> _Shape:
        parts = parts_of(skeleton)
        read = sorted({leaf for feature in self._features for leaf in leaves_read(feature, parts)})
        place = {leaf: index for index, leaf in enumerate(read)}
        moved = {
            steps: replace(part, start=place[part.start], stop=place[part.start] + part.stop - part.start)
            if all(leaf in place for leaf in range(part.start, part.stop)) and part.stop > part.start
            else replace(part, start=0, stop=0)
            for steps, part in parts.items()
        }
        return _Shape(moved, np.array(read, np.intp))

    def _empty(self, shape: _Shape) -> Iterator[Table]:
        """Make a table of what waits; it is counted and kept back if its outputs come in few ways."""
        if not shape.waiting:
            return
        table = stack(shape.parts, shape.waiting)
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
