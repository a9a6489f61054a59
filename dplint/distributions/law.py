"""The law of a distribution of numbers, as functions on arrays, and the cost of a shift."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Function = Callable[..., Any]
"""Takes parameters by their canonical names: only those that it needs."""


@dataclass(frozen=True)
class Law:
    """Functions of float64 arrays that broadcast. Each takes x first, then parameters of the distribution by name.

    standard: they are functions of z where the draw is location + scale * z, and take only the parameters that neither
    of these is made of. None is what has no closed form here.

    log_density: of a continuous law the logarithm of its density, of a discrete one that of the probability of x; -inf
    outside of the support. cdf: P(X <= x). survival: P(X > x), with full relative accuracy where it is small.
    """

    log_density: Function
    cdf: Function | None = None
    survival: Function | None = None
    standard: bool = False


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

    per_unit: a function of the parameters, if the cost is |s| times that; else cost: a function of |s| and the
    parameters. Both None: no shift but 0 has a finite cost. downward: whether negative shifts have the same cost; if
    not, theirs is infinite. whole: whether only whole shifts have a finite cost. where: a condition on the parameters
    outside of which no shift has a finite cost.
    """

    per_unit: Function | None = None
    cost: Function | None = None
    downward: bool = False
    whole: bool = False
    where: Function | None = None

    @property
    def is_finite(self) -> bool:
        """Whether some shift other than 0 has a finite cost, for some parameters."""
        return self.per_unit is not None or self.cost is not None


INFINITE = ShiftCost()
"""No shift has a finite cost, since it moves what is possible to what is impossible, or to tails ever thinner."""
