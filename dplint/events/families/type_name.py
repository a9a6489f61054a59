"""The name of the type: tells exceptions apart, and what is sometimes a list and sometimes a number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

from dplint.events.columns import Key, RowKey
from dplint.events.family import Family
from dplint.events.sampled import SampledPart
from dplint.program.building import call
from dplint.program.nodes import Constant, Expression

_EXCEPTIONS = ("Error", "Exception", "Interrupt", "Warning", "Exit", "Iteration")


@dataclass(frozen=True)
class TypeName(Family):
    """The name of the type of a part of the output; tells exceptions apart as well."""

    ORDER: ClassVar[int] = 10
    ALWAYS_NUMBER: ClassVar[bool] = False

    @cached_property
    def tree(self) -> Expression:
        """`type(place).__name__`."""
        return call("type-name", self.place.tree)

    @property
    def complexity(self) -> int:
        """As plain as an element."""
        return 0

    def complexity_at(self, key: Key | RowKey) -> int:
        """An exception is named first: that something else is returned says less."""
        name = key.literal.value if isinstance(key, Key) and isinstance(key.literal, Constant) else ""
        return self.complexity + (not str(name).endswith(_EXCEPTIONS))

    @property
    def rank(self) -> int:
        """Among the first."""
        return 0

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """Where types vary, or exceptions are raised."""
        sight = part.sight
        if sight.raised_rows or len(sight.type_names) + bool(sight.leaf_rows) > 1:
            yield cls(part.place, part.guards)
