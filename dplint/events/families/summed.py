"""Mean, minimum, maximum, sum and range of a sequence of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import ClassVar, Self

from dplint.events.family import Family, not_large
from dplint.events.layout import OF_PYTHON
from dplint.events.sampled import SampledPart
from dplint.program.building import binary, both, call, compare, constant, each, is_instance, name
from dplint.program.nodes import Expression


class Summary(StrEnum):
    """Numbers that sum up a sequence of numbers."""

    MEAN = "mean"
    MIN = "min"
    MAX = "max"
    SUM = "sum"
    RANGE = "range"
    """The largest minus the smallest: noise that all share is gone from it."""


@dataclass(frozen=True)
class Summed(Family):
    """Mean, minimum, maximum, sum or range of a sequence of numbers; missing where it is empty or holds other things.

    as_floats: whether the elements are NumPy's, whose own sum may overflow, or be rounded to few digits.
    """

    ORDER: ClassVar[int] = 80
    RANK: ClassVar[int] = 3  # after the elements

    summary: Summary = Summary.MEAN
    as_floats: bool = False

    @cached_property
    def tree(self) -> Expression:
        """`sum(place)`, or its like."""
        place = self.place.tree
        if self.summary in (Summary.MIN, Summary.MAX):
            return call(self.summary.value, place)
        if self.summary is Summary.RANGE:
            numbers = call("map", constant("float"), place) if self.as_floats else place
            return binary(call("max", numbers), "-", call("min", numbers))
        total = call("sum", call("map", constant("float"), place) if self.as_floats else place)
        return total if self.summary is Summary.SUM else binary(total, "/", call("len", place))

    @property
    def complexity(self) -> int:
        """A little harder than an element."""
        return 2 if self.summary is Summary.RANGE else 1

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """All that differ, where sequences hold numbers that are not all bools, of which the counts say everything."""
        sight, place = part.sight, part.place.tree
        if not sight.flat or part.all_boolean:
            return
        guards = part.inside(sight.plain)
        if 0 in sight.lengths:
            guards = (*guards, compare(call("len", place), ">", constant(0)))
        x = name("x")
        all_numbers = both([is_instance(x, "int", "float"), compare(x, "==", x), not_large(x)])
        number_guards = (each(all_numbers, x, place, "all"),) if part.holds_others else ()
        for summary in Summary:
            if summary is Summary.RANGE and sight.lengths == {1}:
                continue
            if summary is Summary.MEAN and len(sight.lengths) == 1:
                continue  # the sum says the same in fewer words
            yield cls(part.place, guards, number_guards, summary, not sight.plain <= OF_PYTHON)
