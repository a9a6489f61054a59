"""The last bits of the mantissa of a number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

from dplint.events.families.element import number_guards
from dplint.events.family import Question
from dplint.events.sampled import SampledPart
from dplint.program.building import binary, call, compare, constant
from dplint.program.nodes import Expression

_BITS = (1, 2, 4, 8)


@dataclass(frozen=True)
class LastBits(Question):
    """Whether one of the last so many bits of the mantissa is set."""

    ORDER: ClassVar[int] = 210

    bits: int = 1

    @cached_property
    def tree(self) -> Expression:
        """`place / math.ulp(place) % 2**bits != 0`."""
        place = self.place.tree
        mantissa = binary(place, "/", call("math.ulp", place))
        return compare(binary(mantissa, "%", constant(2**self.bits)), "!=", constant(0))

    @property
    def complexity(self) -> int:
        """Harder than a grid."""
        return 2

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """Where there are numbers that are not all whole."""
        numbers = part.finite_numbers
        if len(numbers) and (numbers % 1 != 0).any():
            for bits in _BITS:
                yield cls(part.place, part.guards, number_guards(part), bits)
