"""How often a value occurs in a sequence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Self

from dplint.events.columns import Key
from dplint.events.family import Family
from dplint.events.sampled import SampledPart
from dplint.program.building import call, method
from dplint.program.nodes import Expression


@dataclass(frozen=True)
class Count(Family):
    """How often a value occurs in a sequence."""

    ORDER: ClassVar[int] = 50
    COUNTS: ClassVar[bool] = True
    COMPLEXITY: ClassVar[int] = 1  # a little harder than an element
    RANK: ClassVar[int] = 0  # among the first

    key: Key = field(kw_only=True)

    @cached_property
    def tree(self) -> Expression:
        """`list(place).count(key)`."""
        return method(call("list", self.place.tree), "count", self.key.literal)

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """For each value that is common in sequences."""
        if part.sight.flat:
            for key in part.common_keys:
                yield cls(part.place, part.inside(part.sight.plain), key=key)
