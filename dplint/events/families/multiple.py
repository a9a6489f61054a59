"""Whether a number is a multiple of a power of two: sums of floats lie on a grid that depends on what was added."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from dplint.events.columns import Floats
from dplint.events.families.element import number_guards
from dplint.events.family import Question
from dplint.events.sampled import SampledPart
from dplint.program.building import binary, compare, constant
from dplint.program.nodes import Expression

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
