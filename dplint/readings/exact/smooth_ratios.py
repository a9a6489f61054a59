"""The logarithm of the ratio of two densities of one law, on intervals: normal, logistic, Gumbel and Cauchy noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from flint import arb, fmpq

from dplint.readings.exact.piecewise import Cell, cells_of, meet, union
from dplint.readings.exact.smooth import Scaled, Smooth

Real: TypeAlias = Callable[[arb], arb]


@dataclass(frozen=True, slots=True)
class _LogDensity:
    """Of z, and its derivative; both hold the values at all places of a ball."""

    value: Real
    derivative: Real


def _logistic(z: arb) -> arb:
    return -abs(z) - 2 * (1 + (-abs(z)).exp()).log()


_LOG_DENSITIES: Mapping[str, _LogDensity] = {
    "normal": _LogDensity(lambda z: -z * z / 2, lambda z: -z),
    "logistic": _LogDensity(_logistic, lambda z: -(z / 2).tanh()),
    "gumbel": _LogDensity(lambda z: -z - (-z).exp(), lambda z: (-z).exp() - 1),
    "cauchy": _LogDensity(lambda z: -(1 + z * z).log(), lambda z: -2 * z / (1 + z * z)),
}
"""But for a constant, which two densities of one law have in common."""


@dataclass(frozen=True, slots=True)
class SmoothRatio:
    """P / (factor q) for two densities of one law, each zero outside of its cell."""

    p: Scaled
    q: Scaled
    p_cell: Cell
    q_cell: Cell
    factor: arb

    @property
    def unit(self) -> fmpq:
        """The larger scale."""
        return max(abs(1 / self.p.slope), abs(1 / self.q.slope))

    def cells(self) -> list[Cell]:
        """Those between the centres and the ends of the cells where p is positive."""
        ends = [end for end in (*self.p_cell, *self.q_cell) if end is not None]
        centres = [-one.offset / one.slope for one in (self.p, self.q)]
        return [cell for cell in cells_of(union(centres, ends)) if _is_cell(meet(cell, self.p_cell))]

    def masses(self, cell: Cell) -> tuple[arb, arb]:
        """The integrals of p and factor * q over a cell."""
        inside = meet(cell, self.q_cell)
        return _between(self.p, cell), self.factor * _between(self.q, inside) if _is_cell(inside) else arb(0)

    def sign(self, cell: Cell) -> int:
        """1 or -1 where p is more, or less, than factor * q in the whole cell; 0 if that is not known.

        By the mean value theorem for the logarithm of the ratio.
        """
        low, high = cell
        if not _is_cell(meet(cell, self.q_cell)):
            return 1
        if low is None or high is None:
            return 0
        middle, half = (low + high) / 2, (high - low) / 2
        law = _LOG_DENSITIES[self.p.law.name]
        value = arb(abs(self.p.slope / self.q.slope)).log() - self.factor.log()
        slope = arb(0)
        for one, sign in ((self.p, 1), (self.q, -1)):
            value += sign * law.value(arb(one.slope * middle + one.offset))
            places = arb(one.slope * middle + one.offset, abs(one.slope) * half)
            slope += sign * arb(one.slope) * law.derivative(places)
        value += slope * arb(0, half)
        return int(value > 0) - int(value < 0)


def _is_cell(cell: Cell) -> bool:
    low, high = cell
    return low is None or high is None or low < high


def density_alone(function: Smooth) -> Scaled | None:
    """The density that a function is within its cell, where nothing is multiplied with it."""
    return function.density if function.piecewise is None and len(function.factors) == 1 else None


def plain_density(function: Smooth) -> Scaled | None:
    """The same where it is not cut off."""
    return density_alone(function) if function.cell == (None, None) else None


def smooth_ratio(one: Smooth, other: Smooth, factor: arb) -> SmoothRatio | None:
    """None where they are not two densities of one law."""
    p, q = density_alone(one), density_alone(other)
    if p is None or q is None or p.law is not q.law:
        return None
    return SmoothRatio(p, q, one.cell, other.cell, factor)


def _between(density: Scaled, cell: Cell) -> arb:
    low, high = cell
    if low is None:
        return arb(1) if high is None else density.beyond(high, above=False)
    if high is None:
        return density.beyond(low, above=True)
    if low > -density.offset / density.slope:
        return density.beyond(low, above=True) - density.beyond(high, above=True)
    return density.beyond(high, above=False) - density.beyond(low, above=False)
