"""Values of outputs that may lack entries of dicts, as one table: what is not there is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from dplint.events.array_values import FALSE, Held, Numbers, Undefined, Value, Varies
from dplint.events.columns import MISSING, Column, Floats, Mask
from dplint.events.exact_shapes import exact_shapes
from dplint.events.layout import Layout, Part, layout_of, step_to
from dplint.events.places import Steps, Through
from dplint.events.table_values import TableValues
from dplint.events.tables import Table, pieces_of, table_of
from dplint.runner.texts import TextNumbers

_T = TypeVar("_T")
_Apart: TypeAlias = list[tuple[npt.NDArray[np.intp], TableValues]]


def values_of(table: Table, texts: TextNumbers, read: set[int] | None = None) -> TableValues:
    """The values of the outputs of a table."""
    return ExactApart(table, texts, read) if table.layout.varies else TableValues(table, texts, read)


class SomeKeys(TableValues):
    """Values of outputs that may lack entries of dicts. Of these dicts only entries and the length can be asked, else
    it raises `Varies`.

    there: where an output has a key, by the steps to its entry.
    """

    shape_decides = False

    def __init__(
        self, table: Table, texts: TextNumbers, there: Mapping[Steps, Mask], read: set[int] | None = None
    ) -> None:
        super().__init__(table, texts, read)
        self._there = there
        self._varied = {steps[:-1] for steps in there}

    def place(self, steps: Steps) -> Value:
        """A part of the outputs, missing where an output does not have it."""
        dict_steps = self._within(steps)
        if dict_steps is not None:
            if steps == dict_steps:
                return Held(self.table.parts[steps], steps, self, lengths_of(self._there, steps))
            if isinstance(steps[len(dict_steps)], Through):
                raise Varies
            entry = steps[: len(dict_steps) + 1]
            if entry not in self._there:
                raise Undefined
            if entry not in self.table.parts:
                raise Varies
        return super().place(steps)

    def has(self, steps: Steps) -> bool:
        """Whether the outputs have such a part."""
        dict_steps = self._within(steps)
        if dict_steps is None or steps == dict_steps:
            return super().has(steps)
        if isinstance(view := steps[len(dict_steps)], Through) and view.view != "values":
            return False
        raise Varies

    def holds_key(self, steps: Steps, key: Any) -> Numbers | None:
        """Where a dict has a key; None if all of them have the same."""
        if steps not in self._varied:
            return None
        there = self._there.get((*steps, step_to(key)))
        return FALSE if there is None else Numbers(there)

    def leaves(self, part: Part) -> Column:
        """The leaves of a part."""
        if not all(map(self.table.layout.keeps, range(part.start, part.stop))):
            raise Varies
        return super().leaves(part)

    def plain_rows(self, steps: Steps) -> list[Column] | None:
        """The elements of a part that holds single values alone."""
        if self._within(steps) is not None:
            raise Varies
        return super().plain_rows(steps)

    def one_by_one(self, function: Callable[[Any], Any]) -> list[Any]:  # noqa: ARG002
        """Each table knows its own outputs."""
        raise Varies

    def apart(self, look: Callable[[TableValues], _T]) -> list[tuple[npt.NDArray[np.intp], _T]]:  # noqa: ARG002
        """Others know the tables that this was made of."""
        raise Varies

    def _within(self, steps: Steps) -> Steps | None:
        """The dict with keys that vary on the way to a place."""
        return next((steps[:depth] for depth in range(len(steps) + 1) if steps[:depth] in self._varied), None)

    def _leaf_of(self, leaf: int) -> Column:
        if not self.table.layout.keeps(leaf):
            raise Varies
        return super()._leaf_of(leaf)


class ExactApart(SomeKeys):
    """Values of a table of such outputs: whatever varies is asked of the outputs of each exact shape."""

    def __init__(self, table: Table, texts: TextNumbers, read: set[int] | None = None) -> None:
        super().__init__(table, texts, entries_of(table), read)

    def one_by_one(self, function: Callable[[Any], Any]) -> list[Any]:
        """What a function says of each output, which lacks what is missing."""
        return TableValues.one_by_one(self, function)

    def apart(self, look: Callable[[TableValues], _T]) -> list[tuple[npt.NDArray[np.intp], _T]]:
        """What is seen of the outputs of each exact shape, and which outputs these are."""
        if self.read is not None:
            self.read.update(range(self.table.layout.leaves))
        return [(rows, look(values)) for rows, values in self._parts]

    @cached_property
    def _parts(self) -> _Apart:
        return [(rows, TableValues(table, self.texts)) for rows, table in exact_tables(self.table)]


def exact_tables(table: Table) -> list[tuple[npt.NDArray[np.intp], Table]]:
    """The table in tables of exact shapes, each with the columns that it has."""
    layout = table.layout
    if not layout.varies:
        return [(np.arange(table.size), table)]
    kept = list(range(layout.leaves)) if layout.kept is None else list(layout.kept)
    missing = {leaf: table.classes[layout.row(leaf)] == MISSING for leaf in kept}
    found = []
    for columns, skeleton, there in exact_shapes(layout.skeleton, missing, table.size):
        own = [leaf for leaf in kept if there[leaf]]
        rows = np.array([layout.row(leaf) for leaf in own], np.intp)
        numbers = np.cumsum(there) - 1
        exact: Layout = layout_of(skeleton)
        if layout.kept is not None:
            exact = exact.only([int(numbers[leaf]) for leaf in own])
        weights = None if table.weights is None else table.weights[columns]
        kinds, values = table.kinds[rows][:, columns], table.values[rows][:, columns]
        found.append((columns, table_of(exact, kinds, values, pieces_of(table.sides[columns]), weights)))
    return found


def lengths_of(there: Mapping[Steps, Mask], steps: Steps) -> Floats:
    """How many entries a dict has, shape (n,) or (1,). there: where outputs have each."""
    held = [where for entry, where in there.items() if entry[:-1] == steps]
    return np.asarray(sum(where.astype(np.float64) for where in held))


def entries_of(table: Table) -> dict[Steps, Mask]:
    """Where outputs have the entries of dicts of which they have some, shape (n,) or (1,)."""
    return {
        (*steps, step): table.leaf(part.start + number).classes != MISSING
        for steps, part in table.layout.some_keys.items()
        for number, step in enumerate(part.some)
    }
