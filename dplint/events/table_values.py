"""The outputs of one table as the values that expressions start from."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dplint.events.array_values import Held, Undefined, Value, holds_source, item
from dplint.events.columns import Column, ValueClass
from dplint.events.layout import Layout, Part
from dplint.events.places import Steps
from dplint.events.tables import Table
from dplint.runner.batch import LeafKind, leaf_value, likeness
from dplint.runner.texts import TextNumbers


def example_of(layout: Layout, texts: TextNumbers) -> Table:
    """Made-up outputs of a shape, to see what somebody looks at: of no leaf do they agree, nor is one always a number.

    What is done to numbers or to texts is done to one of them, and what comes after it in an expression is looked at.
    """
    kinds = np.tile(np.array([LeafKind.FLOAT, LeafKind.NONE, LeafKind.STRING], np.uint8), (layout.leaves, 1))
    classes = np.tile(np.array([ValueClass.NUMBER, ValueClass.NONE, ValueClass.TEXT], np.uint8), (layout.leaves, 1))
    values = np.tile(np.array([0.7311, 0.0, texts.number("a text")]), (layout.leaves, 1))
    return Table(layout, kinds, classes, values, ((0, slice(0, 3)),))


class TableValues:
    """Values on the outputs of one table. texts: the numbers of all texts of the audit.

    variables: what comprehensions bind. found: what has been evaluated on this table, by what evaluates it.
    read: where not None, the numbers of the leaves that are looked at are noted there, and no operand is skipped.
    """

    def __init__(self, table: Table, texts: TextNumbers, read: set[int] | None = None) -> None:
        self.table = table
        self.texts = texts
        self.read = read
        self.variables: dict[str, Value] = {}
        self.found: dict[Callable[[TableValues], Value], Value] = {}
        self._places: dict[Steps, Value] = {}

    def place(self, steps: Steps) -> Value:
        """A part of the outputs. Raises Undefined if they have none."""
        found = self._places.get(steps)
        if found is None:
            found = self._place(steps)
            if not holds_source(found):
                self._places[steps] = found
        return found

    def has(self, steps: Steps) -> bool:
        """Whether the outputs have such a part."""
        return steps in self.table.layout.parts

    def leaves(self, part: Part) -> Column:
        """The leaves of a part, shape (w, n)."""
        if self.read is not None:
            self.read.update(range(part.start, part.stop))
        return self._with_texts(self.table.slice(part))

    def one_by_one(self, function: Callable[[Any], Any]) -> list[Any]:
        """What a function says of each output. Equal outputs are asked about once."""
        table, layout = self.table, self.table.layout
        if self.read is not None:
            self.read.update(range(layout.leaves))
            return [None] * table.size
        known: dict[bytes, Any] = {}
        found = []
        for kinds, values in zip(table.kinds.T, table.values.T, strict=True):
            key = kinds.tobytes() + values.tobytes()
            if key not in known:
                kept = [self._leaf(kind, value) for kind, value in zip(kinds.tolist(), values.tolist(), strict=True)]
                leaves = (kept[layout.row(leaf)] if layout.keeps(leaf) else None for leaf in range(layout.leaves))
                known[key] = function(likeness(layout.skeleton, leaves))
            found.append(known[key])
        return found

    def _leaf(self, kind: int, value: float) -> object:
        return math.nan if kind == LeafKind.NAN else leaf_value(kind, value, self.texts.texts)

    def _place(self, steps: Steps) -> Value:
        part = self.table.layout.parts.get(steps)
        if part is not None:
            return self._leaf_of(part.start) if part.is_leaf else Held(part, steps, self)
        if not steps:
            raise Undefined
        *before, last = steps
        parent = self.place(tuple(before))
        if not isinstance(last, int):
            raise Undefined
        return item(parent, last, self.texts)

    def _leaf_of(self, leaf: int) -> Column:
        if self.read is not None:
            self.read.add(leaf)
        return self._with_texts(self.table.leaf(leaf))

    def _with_texts(self, leaves: Column) -> Column:
        return Column(leaves.classes, leaves.values, leaves.kinds, self.texts)
