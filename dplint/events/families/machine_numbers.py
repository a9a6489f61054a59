"""Questions about the numbers of machines: those that only machines have, their digits, their last bits, their grid.

Sums of floats lie on a grid that depends on what was added.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from dplint.events.columns import Floats
from dplint.events.families.element import number_guards
from dplint.events.family import Question
from dplint.events.sampled import SampledPart
from dplint.program.building import binary, both, call, compare, constant, item
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
    COMPLEXITY: ClassVar[int] = 1  # a little harder than an element

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

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """All of them, where there are numbers."""
        if len(part.numbers):
            for special in Special:
                yield cls(part.place, part.guards, number_guards(part), special)


_LONG = 17
"""Characters of a number with all its digits are more than these as often as not."""


@dataclass(frozen=True)
class Digits(Question):
    """Whether a number is written with more than so many characters; with 0 for `more_than`: its last digit is odd."""

    ORDER: ClassVar[int] = 220
    COMPLEXITY: ClassVar[int] = 2  # harder than a grid

    more_than: int = 0

    @cached_property
    def tree(self) -> Expression:
        """`len(str(place)) > more_than`, or `str(place)[-1] in "13579"`."""
        text = call("str", self.place.tree)
        if self.more_than:
            return compare(call("len", text), ">", constant(self.more_than))
        return compare(item(text, -1), "in", constant("13579"))

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """Of the output itself, where it is a number: each output is written out, which takes time."""
        if not part.place.steps and len(part.finite_numbers):
            for more_than in (0, _LONG):
                yield cls(part.place, part.guards, number_guards(part), more_than)


_BITS = (1, 2, 4, 8)


@dataclass(frozen=True)
class LastBits(Question):
    """Whether one of the last so many bits of the mantissa is set."""

    ORDER: ClassVar[int] = 210
    COMPLEXITY: ClassVar[int] = 2  # harder than a grid

    bits: int = 1

    @cached_property
    def tree(self) -> Expression:
        """`place / math.ulp(place) % 2**bits != 0`."""
        place = self.place.tree
        mantissa = binary(place, "/", call("math.ulp", place))
        return compare(binary(mantissa, "%", constant(2**self.bits)), "!=", constant(0))

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """Where there are numbers that are not all whole."""
        numbers = part.finite_numbers
        if len(numbers) and (numbers % 1 != 0).any():
            for bits in _BITS:
                yield cls(part.place, part.guards, number_guards(part), bits)


_MOST = 10
"""Powers that are asked about, evenly among those that tell outputs apart."""
_SHARE = 0.002
"""Of the outputs that must be on either side of a grid to tell something."""
_LARGEST_POWER = 1022


@dataclass(frozen=True)
class Multiple(Question):
    """Whether a number is no multiple of `2**-power`.

    Mironov, "On significance of the least significant bits for differential privacy", CCS 2012: the noisy sums of 0
    and of 1 lie on grids of different width near 0.
    """

    ORDER: ClassVar[int] = 200

    power: int = 0

    @cached_property
    def tree(self) -> Expression:
        """`place % 2**-power != 0`. A product with `2**power` would fill the memory, were the place a list."""
        grid = constant(1) if self.power == 0 else binary(constant(2), "**", constant(-self.power))
        return compare(binary(self.place.tree, "%", grid), "!=", constant(0))

    @classmethod
    def found(cls, part: SampledPart) -> Iterator[Self]:
        """For powers at which outputs part."""
        powers = lowest_powers(part.finite_numbers)
        if not len(powers):
            return
        low, high = np.quantile(powers, [_SHARE, 1 - _SHARE])
        wanted = np.arange(max(int(low), -_LARGEST_POWER), min(int(high), _LARGEST_POWER))
        for power in wanted[np.unique(np.linspace(0, len(wanted) - 1, _MOST).astype(int))] if len(wanted) else ():
            yield cls(part.place, part.guards, number_guards(part), int(power))


def lowest_powers(numbers: Floats) -> npt.NDArray[np.int64]:
    """The least k for which each finite number but 0 is a multiple of `2**-k`."""
    mantissas, exponents = np.frexp(numbers[numbers != 0])
    bits = np.ldexp(np.abs(mantissas), 53).astype(np.int64)
    lowest = np.frexp((bits & -bits).astype(np.float64))[1] - 1
    return np.asarray(53 - exponents - lowest, np.int64)
