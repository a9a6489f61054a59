"""Events: conjunctions of conditions on features, each printable as a Python expression over `output`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from dplint.events.features import Feature, Summed
from dplint.events.values import Class, Column, Key, Mask, RowKey


@dataclass(frozen=True, slots=True)
class Equals:
    """The feature has this value."""

    feature: Feature
    key: Key | RowKey

    @property
    def complexity(self) -> int:
        """How hard the condition is to take in."""
        return self.feature.complexity

    def mask(self, column: Column) -> Mask:
        """Where the condition holds, shape (n,) or (1,)."""
        return self.key.mask(column)

    def expression(self) -> str:
        """The condition as Python."""
        text = self.feature.expression
        kind = self.key.kind if isinstance(self.key, Key) else None
        if kind is Class.NONE:
            return self.feature.guarded(f"{text} is None")
        if kind is Class.NAN:
            return self.feature.guarded(f"{text} != {text}", numeric=isinstance(self.feature, Summed))
        return self.feature.guarded(f"{text} == {self.key.shown}", numeric=isinstance(self.feature, Summed))


@dataclass(frozen=True, slots=True)
class Between:
    """The feature is a number with low <= value < high; either bound may be infinite."""

    feature: Feature
    low: float
    high: float

    @property
    def complexity(self) -> int:
        """How hard the condition is to take in: an interval is harder than a half-line."""
        return self.feature.complexity + (math.isfinite(self.low) and math.isfinite(self.high))

    def mask(self, column: Column) -> Mask:
        """Where the condition holds, shape (n,) or (1,). NaN and what is not a number lie in no interval."""
        inside = (column.classes == Class.NUMBER) & (column.values >= self.low)
        # Without an upper bound infinity belongs in, as it does in Python's `output >= low`.
        return np.asarray(inside if math.isinf(self.high) else inside & (column.values < self.high))

    def expression(self) -> str:
        """The condition as Python."""
        text = self.feature.expression
        low, high = _short(self.low), _short(self.high)
        if math.isinf(self.low):
            body = f"{text} < {high}"
        elif math.isinf(self.high):
            body = f"{text} >= {low}"
        else:
            body = f"{low} <= {text} < {high}"
        return self.feature.guarded(body, numeric=True)


Condition: TypeAlias = Equals | Between


@dataclass(frozen=True, slots=True)
class Event:
    """A set of outputs: all conditions hold."""

    conditions: tuple[Condition, ...]

    @property
    def complexity(self) -> int:
        """How hard the event is to take in; the search prefers simple events among nearly equal ones."""
        return sum(c.complexity for c in self.conditions) + 2 * (len(self.conditions) - 1)

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features whose columns `mask` needs."""
        return tuple(c.feature for c in self.conditions)

    def mask(self, columns: Mapping[Feature, Column]) -> Mask:
        """Where the event holds, shape (n,), or (1,) where all outputs agree."""
        first, *rest = self.conditions
        result = first.mask(columns[first.feature])
        for condition in rest:
            result = result & condition.mask(columns[condition.feature])
        return result

    def expression(self) -> str:
        """The event as a Python expression over `output`."""
        return " and ".join(c.expression() for c in self.conditions)


def _short(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
