"""Minimum, maximum, sum and range of all numbers in the output, wherever they are: in attributes, entries, or lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

from dplint.events.columns import Ordered
from dplint.events.families.element import Element
from dplint.events.families.summed import Summary
from dplint.events.family import Family
from dplint.events.places import Place, Steps
from dplint.events.sampled import SampledOutputs
from dplint.events.thresholds import Described, many_values
from dplint.program.building import binary, call, display
from dplint.program.nodes import Expression

_MOST = 12
"""Numbers that are looked at together; of more, the first ones."""


@dataclass(frozen=True)
class Together(Family):
    """Minimum, maximum, sum or range of numbers in several places; missing where one of them is no number.

    Where each of several answers shows a little, all being low at once shows the sum of it.
    """

    ORDER: ClassVar[int] = 120
    COMPLEXITY: ClassVar[int] = 2  # harder than the sum of a list

    others: tuple[Place, ...] = ()
    summary: Summary = Summary.SUM

    @cached_property
    def tree(self) -> Expression:
        """`min([place, other])`, or its like."""
        numbers = display(place.tree for place in (self.place, *self.others))
        if self.summary is Summary.RANGE:
            return binary(call("max", numbers), "-", call("min", numbers))
        return call(self.summary.value, numbers)

    @classmethod
    def joint(cls, described: Sequence[Described], sample: SampledOutputs) -> Iterator[Self]:
        """Of all numbers that vary much, unless they are elements of one list, which has a sum of its own."""
        found = [
            item.feature
            for item in described
            if item.numbers is not None and isinstance(item.feature, Element) and item.feature.place.steps[-1:] != (-1,)
        ]
        numbers = [element for element in found if many_values(Ordered.of(sample.pooled(element).values))][:_MOST]
        if len(numbers) < 2 or _are_of_one_sequence(numbers):
            return
        guards = tuple(dict.fromkeys(guard for element in numbers for guard in element.guards))
        number_guards = tuple(dict.fromkeys(guard for element in numbers for guard in element.number_guards))
        places = [element.place for element in numbers]
        for summary in (Summary.MIN, Summary.MAX, Summary.SUM, Summary.RANGE):
            if summary is Summary.RANGE and len(numbers) == 2:
                continue  # their difference says it
            yield cls(places[0], guards, number_guards, tuple(places[1:]), summary)


def _are_of_one_sequence(elements: Sequence[Element]) -> bool:
    parents: set[Steps] = {element.place.steps[:-1] for element in elements}
    return len(parents) == 1 and all(isinstance(element.place.steps[-1], int) for element in elements)
