"""The sum of two numbers in the output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from dplint.events.families.difference import Difference
from dplint.events.family import Family
from dplint.events.features import Feature
from dplint.events.sampled import SampledOutputs


@dataclass(frozen=True)
class PairSum(Difference):
    """The sum of two numbers in the output, wherever they are; missing where one of them is no number."""

    ORDER: ClassVar[int] = 110
    SIGN: ClassVar[str] = "+"
    landmarks = Family.landmarks

    @classmethod
    def derived(cls, features: Sequence[Feature], sample: SampledOutputs) -> Iterator[Self]:  # noqa: ARG003
        """None: sums undo nothing."""
        return iter(())
