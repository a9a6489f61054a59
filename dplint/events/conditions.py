"""Events: conjunctions of conditions on features, each an expression over `output`."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from dplint.events import on_tables
from dplint.events.columns import Floats, Key, Mask, RowKey, ValueClass
from dplint.events.features import Feature
from dplint.events.fields_alone import FieldsAlone
from dplint.events.table_values import TableValues
from dplint.program.building import NOWHERE, binary, both, call, compare, constant, negated, number
from dplint.program.nodes import Expression, IfExp
from dplint.program.printing import printed


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
class Equals(_Condition):
    """The feature has this value."""

    feature: Feature
    key: Key | RowKey

    @property
    def complexity(self) -> int:
        """How hard the condition is to take in."""
        return self.feature.complexity_at(self.key)

    @property
    def features(self) -> tuple[Feature, ...]:
        """What the condition is about."""
        return (self.feature,)

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
class Between(_Condition):
    """The feature is a number with low <= value < high; either bound may be infinite."""

    feature: Feature
    low: float
    high: float

    @property
    def complexity(self) -> int:
        """How hard the condition is to take in: an interval is harder than a half-line."""
        return self.feature.complexity + (math.isfinite(self.low) and math.isfinite(self.high))

    @property
    def features(self) -> tuple[Feature, ...]:
        """What the condition is about."""
        return (self.feature,)

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
