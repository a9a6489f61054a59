"""The sum of two numbers in the output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Self

from dplint.events.families.difference import are_of_arrays, joint_pairs
from dplint.events.family import Family
from dplint.events.places import Place
from dplint.events.sampled import SampledOutputs
from dplint.events.thresholds import Described
from dplint.program.building import binary, call
from dplint.program.nodes import Expression


@dataclass(frozen=True)
class PairSum(Family):
    """The sum of two numbers in the output, wherever they are; missing where one of them is no number.

    as_floats: as for `Summed`.
    """

    ORDER: ClassVar[int] = 110
    CLUSTERED: ClassVar[bool] = True

    other: Place = field(default_factory=Place)
    as_floats: bool = False

    @cached_property
    def tree(self) -> Expression:
        """`place + other`."""
        one, two = self.place.tree, self.other.tree
        return binary(call("float", one), "+", call("float", two)) if self.as_floats else binary(one, "+", two)

    @property
    def complexity(self) -> int:
        """Harder than an element."""
        return 2

    @classmethod
    def joint(cls, described: Sequence[Described], sample: SampledOutputs) -> Iterator[Self]:
        """Of numbers with opposite noise, which is gone from their sum."""
        for one, other in joint_pairs(described, sample, opposite=True):
            guards = tuple(dict.fromkeys((*one.guards, *other.guards)))
            number_guards = tuple(dict.fromkeys((*one.number_guards, *other.number_guards)))
            yield cls(one.place, guards, number_guards, other.place, are_of_arrays(one, other, sample))
