"""The length of a sequence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

from dplint.events.family import Family
from dplint.events.sampled import SampledPart
from dplint.program.building import call
from dplint.program.nodes import Expression


@dataclass(frozen=True)
class Length(Family):
    """The length of a sequence."""

    ORDER: ClassVar[int] = 40
    COUNTS: ClassVar[bool] = True

    @cached_property
    def tree(self) -> Expression:
        """`len(place)`."""
        return call("len", self.place.tree)

    @property
    def rank(self) -> int:
        """Among the first."""
        return 0

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """Where lengths vary."""
        if len(part.sight.lengths - {None}) > 1:
            yield cls(part.place, part.inside(part.sight.sized))
