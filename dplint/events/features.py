"""Features: functions of an output, each an expression over it, evaluated on many outputs at once.

Ding et al., "Detecting Violations of Differential Privacy", CCS 2018, section 5.3 (Algorithm 3) lists the features for
each kind of output: the values themselves, the length, the count of each value, the Hamming distance to the noise-free
output, and element, mean, minimum and maximum of numbers. Each has a file in `families`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from dplint.events import on_tables
from dplint.events.columns import MISSING_COLUMN, Column, Key, RowKey
from dplint.events.fields_alone import FieldsAlone
from dplint.events.places import Place
from dplint.events.table_values import TableValues
from dplint.program.building import both
from dplint.program.nodes import Expression
from dplint.program.printing import printed


@dataclass(frozen=True)
class Feature(FieldsAlone, ABC):
    """What all features share.

    guards: conditions that hold where the feature is defined, e.g. `len(output) > 3`; number_guards: those that hold
    where it is a number. Both are empty where every output seen so far has the feature.
    """

    ALWAYS_NUMBER: ClassVar[bool] = True
    """Whether it is a number wherever it is defined at all, so that `number_guards` belong to every condition on it."""
    COUNTS: ClassVar[bool] = False
    """Whether it is a whole number, from 0 on, that Python has as an `int`."""

    ORDERED: ClassVar[bool] = True
    """Whether half-lines and intervals of it say something; else only its single values do, if these are few."""
    SLOPES: ClassVar[bool] = False
    """Whether a learnt score may have points in proportion to it."""
    IS_LIST: ClassVar[bool] = False
    """Whether it is a list, with a row of its column for each element."""
    IS_QUESTION: ClassVar[bool] = False
    """Whether it is a condition itself, so that an event is the question or its negation."""

    place: Place
    guards: tuple[Expression, ...] = field(default=(), hash=False)
    number_guards: tuple[Expression, ...] = field(default=(), hash=False)

    @property
    @abstractmethod
    def tree(self) -> Expression:
        """The feature as an expression over `output`."""

    def column(self, values: TableValues) -> Column:
        """The feature on the outputs of a table, missing where it is not defined."""
        return on_tables.column(self._plan, self._guard_plan, values, rows=self.IS_LIST)

    @cached_property
    def _plan(self) -> on_tables.Plan:
        return on_tables.plan_of(self.tree)

    @cached_property
    def _guard_plan(self) -> on_tables.Plan | None:
        guards = self.all_guards(numeric=False)
        return on_tables.shared_plan_of(both(guards)) if guards else None

    @cached_property
    def leaves(self) -> on_tables.LeavesRead:
        """The leaves of outputs of a shape that the feature is read from."""
        return on_tables.LeavesRead(self.column)

    @property
    def expression(self) -> str:
        """The feature as Python."""
        return printed(self.tree)

    @property
    def spelled(self) -> str:
        """What tells it apart from features that are equal and written differently; guards follow from the rest."""
        return repr([getattr(self, name) for name in _told_by(type(self))])

    @property
    def complexity(self) -> int:
        """How hard the feature is to take in."""
        return 0

    def complexity_at(self, key: Key | RowKey) -> int:  # noqa: ARG002
        """How hard it is to take in that the feature has this value."""
        return self.complexity

    @property
    def rank(self) -> int:
        """How early events on it are crossed with others: from 0, first, to 4."""
        return 4

    def all_guards(self, *, numeric: bool) -> tuple[Expression, ...]:
        """What makes a condition false, not an error, where the feature is not defined, or with `numeric` no number."""
        return (*self.guards, *self.number_guards) if numeric or self.ALWAYS_NUMBER else self.guards

    def guarded(self, condition: Expression, *, numeric: bool = False) -> Expression:
        """The condition, preceded by the guards."""
        return both([*self.all_guards(numeric=numeric), condition])


@lru_cache(maxsize=64)
def _told_by(kind: type[Feature]) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind) if not one.name.endswith("guards"))


def joined_column(feature: Feature, tables: Sequence[TableValues]) -> Column:
    """A feature that is no list on the outputs of several tables, one table after the other, written out for each."""
    return joined([feature.column(values) for values in tables], tables)


def joined(columns: Sequence[Column], tables: Sequence[TableValues]) -> Column:
    """Columns of tables, one after the other, with an entry for each output."""
    ends = np.cumsum([values.table.size for values in tables], dtype=np.intp).tolist()
    classes, found = np.zeros(ends[-1] if ends else 0, np.uint8), np.zeros(ends[-1] if ends else 0)
    start = 0
    for column, end in zip(columns, ends, strict=True):
        if column is not MISSING_COLUMN:
            classes[start:end], found[start:end] = column.classes, column.values
        start = end
    return Column(classes, found)
