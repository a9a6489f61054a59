"""Expressions on tables: the value of a feature, and where an event holds, for many outputs of one shape at once.

An expression becomes a chain of functions once, a plan, and is then evaluated on table after table. What arrays cannot
follow is asked of each output alone, as `program.compiled` has it: slow, but never wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from dplint.events import array_values as arrays
from dplint.events.array_expressions import conjunction as conjunction_of
from dplint.events.array_expressions import remembering, run_of
from dplint.events.array_operators import Run
from dplint.events.array_values import UNDEFINED, NotFollowed, TableValues, Undefined, Value
from dplint.events.columns import MISSING, MISSING_COLUMN, Column, Floats, Mask
from dplint.events.layout import Layout
from dplint.events.places import OUTPUT
from dplint.events.table_values import example_of
from dplint.program.building import compiled
from dplint.program.nodes import Expression
from dplint.runner.batch import Spot
from dplint.runner.texts import TextNumbers


@dataclass(frozen=True, eq=False)
class Plan:
    """An expression over `output`, and how to evaluate it on a table; None if arrays cannot follow it at all."""

    tree: Expression
    run: Run | None


def plan_of(tree: Expression) -> Plan:
    """The plan of an expression."""
    try:
        return Plan(tree, run_of(tree))
    except NotFollowed:
        return Plan(tree, None)


@lru_cache(maxsize=1 << 12)
def shared_plan_of(tree: Expression) -> Plan:
    """The plan of an expression that many have in common; it is evaluated once for each table."""
    plan = plan_of(tree)
    return plan if plan.run is None else Plan(tree, remembering(plan.run))


class LeavesRead:
    """The leaves of outputs of a shape that somebody looks at, found once for each shape."""

    def __init__(self, look: Callable[[TableValues], object]) -> None:
        self._look = look
        self._found: dict[Layout, frozenset[int]] = {}

    def __call__(self, layout: Layout) -> frozenset[int]:
        """The numbers of the leaves."""
        if layout not in self._found:
            read: set[int] = set()
            texts = TextNumbers()
            self._look(TableValues(example_of(layout, texts), texts, read))
            self._found[layout] = frozenset(read)
        return self._found[layout]


def conjunction(plans: Sequence[Plan], tree: Expression) -> Plan:
    """The plan of conditions that have plans already; `tree` says them as one expression."""
    runs = [plan.run for plan in plans if plan.run is not None]
    if len(runs) < len(plans):
        return Plan(tree, None)
    return Plan(tree, runs[0] if len(runs) == 1 else conjunction_of(runs))


def mask(plan: Plan, values: TableValues) -> Mask:
    """Where a condition holds, shape (n,), or (1,) where all outputs agree; nowhere where it is not defined."""
    truth, raised = _evaluated(plan, values, arrays.truth_of, bool) or (False, None)
    return np.atleast_1d(np.asarray(truth if raised is None else truth & ~raised))


def column(plan: Plan, guard: Plan | None, values: TableValues, *, rows: bool = False) -> Column:
    """The values of a feature, missing where its guard does not hold; with one entry where all outputs agree.

    rows: the feature is a list, whose items become the rows of its column.
    """
    where = np.ones(1, np.bool_) if guard is None else mask(guard, values)
    if not where.any() and (where.size == 1 or values.read is None):
        return MISSING_COLUMN
    found, raised = _evaluated(plan, values, _rows_of if rows else arrays.column_of) or (MISSING_COLUMN, None)
    if raised is not None:
        where = where & ~raised
    if not where.all():
        found = Column(np.where(where, found.classes, np.uint8(0)), np.where(where, found.values, 0.0))
    return _narrowed(found)


def numbers(plan: Plan, values: TableValues) -> Floats:
    """The values of an expression that is a number, NaN where it is undefined; shape (n,) or (1,)."""
    found, raised = _evaluated(plan, values, arrays.numbers_of) or (math.nan, None)
    return np.atleast_1d(np.asarray(found if raised is None else np.where(raised, np.nan, found), np.float64))


def _evaluated(
    plan: Plan,
    values: TableValues,
    taken_as: Callable[[TableValues, Value], Any],
    plain: Callable[[Any], Any] = lambda value: value,
) -> tuple[Any, Mask | None] | None:
    """The value of the outputs, and for which of them Python raises an exception; None where it does for all."""

    def run(values: TableValues) -> Any:
        try:
            if plan.run is None:
                raise NotFollowed
            return taken_as(values, plan.run(values))
        except NotFollowed:
            values.active = values.raised = None
            return taken_as(values, _one_by_one(plan.tree, plain, values))

    try:
        return values.afresh(run)
    except Undefined:
        return None


def _rows_of(values: TableValues, value: Value) -> Column:
    """A list of leaves as a column with a row for each of them, shape (w, n)."""
    if isinstance(value, Column):
        return value
    items = arrays.items_of(value)
    if type(value) is not list:
        raise Undefined
    found = values.rows(items) if all(isinstance(one, Spot) for one in items) else None
    if found is None:
        raise NotFollowed
    return found


def _one_by_one(tree: Expression, plain: Callable[[Any], Any], values: TableValues) -> Column:
    """The value for each output alone; missing where it is undefined, None or no leaf."""
    function = compiled(tree, OUTPUT)

    def of(output: Any) -> tuple[int, float]:
        try:
            found = plain(function(output))
        except UNDEFINED:
            return MISSING, 0.0
        known = found is not None and arrays.is_plain(found)
        return arrays.leaf_of(found, values.texts) if known else (MISSING, 0.0)

    return arrays.column_from([one or (MISSING, 0.0) for one in values.one_by_one(of)])


def _narrowed(found: Column) -> Column:
    """The column with one entry for all outputs if they agree, as constants are counted at no cost."""
    if found.values.ndim == 1 and found.values.size and _agree(found.values) and _agree(found.classes):
        return Column(found.classes[:1], found.values[:1])
    return found


def _agree(entries: npt.NDArray[Any]) -> bool:
    return bool(entries[0] == entries[-1] and (entries == entries[0]).all())
