"""The name of the type of an exception."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from dplint.events.families.type_name import TypeName
from dplint.events.sampled import SampledPart
from dplint.program.building import is_instance


@dataclass(frozen=True)
class RaisedName(TypeName):
    """The name of the type of an exception that the mechanism raised."""

    ORDER: ClassVar[int] = 5

    @property
    def complexity(self) -> int:
        """As plain as an element."""
        return 0

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """Where exceptions are raised."""
        if part.sight.raised_rows:
            yield cls(part.place, (*part.guards, is_instance(part.place.tree, "Exception")))
