"""Outputs that come in few ways, such as lists of bools, numbered, so that they can be counted before they are read.

Each leaf is two digits of a number in a mixed radix, its kind and its value; the leading digit is the data value. So
what a run returned is one integer, and a million runs become a few hundred counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dplint.events.layout import Layout
from dplint.events.tables import Sides, Table, Weights, pieces_of, table_of
from dplint.events.tallies import tally
from dplint.runner.batch import LeafKind

_MOST_PER_OUTPUT = 4
"""Numbers that there may be for each output; with more of them counting would not pay."""

_FEW = 1 << 12
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
        if each <= _FEW and table.long_pieces:
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
