"""The text of an exception."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

from dplint.events.family import Family
from dplint.events.sampled import SampledPart
from dplint.program.building import call, is_instance
from dplint.program.nodes import Expression


@dataclass(frozen=True)
class Message(Family):
    """The text of an exception that the mechanism raised."""

    ORDER: ClassVar[int] = 20
    ALWAYS_NUMBER: ClassVar[bool] = False
    COMPLEXITY: ClassVar[int] = 1  # a little harder than an element

    @cached_property
    def tree(self) -> Expression:
        """`str(place)`."""
        return call("str", self.place.tree)

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """Where exceptions are raised."""
        if part.sight.raised_rows:
            yield cls(part.place, (*part.guards, is_instance(part.place.tree, "Exception")))
