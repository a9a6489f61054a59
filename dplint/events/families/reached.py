"""Whether noise by inversion of the Laplace distribution, added to 0, can be this number at all."""

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

_BITS = 53
"""Of the uniform variable behind the logarithm, of NumPy and of `random`."""


@dataclass(frozen=True)
class Reached(Question):
    """Whether a number is none that `scale * log(u)` gives, u a multiple of `2**-53`.

    Mironov, CCS 2012, such numbers are rarer than floats, so that a sum with 1 mostly is none of them. NumPy's Laplace
    noise, legacy and new, is made so, and `-log(random())`; of others the answers say little.
    """

    ORDER: ClassVar[int] = 230
    COMPLEXITY: ClassVar[int] = 20  # by far harder than all other questions: it is for noise that these say nothing of

    scale: float = 1.0

    @cached_property
    def tree(self) -> Expression:
        """`-scale * math.log(round(math.exp(abs(place) / -scale) / 2**-53) / 2**53) != abs(place)`."""
        size, scale, two = call("abs", self.place.tree), constant(-self.scale), constant(2)
        uniform = call("math.exp", binary(size, "/", scale))
        step = call("round", binary(uniform, "/", binary(two, "**", constant(-_BITS))))
        again = call("math.log", binary(step, "/", binary(two, "**", constant(_BITS))))
        return compare(binary(scale, "*", again), "!=", size)

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """Of the output itself, where it is a number, for each scale that noise may have."""
        if not part.place.steps and len(part.finite_numbers):
            for scale in part.sample.scales:
                yield cls(part.place, part.guards, number_guards(part), float(scale))
