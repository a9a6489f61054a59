"""Gathering the outputs of many batches by shape, so that what is done once for each shape is done for many runs.

Outputs that come in few ways are numbered, and counted by their numbers: each is then looked at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dplint.events.grids import tally
from dplint.events.layout import Layout, layout_of
from dplint.events.table_values import Rows, Sides, Table, Weights, pieces_of, rows_of, stack, table_of, text_numbers
from dplint.runner.batch import Batch, LeafKind, Skeleton
from dplint.runner.texts import TextNumbers

_MOST_PER_OUTPUT = 4
"""Numbers that there may be for each output; with more of them counting would not pay."""

_FEW_NUMBERS = 1 << 12
"""Numbers that there may be for each data value, if these are counted one by one."""


@dataclass(frozen=True, slots=True)
class Digits:
    """A leaf: its kind, from `kind` on one of `kinds`, and its value, from `value` on one of `values` integers."""

    kind: int
    kinds: int
    value: int
    values: int


_BOOL = Digits(int(LeafKind.BOOL), 1, 0, 2)
"""Of a leaf that is a bool in all outputs."""


@dataclass(frozen=True, slots=True)
class Numbering:
    """Numbers for the outputs of some shape: `sides` data values, and the digits of every leaf."""

    sides: int
    leaves: tuple[Digits, ...]

    @property
    def size(self) -> int:
        """How many numbers there are."""
        size = self.sides
        for leaf in self.leaves:
            size *= leaf.kinds * leaf.values
        return size

    def count(self, table: Table) -> Weights:
        """How often each number comes in a table that this is the numbering of, shape (size,)."""
        numbers = _of_bools(table.values, self.size) if table.values.dtype == np.bool_ else self._numbers(table)
        each = self.size // self.sides
        if each <= _FEW_NUMBERS and table.long_pieces:
            found = np.zeros((self.sides, each), np.int64)
            for side, rows in table.long_pieces:
                found[side] += tally(numbers[rows], each)
            return found.reshape(-1)
        for side, rows in table.pieces:
            if side:
                numbers[rows] += numbers.dtype.type(side * each)
        return np.bincount(numbers, minlength=self.size).astype(np.int64, copy=False)

    def _numbers(self, table: Table) -> npt.NDArray[np.intp]:
        """The number of each output of a table, but for its data value."""
        sizes = [leaf.kinds * leaf.values for leaf in self.leaves]
        radix = [math.prod(sizes[place + 1 :]) for place in range(len(sizes))]
        # Products and sums are whole numbers far below 2**53.
        found = table.floats[0] if len(radix) == 1 else np.array(radix, np.float64) @ table.floats
        found = found - float(sum(one * leaf.value for one, leaf in zip(radix, self.leaves, strict=True)))
        for one, leaf, kinds in zip(radix, self.leaves, table.kinds, strict=True):
            if leaf.kinds > 1:
                found += (kinds - np.uint8(leaf.kind)) * float(one * leaf.values)
        return found.astype(np.intp)

    def table(self, layout: Layout, counts: Weights) -> Table:
        """The outputs that came at all, each with how often it came."""
        numbers = np.flatnonzero(counts)
        weights = counts[numbers]
        kinds = np.empty((len(self.leaves), len(numbers)), np.uint8)
        values = np.empty(kinds.shape, np.float64)
        for index in reversed(range(len(self.leaves))):
            leaf = self.leaves[index]
            numbers, digit = np.divmod(numbers, leaf.values)
            values[index] = digit + leaf.value
            numbers, digit = np.divmod(numbers, leaf.kinds)
            kinds[index] = digit + leaf.kind
        sides: Sides = numbers.astype(np.int32)
        return table_of(layout, kinds, values, pieces_of(sides), weights)


def numbering_of(table: Table, sides: int) -> Numbering | None:
    """A numbering of all outputs of a table; None if floats are among them, or too many ways to come out.

    Ranges are widened to powers of two, so that the next outputs of the same mechanism mostly get the same numbering.
    """
    every = table.common_kinds
    if (every == int(LeafKind.FLOAT)).any():
        return None
    most = _MOST_PER_OUTPUT * table.size
    size = sides
    leaves = []
    for kinds, values in zip(every, table.values, strict=True):
        if values.dtype == np.bool_ or (len(kinds) == 1 and kinds[0] == int(LeafKind.BOOL)):
            leaf = _BOOL
        else:
            lowest, highest = values.min(initial=0.0), values.max(initial=0.0)
            if not highest - lowest <= most:
                return None
            leaf = _digits(kinds, int(lowest), int(highest))
        leaves.append(leaf)
        size *= leaf.kinds * leaf.values
        if size > most:
            return None
    return Numbering(sides, tuple(leaves))


def _digits(kinds: npt.NDArray[np.uint8], lowest: int, highest: int) -> Digits:
    kind = int(kinds.min())
    start = -(1 << (-lowest).bit_length()) if lowest < 0 else 0
    stop = 1 << max(1, highest.bit_length())
    return Digits(kind, int(kinds.max()) - kind + 1, start, stop - start)


def _of_bools(values: npt.NDArray[np.bool_], size: int) -> npt.NDArray[Any]:
    """Bools as digits of numbers, shape (leaves, n) -> (n,), of a kind that holds all numbers below `size`."""
    numbers = np.zeros(values.shape[1], np.min_scalar_type(max(size - 1, 0)))
    for row in values:
        numbers <<= 1
        numbers |= row.view(np.uint8)
    return numbers


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
