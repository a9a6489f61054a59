"""Events: conjunctions of conditions on features, each an expression over `output`.

What an event or a grid is to another process: its fields, without the functions that were made of them.

Features: functions of an output, each an expression over it, evaluated on many outputs at once.

Ding et al., "Detecting Violations of Differential Privacy", CCS 2018, section 5.3 (Algorithm 3) lists the features for
each kind of output: the values themselves, the length, the count of each value, the Hamming distance to the noise-free
output, and element, mean, minimum and maximum of numbers. Each has a file in `families`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from dplint.events import on_tables
from dplint.events.array_values import TableValues
from dplint.events.columns import MISSING_COLUMN, Column, Floats, Key, Mask, RowKey, ValueClass
from dplint.events.places import Place
from dplint.program.building import NOWHERE, binary, both, call, compare, constant, negated, number
from dplint.program.nodes import Expression, IfExp
from dplint.program.printing import printed


class FieldsAlone:
    """A dataclass that is pickled without its cached properties, which hold plans and the like."""

    def __getstate__(self) -> dict[str, object]:
        return {one.name: getattr(self, one.name) for one in fields(self)}  # type: ignore[arg-type]


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

    COMPLEXITY: ClassVar[int] = 0
    """How hard the feature is to take in, if that is the same for all of its kind."""
    RANK: ClassVar[int] = 4
    """How early events on it are crossed with others, if that is the same for all of its kind: from 0, first, to 4."""

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
        return self.COMPLEXITY

    @property
    def rank(self) -> int:
        """How early events on it are crossed with others: from 0, first, to 4."""
        return self.RANK

    def all_guards(self, *, numeric: bool) -> tuple[Expression, ...]:
        """What makes a condition false, not an error, where the feature is not defined, or with `numeric` no number."""
        return (*self.guards, *self.number_guards) if numeric or self.ALWAYS_NUMBER else self.guards

    def guarded(self, condition: Expression, *, numeric: bool = False) -> Expression:
        """The condition, preceded by the guards."""
        return both([*self.all_guards(numeric=numeric), condition])


@lru_cache(maxsize=64)
def _told_by(kind: type[Feature]) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind) if not one.name.endswith("guards"))


def of_each(function: Callable[[TableValues], npt.NDArray[Any]], tables: Iterable[TableValues]) -> npt.NDArray[Any]:
    """What a function gives on several tables, one table after the other, written out for each output."""
    return np.concatenate([np.broadcast_to(function(values), values.table.size) for values in tables])


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


class _Condition(FieldsAlone, ABC):
    """An expression over `output` that is true or false, with its plan for tables."""

    @property
    @abstractmethod
    def tree(self) -> Expression:
        """The condition as an expression."""

    @cached_property
    def plan(self) -> on_tables.Plan:
        """How to evaluate the condition on tables."""
        return on_tables.plan_of(self.tree)


@dataclass(frozen=True)
class _OfOne(_Condition):
    """A condition on one feature."""

    feature: Feature

    @property
    def features(self) -> tuple[Feature, ...]:
        """What the condition is about."""
        return (self.feature,)


@dataclass(frozen=True)
class Equals(_OfOne):
    """The feature has this value."""

    key: Key | RowKey

    @property
    def complexity(self) -> int:
        """How hard the condition is to take in."""
        return self.feature.complexity

    @cached_property
    def tree(self) -> Expression:
        """The condition as an expression. NaN equals nothing, not even itself."""
        feature = self.feature.tree
        kind = self.key.kind if isinstance(self.key, Key) else None
        if kind is ValueClass.NONE:
            return self.feature.guarded(compare(feature, "is", self.key.literal))
        if kind is ValueClass.NAN:
            return self.feature.guarded(compare(feature, "!=", feature))
        if self.feature.IS_QUESTION and isinstance(self.key, Key):
            return self.feature.guarded(feature if self.key.value else negated(feature))
        return self.feature.guarded(compare(feature, "==", self.key.literal))


@dataclass(frozen=True)
class Between(_OfOne):
    """The feature is a number with low <= value < high; either bound may be infinite."""

    low: float
    high: float

    @property
    def complexity(self) -> int:
        """How hard the condition is to take in: an interval is harder than a half-line."""
        return self.feature.complexity + (math.isfinite(self.low) and math.isfinite(self.high))

    @cached_property
    def tree(self) -> Expression:
        """The condition as an expression. Without an upper bound infinity belongs in."""
        feature = self.feature.tree
        if math.isinf(self.low):
            body = compare(feature, "<", number(self.high))
        elif math.isinf(self.high):
            body = compare(feature, ">=", number(self.low))
        else:
            body = compare(number(self.low), "<=", feature, "<", number(self.high))
        return self.feature.guarded(body, numeric=True)


@dataclass(frozen=True)
class Vote:
    """Points for outputs on which a condition holds; whole numbers, so that their sum is exact in any order."""

    weight: int
    condition: Equals | Between

    @property
    def features(self) -> tuple[Feature, ...]:
        """What the vote is about."""
        return self.condition.features

    def tree(self, weight: float) -> Expression:
        """The vote with this weight. It is written even if it is 1, as NumPy's bools add up to a bool."""
        return binary(number(weight), "*", self.condition.tree)


@dataclass(frozen=True)
class Slope:
    """Points in proportion to a number in the output, or to how many numbers reach something; none without numbers."""

    weight: float
    feature: Feature

    @property
    def features(self) -> tuple[Feature, ...]:
        """What the slope is about."""
        return (self.feature,)

    @property
    def is_guarded(self) -> bool:
        """Whether there may be no number."""
        return bool(self.feature.all_guards(numeric=True))

    def tree(self, weight: float) -> Expression:
        """The slope with this weight. Of an element the float is taken: one of 32 bits would be multiplied as such."""
        feature = self.feature.tree
        scaled = binary(number(weight), "*", feature if self.feature.COUNTS else call("float", feature))
        if not self.is_guarded:
            return scaled
        return IfExp(both(self.feature.all_guards(numeric=True)), scaled, constant(0), NOWHERE)


@dataclass(frozen=True)
class ScoreAbove(_Condition):
    """A learnt condition: the points of an output add up to at least a threshold.

    By the lemma of Neyman and Pearson the best event of its size is a half-line of the likelihood ratio, which the
    score imitates; that it does so well is not promised. The points are added in the order of the terms.
    """

    terms: tuple[Vote | Slope, ...]
    threshold: float

    @property
    def complexity(self) -> int:
        """The hardest of all: by far, and the more terms the harder."""
        return 10 + len(self.terms)

    @property
    def features(self) -> tuple[Feature, ...]:
        """What the score is about."""
        return tuple(feature for term in self.terms for feature in term.features)

    def points(self, values: TableValues) -> Floats:
        """The score of each output of a table, shape (n,) or (1,); NaN where it is undefined."""
        return on_tables.numbers(self._score_plan, values)

    @cached_property
    def _score_plan(self) -> on_tables.Plan:
        return on_tables.plan_of(self.score)

    @cached_property
    def score(self) -> Expression:
        """The points of an output as an expression, with minus signs as one writes them."""
        first, *rest = self.terms
        total = first.tree(first.weight)
        for term in rest:
            subtracted = term.weight < 0 and not (isinstance(term, Slope) and term.is_guarded)
            operator, weight = ("-", -term.weight) if subtracted else ("+", term.weight)
            total = binary(total, operator, term.tree(weight))
        return total

    @cached_property
    def tree(self) -> Expression:
        """The condition as an expression."""
        return compare(self.score, ">=", number(self.threshold))


Condition: TypeAlias = Equals | Between | ScoreAbove


@dataclass(frozen=True)
class Event(FieldsAlone):
    """A set of outputs: all conditions hold."""

    conditions: tuple[Condition, ...]

    @property
    def complexity(self) -> int:
        """How hard the event is to take in; the search prefers simple events among nearly equal ones."""
        return sum(c.complexity for c in self.conditions) + 2 * (len(self.conditions) - 1)

    @property
    def features(self) -> tuple[Feature, ...]:
        """What the event is about."""
        return tuple(feature for condition in self.conditions for feature in condition.features)

    def mask(self, values: TableValues) -> Mask:
        """Where the event holds among the outputs of a table, shape (n,), or (1,) where all outputs agree."""
        return on_tables.mask(self._plan, values)

    @cached_property
    def leaves(self) -> on_tables.LeavesRead:
        """The leaves of outputs of a shape that the event looks at."""
        return on_tables.LeavesRead(self.mask)

    @cached_property
    def _plan(self) -> on_tables.Plan:
        return on_tables.conjunction([condition.plan for condition in self.conditions], self.tree)

    @cached_property
    def tree(self) -> Expression:
        """The event as an expression over `output`."""
        return both(condition.tree for condition in self.conditions)

    def expression(self) -> str:
        """The event as Python."""
        return printed(self.tree)
