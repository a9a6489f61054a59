"""Whether a whole number is even or odd."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

from dplint.events.family import Family
from dplint.events.sampled import SampledPart
from dplint.program.building import binary, constant, is_instance
from dplint.program.nodes import Expression


@dataclass(frozen=True)
class Parity(Family):
    """A whole number modulo 2."""

    ORDER: ClassVar[int] = 35
    COUNTS: ClassVar[bool] = True
    COMPLEXITY: ClassVar[int] = 1  # a little harder than an element

    @cached_property
    def tree(self) -> Expression:
        """`place % 2`."""
        return binary(self.place.tree, "%", constant(2))

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """Where there is a single value at times."""
        if part.sight.leaf_rows:
            yield cls(part.place, (*part.guards, is_instance(part.place.tree, "int")))
