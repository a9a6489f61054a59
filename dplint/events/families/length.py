"""The length of a sequence, or of a text with numbers in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

from dplint.events.columns import TEXT
from dplint.events.family import Family
from dplint.events.places import Through
from dplint.events.sampled import SampledPart
from dplint.program.building import call, is_instance
from dplint.program.nodes import Expression


@dataclass(frozen=True)
class Length(Family):
    """The length of a sequence, or of a text with numbers in it: how many digits these have."""

    ORDER: ClassVar[int] = 40
    COUNTS: ClassVar[bool] = True
    RANK: ClassVar[int] = 0  # among the first

    @cached_property
    def tree(self) -> Expression:
        """`len(place)`."""
        return call("len", self.place.tree)

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """Where lengths vary."""
        if len(part.sight.lengths - {None}) > 1:
            yield cls(part.place, part.inside(part.sight.sized))
        elif (*part.place.steps, Through("words")) in part.sample.survey.sights:
            others = any((table.leaf(seen.start).classes != TEXT).any() for table, seen in part.seen if seen.is_leaf)
            yield cls(part.place, (*part.guards, is_instance(part.place.tree, "str")) if others else part.guards)
