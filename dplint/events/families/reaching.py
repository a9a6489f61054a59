"""How many elements of a sequence of numbers, or steps between them, reach a threshold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from dplint.events.columns import Floats, Ordered, ValueClass
from dplint.events.conditions import Feature
from dplint.events.families.summed import Summary, Summed
from dplint.events.family import Family
from dplint.events.layout import UNORDERED
from dplint.events.sampled import SampledOutputs
from dplint.events.table_values import Table
from dplint.events.thresholds import cuts_at, many_values
from dplint.program.building import binary, call, compare, constant, display, each, name, number
from dplint.program.nodes import Expression

_REACHED = (0.25, 0.5, 0.75)
"""Quantiles of all elements of a sequence, for counting how many reach them."""


@dataclass(frozen=True)
class Reaching(Family):
    """How many elements of a sequence of numbers reach a threshold; missing where it is empty or holds other things.

    steps: of each element only what it adds to the one before, the first to zero: which undoes running sums.
    as_floats: as for `Summed`.
    """

    ORDER: ClassVar[int] = 90
    COUNTS: ClassVar[bool] = True

    threshold: float = 0.0
    steps: bool = False
    as_floats: bool = False

    @cached_property
    def tree(self) -> Expression:
        """`sum(x >= threshold for x in place)`, or of steps `b - a` between neighbours."""
        place, a, b, x = self.place.tree, name("a"), name("b"), name("x")
        if not self.steps:
            return call("sum", each(compare(x, ">=", number(self.threshold)), x, place))
        step = binary(call("float", b), "-", call("float", a)) if self.as_floats else binary(b, "-", a)
        before = binary(display([constant(0)]), "+", call("list", place))
        return call("sum", each(compare(step, ">=", number(self.threshold)), (a, b), call("zip", before, place)))

    @property
    def complexity(self) -> int:
        """Harder than a count."""
        return 2 + self.steps

    @classmethod
    def derived(cls, features: Sequence[Feature], sample: SampledOutputs) -> Iterator[Self]:
        """Which elements reach a threshold tells more than their sum where noise has long tails."""
        for sequence in numeric_sequences(features):
            for steps in (False, True):
                elements = Ordered.of(sequence.elements(sample.tables, steps=steps))
                for cut in cuts_at(elements, _REACHED) if many_values(elements) else ():
                    yield cls.of(sequence, cut, steps=steps)

    @classmethod
    def of(cls, sequence: NumericSequence, threshold: float, *, steps: bool) -> Self:
        """How many elements of a sequence, or steps between them, reach a threshold."""
        total = sequence.total
        return cls(total.place, total.guards, total.number_guards, threshold, steps, steps and total.as_floats)


@dataclass(frozen=True)
class NumericSequence:
    """A part of the output that is a sequence of numbers, described by the feature that is its sum."""

    total: Summed

    def values(self, tables: Sequence[Table], *, steps: bool) -> Iterator[tuple[Table, Floats]]:
        """The finite elements or steps of each table in which all elements are so, shape (w, n).

        No steps at all if some outputs are sets, whose elements come in an order of their own.
        """
        found = [(table, part) for table in tables if (part := table.parts.get(self.total.place.steps)) is not None]
        if steps and any(part.type_name in UNORDERED for _, part in found):
            return
        for table, part in found:
            leaves = table.slice(part)
            if part.plain and part.stop > part.start and (leaves.classes == ValueClass.NUMBER).all():
                values = _steps_of(leaves.values) if steps else leaves.values
                if np.isfinite(values).all():
                    yield table, values

    def elements(self, tables: Sequence[Table], *, steps: bool) -> Floats:
        """All these values in a row."""
        return np.concatenate([np.zeros(0), *(values.ravel() for _, values in self.values(tables, steps=steps))])


def numeric_sequences(features: Iterable[Feature]) -> list[NumericSequence]:
    """The sequences of numbers among the outputs that these features are of."""
    return [NumericSequence(f) for f in features if isinstance(f, Summed) and f.summary is Summary.SUM]


def _steps_of(values: Floats) -> Floats:
    """What each row adds to the one before, the first row to zero; shape (w, n)."""
    steps = values.copy()
    with np.errstate(invalid="ignore", over="ignore"):
        steps[1:] -= values[:-1]
    return steps
