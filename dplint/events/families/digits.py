"""The decimal digits of a number, as Python writes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

from dplint.events.families.element import number_guards
from dplint.events.family import Question
from dplint.events.sampled import SampledPart
from dplint.program.building import call, compare, constant, item
from dplint.program.nodes import Expression

_LONG = 17
"""Characters of a number with all its digits are more than these as often as not."""


@dataclass(frozen=True)
class Digits(Question):
    """Whether a number is written with more than so many characters; with 0 for `more_than`: its last digit is odd."""

    ORDER: ClassVar[int] = 220

    more_than: int = 0

    @cached_property
    def tree(self) -> Expression:
        """`len(str(place)) > more_than`, or `str(place)[-1] in "13579"`."""
        text = call("str", self.place.tree)
        if self.more_than:
            return compare(call("len", text), ">", constant(self.more_than))
        return compare(item(text, -1), "in", constant("13579"))

    @property
    def complexity(self) -> int:
        """Harder than a grid."""
        return 2

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """Of the output itself, where it is a number: each output is written out, which takes time."""
        if not part.place.steps and len(part.finite_numbers):
            for more_than in (0, _LONG):
                yield cls(part.place, part.guards, number_guards(part), more_than)
