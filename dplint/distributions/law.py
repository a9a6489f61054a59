"""The law of noise, as functions on arrays, and the cost of a shift."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Function = Callable[..., Any]
"""Takes parameters by their canonical names: only those that it needs."""


@dataclass(frozen=True)
class Law:
    """Functions of float64 arrays. Each takes first z, where a draw is location + scale * z, else the draw itself, and
    then the parameters that neither location nor scale is made of, by name.

    cdf: P(Z <= z). What follows is there of all such laws that noise has: survival, P(Z > z), with full relative
    accuracy where it is small; and the logarithm of the density, -inf outside of the support.
    """

    cdf: Function
    survival: Function | None = None
    log_density: Function | None = None


@dataclass(frozen=True)
class Piece:
    """A part of a density: coefficient * z**power * e**(rate * z) for low <= z <= high, in standard form.

    low, high: None if there is no end.
    """

    low: Fraction | None
    high: Fraction | None
    coefficient: Fraction
    power: int = 0
    rate: int = 0


@dataclass(frozen=True)
class ShiftCost:
    """The privacy cost of moving a draw by s: the supremum over x of log f(x) - log f(x + s).

    In a proof by randomness alignment the run on D' has x + s where the run on D has x, and the costs of all draws add
    up to the privacy loss (LightDP, Zhang and Kifer, POPL 2017, theorem 1; Albarghouthi and Hsu, POPL 2018).

    kind: "in proportion" to |s|, "bounded" by another function of it, or "infinite" but for 0. downward: whether
    negative shifts have the same cost; if not, theirs is infinite. whole: whether only whole shifts have a finite cost.
    """

    kind: str
    downward: bool = False
    whole: bool = False

    @property
    def is_finite(self) -> bool:
        """Whether some shift other than 0 has a finite cost."""
        return self.kind != "infinite"


INFINITE = ShiftCost("infinite")
"""No shift has a finite cost, since it moves what is possible to what is impossible, or to tails ever thinner."""
