"""Outputs that come in few ways, such as lists of bools, numbered, so that they can be counted before they are read.

Each leaf is two digits of a number in a mixed radix, its kind and its value; the leading digit is the data value. So
what a run returned is one integer, and a million runs become a few hundred counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dplint.events.layout import Layout
from dplint.events.tables import Sides, Table, Weights, table_of
from dplint.runner.batch import LeafKind

_MOST_PER_OUTPUT = 4
"""Numbers that there may be for each output; with more of them counting would not pay."""


@dataclass(frozen=True, slots=True)
class Digits:
    """A leaf: its kind, from `kind` on one of `kinds`, and its value, from `value` on one of `values` integers."""

    kind: int
    kinds: int
    value: int
    values: int


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
        """How often each number comes in a table that this is the numbering of, its weights counted, shape (size,)."""
        numbers = table.sides.astype(np.int64)
        for leaf, kinds, values in zip(self.leaves, table.kinds, table.values, strict=True):
            if leaf.kinds > 1:
                numbers *= leaf.kinds
                numbers += kinds - np.uint8(leaf.kind)
            numbers *= leaf.values
            numbers += (values - leaf.value).astype(np.int64)
        return np.bincount(numbers, table.weights, minlength=self.size).astype(np.int64)

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
        return table_of(layout, kinds, values, sides, weights)


def numbering_of(table: Table, sides: int) -> Numbering | None:
    """A numbering of all outputs of a table; None if floats are among them, or too many ways to come out.

    Ranges are widened to powers of two, so that the next outputs of the same mechanism mostly get the same numbering.
    """
    if (table.kinds == LeafKind.FLOAT).any():
        return None
    most = _MOST_PER_OUTPUT * table.size
    size = sides
    leaves = []
    for kinds, values in zip(table.kinds, table.values, strict=True):
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
