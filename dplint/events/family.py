"""What an event family is: a kind of feature that knows where it is worth looking for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

import numpy as np

from dplint.events.columns import ValueClass, number_key
from dplint.events.conditions import Feature
from dplint.events.grids import ValueAxis
from dplint.events.sampled import SampledOutputs, SampledPart
from dplint.events.thresholds import Described, describe
from dplint.program.building import binary, call, compare, constant, either, is_instance
from dplint.program.nodes import Expression


@dataclass(frozen=True)
class Family(Feature):
    """A feature of some kind. A class in a module of `dplint.events.families` is found by itself."""

    ORDER: ClassVar[int]
    """Where its features stand among those of other families: of events that do as well the first is taken."""
    REFINED: ClassVar[bool] = True
    """Whether better events are made of it, with finer thresholds, products and scores."""
    CLUSTERED: ClassVar[bool] = False
    """Whether its numbers may lie in a few heaps, as without noise they are few, but for rounding."""
    OF_MACHINES: ClassVar[bool] = False
    """Whether it asks how a number is stored: only audits of machine numbers look at it."""

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:  # noqa: ARG003
        """The features of one part of the outputs, whether they vary or not."""
        return iter(())

    @classmethod
    def joint(cls, described: Sequence[Described], sample: SampledOutputs) -> Iterator[Self]:  # noqa: ARG003
        """Features of several parts at once that the first events should be about, given those of single parts."""
        return iter(())

    @classmethod
    def derived(cls, features: Sequence[Feature], sample: SampledOutputs) -> Iterator[Self]:  # noqa: ARG003
        """Features that are made of those found, for better events; they vary, or not."""
        return iter(())

    def describe(self, sample: SampledOutputs) -> Described | None:
        """The values and thresholds that are worth a condition; None if the feature never varies."""
        return describe(
            self,
            sample.pooled(self),
            sample.numbers(self),
            partial(self.landmarks, sample),
            sample.texts,
            booleans=self.spells_bools(sample),
            clusters=self.CLUSTERED,
            rounded=sample.rounded(self),
        )

    def landmarks(self, sample: SampledOutputs) -> tuple[float, ...]:
        """Numbers that make natural thresholds, ascending: those without noise."""
        return sample.landmarks(self)

    def spells_bools(self, sample: SampledOutputs) -> bool:  # noqa: ARG002
        """Whether every 0 and 1 among the values is a bool, so that conditions spell it False and True."""
        return False


@dataclass(frozen=True)
class Question(Family):
    """A feature of machine numbers that is a condition itself, such as `output % 1 != 0`."""

    OF_MACHINES: ClassVar[bool] = True
    IS_QUESTION: ClassVar[bool] = True
    ORDERED: ClassVar[bool] = False
    REFINED: ClassVar[bool] = False
    RANK: ClassVar[int] = 0  # crossed with other events first: which bits a number has depends on its size

    def describe(self, sample: SampledOutputs) -> Described | None:
        """The question and its negation, if the answers differ."""
        column = sample.pooled(self)
        answers = np.unique(np.where(column.classes == ValueClass.NUMBER, column.values, np.nan), equal_nan=True)
        if len(answers) < 2:
            return None
        keys = tuple(number_key(value, boolean=True) for value in (1.0, 0.0))
        return Described(self, True, ValueAxis(self, keys), None)


def not_large(tree: Expression) -> Expression:
    """That a number is no integer beyond 2**53, which is known by its digits only, and lies in no interval."""
    exact = binary(constant(2), "**", constant(53))
    return either([is_instance(tree, "float"), compare(call("abs", tree), "<=", exact)])
