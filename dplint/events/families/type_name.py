"""The name of the type: tells apart what is sometimes a list and sometimes a number; of exceptions alone, too."""

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
class TypeName(Family):
    """The name of the type of a part of the output."""

    ORDER: ClassVar[int] = 10
    ALWAYS_NUMBER: ClassVar[bool] = False
    COMPLEXITY: ClassVar[int] = 1  # what is raised says more than that something else is returned
    RANK: ClassVar[int] = 0  # among the first

    @cached_property
    def tree(self) -> Expression:
        """`type(place).__name__`."""
        return call("type-name", self.place.tree)

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """Where types vary, or exceptions are raised."""
        sight = part.sight
        if sight.raised_rows or len(sight.type_names) + bool(sight.leaf_rows) > 1:
            yield cls(part.place, part.guards)


@dataclass(frozen=True)
class RaisedName(TypeName):
    """The name of the type of an exception that the mechanism raised."""

    ORDER: ClassVar[int] = 5
    COMPLEXITY: ClassVar[int] = 0  # as plain as an element

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """Where exceptions are raised."""
        if part.sight.raised_rows:
            yield cls(part.place, (*part.guards, is_instance(part.place.tree, "Exception")))
