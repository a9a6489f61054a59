"""Events: conjunctions of conditions on features, each printable as a Python expression over `output`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from dplint.events.features import Element, Feature, Reaching, Summed
from dplint.events.values import Class, Column, Floats, Key, Mask, RowKey, short_literal


@dataclass(frozen=True, slots=True)
class Equals:
    """The feature has this value."""

    feature: Feature
    key: Key | RowKey

    @property
    def complexity(self) -> int:
        """How hard the condition is to take in."""
        return self.feature.complexity

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features whose columns `mask` needs."""
        return (self.feature,)

    def mask(self, columns: Mapping[Feature, Column]) -> Mask:
        """Where the condition holds, shape (n,) or (1,)."""
        return self.key.mask(columns[self.feature])

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

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features whose columns `mask` needs."""
        return (self.feature,)

    def mask(self, columns: Mapping[Feature, Column]) -> Mask:
        """Where the condition holds, shape (n,) or (1,). NaN and what is not a number lie in no interval."""
        column = columns[self.feature]
        inside = (column.classes == Class.NUMBER) & (column.values >= self.low)
        # Without an upper bound infinity belongs in, as it does in Python's `output >= low`.
        return np.asarray(inside if math.isinf(self.high) else inside & (column.values < self.high))

    def expression(self) -> str:
        """The condition as Python."""
        text = self.feature.expression
        low, high = short_literal(self.low), short_literal(self.high)
        if math.isinf(self.low):
            body = f"{text} < {high}"
        elif math.isinf(self.high):
            body = f"{text} >= {low}"
        else:
            body = f"{low} <= {text} < {high}"
        return self.feature.guarded(body, numeric=True)


@dataclass(frozen=True, slots=True)
class Vote:
    """Points for outputs on which a condition holds; whole numbers, so that their sum is exact in any order."""

    weight: int
    condition: Equals | Between

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features whose columns `points` needs."""
        return self.condition.features

    def points(self, columns: Mapping[Feature, Column]) -> npt.NDArray[np.int32]:
        """What the vote adds, shape (n,) or (1,)."""
        return self.condition.mask(columns) * np.int32(self.weight)

    def expression(self) -> str:
        """The vote as Python. The weight is written even if it is 1, as NumPy's bools add up to a bool."""
        return f"{self.weight} * ({self.condition.expression()})"


@dataclass(frozen=True, slots=True)
class Slope:
    """Points in proportion to a number in the output, or to how many numbers reach something; none without numbers."""

    weight: float
    feature: Element | Reaching

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features whose columns `points` needs."""
        return (self.feature,)

    def points(self, columns: Mapping[Feature, Column]) -> Floats:
        """What the slope adds, shape (n,) or (1,); NaN for NaN, as in Python."""
        column = columns[self.feature]
        with np.errstate(over="ignore"):
            scaled = self.weight * column.values
        if (column.classes == Class.NUMBER).all():
            return scaled
        scaled = np.where(column.classes == Class.NUMBER, scaled, 0.0)
        return np.where(column.classes == Class.NAN, np.nan, scaled)

    def expression(self) -> str:
        """The slope as Python. Of an element the float is taken, as one of 32 bits would be multiplied as such."""
        text = self.feature.expression
        scaled = f"{short_literal(self.weight)} * {text if isinstance(self.feature, Reaching) else f'float({text})'}"
        guarded = self.feature.guarded(scaled, numeric=True)
        return scaled if guarded == scaled else f"({scaled} if {guarded.removesuffix(f' and {scaled}')} else 0)"


@dataclass(frozen=True, slots=True)
class ScoreAbove:
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
        """The features whose columns `mask` needs."""
        return tuple(feature for term in self.terms for feature in term.features)

    def points(self, columns: Mapping[Feature, Column]) -> npt.NDArray[np.int32] | Floats:
        """The score of each output, shape (n,) or (1,)."""
        first, *rest = self.terms
        total = first.points(columns)
        with np.errstate(invalid="ignore", over="ignore"):
            for term in rest:
                total = total + term.points(columns)
        return total

    def mask(self, columns: Mapping[Feature, Column]) -> Mask:
        """Where the condition holds, shape (n,) or (1,). It does not where the score is NaN."""
        return np.asarray(self.points(columns) >= self.threshold)

    def expression(self) -> str:
        """The condition as Python."""
        first, *rest = (term.expression() for term in self.terms)
        added = "".join(f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in rest)
        return f"{first}{added} >= {short_literal(self.threshold)}"


Condition: TypeAlias = Equals | Between | ScoreAbove


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
        return tuple(feature for condition in self.conditions for feature in condition.features)

    def mask(self, columns: Mapping[Feature, Column]) -> Mask:
        """Where the event holds, shape (n,), or (1,) where all outputs agree."""
        first, *rest = self.conditions
        result = first.mask(columns)
        for condition in rest:
            result = result & condition.mask(columns)
        return result

    def expression(self) -> str:
        """The event as a Python expression over `output`."""
        return " and ".join(c.expression() for c in self.conditions)
