"""Numbers that only machines have: -0.0, infinities, and those so small that they lose bits."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import ClassVar, Self

from dplint.events.families.element import number_guards
from dplint.events.family import Question
from dplint.events.sampled import SampledPart
from dplint.program.building import both, call, compare, constant
from dplint.program.nodes import Expression


class Special(StrEnum):
    """Numbers that stand for no real number, or for one that is rounded with few bits. NaN is asked for anyway."""

    NEGATIVE_ZERO = "-0.0"
    INFINITE = "infinite"
    SUBNORMAL = "subnormal"


@dataclass(frozen=True)
class SpecialNumber(Question):
    """Whether a number is one of them."""

    ORDER: ClassVar[int] = 190

    special: Special = Special.NEGATIVE_ZERO

    @cached_property
    def tree(self) -> Expression:
        """`place == 0 and str(place) == "-0.0"`, or its like."""
        place, zero = self.place.tree, constant(0)
        match self.special:
            case Special.NEGATIVE_ZERO:
                return both([compare(place, "==", zero), compare(call("str", place), "==", constant("-0.0"))])
            case Special.INFINITE:
                return compare(call("abs", place), "==", constant(math.inf))
            case Special.SUBNORMAL:
                return compare(zero, "<", call("abs", place), "<", constant(sys.float_info.min))

    @property
    def complexity(self) -> int:
        """A little harder than an element."""
        return 1

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """All of them, where there are numbers."""
        if len(part.numbers):
            for special in Special:
                yield cls(part.place, part.guards, number_guards(part), special)
