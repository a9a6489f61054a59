"""The supremum of the ratio of two densities of one law, by its closed form: normal, logistic, Gumbel, Cauchy noise.

With a = 1 / scale, and x the output:

- normal: the logarithm is a parabola, which is open upwards, or a line, unless the first scale is the smaller one; then
  its vertex is the largest value.
- logistic, equal scales: log f has the derivative -tanh(z / 2), between -1 and 1, so that the logarithm grows to
  a |m1 - m2| in a tail (m the centres).
- Gumbel, equal scales: a (m1 - m2) + e**(-a x) (e**(a m2) - e**(a m1)), monotone in x.
- Cauchy: a ratio N / D of two quadratic polynomials. Its largest value is the larger k for which N - k D has a double
  root, a root of the quadratic equation that this is for k.

Beside it the same ratio on intervals, for divergences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from flint import arb, fmpq

from dplint.readings.exact.piecewise import Cell, cells_of, meet, union
from dplint.readings.exact.rounding import above, below
from dplint.readings.exact.smooth import Scaled, Smooth
from dplint.readings.exact.suprema import Supremum
from dplint.readings.exact.terms import ZERO, rational

Real: TypeAlias = Callable[[arb], arb]


@dataclass(frozen=True, slots=True)
class _LogDensity:
    """Of z, and its derivative; both hold the values at all places of a ball."""

    value: Real
    derivative: Real


def _log_logistic(z: arb) -> arb:
    return -abs(z) - 2 * (1 + (-abs(z)).exp()).log()


_LOG_DENSITIES: Mapping[str, _LogDensity] = {
    "normal": _LogDensity(lambda z: -z * z / 2, lambda z: -z),
    "logistic": _LogDensity(_log_logistic, lambda z: -(z / 2).tanh()),
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


_FAR, _FAR_OF_NORMAL = 64, 32
"""Scales from a centre: a place in a tail, at which densities are still numbers that floats have."""


def smooth_supremum(one: Smooth, other: Smooth) -> Supremum | None:
    """Of log p1/p2 over all places; None where no closed form is known. Both are densities, and nothing else."""
    p, q = plain_density(one), plain_density(other)
    if p is None or q is None or p.law is not q.law or (p.slope > 0) != (q.slope > 0):
        return None
    sign = 1 if p.slope > 0 else -1
    a, b = abs(p.slope), abs(q.slope)
    m, n = -p.offset / a, -q.offset / b
    if (a, m) == (b, n):
        return Supremum(0.0, 0.0, sign * m)
    found = {"normal": _normal, "logistic": _logistic, "gumbel": _gumbel, "cauchy": _cauchy}[p.law.name](a, m, b, n)
    if found is None:
        return None
    value, place = found
    if not value.is_finite():
        return Supremum(math.inf, math.inf, sign * place)
    return Supremum(below(value), above(value), sign * place)


def _normal(a: fmpq, m: fmpq, b: fmpq, n: fmpq) -> tuple[arb, fmpq]:
    if a < b or a == b:
        away = -1 if m < n else 1
        return arb("inf"), m + away * _FAR_OF_NORMAL / a
    first, second = a * a / 2, b * b / 2
    most = arb(a / b).log() + arb(first * second * (m - n) ** 2 / (first - second))
    return most, (first * m - second * n) / (first - second)


def _logistic(a: fmpq, m: fmpq, b: fmpq, n: fmpq) -> tuple[arb, fmpq] | None:
    away = -1 if m < n else 1
    if a < b:
        return arb("inf"), m + away * _FAR / a
    return (arb(a * abs(m - n)), m + away * _FAR / a) if a == b else None


def _gumbel(a: fmpq, m: fmpq, b: fmpq, n: fmpq) -> tuple[arb, fmpq] | None:
    if a < b:
        return arb("inf"), m + _FAR / a
    if a > b:
        return None
    return (arb(a * (m - n)), m + _FAR / a) if m > n else (arb("inf"), m - 4 / a)


def _cauchy(a: fmpq, m: fmpq, b: fmpq, n: fmpq) -> tuple[arb, fmpq]:
    n2, n1, n0 = b * b, -2 * b * b * n, 1 + b * b * n * n
    d2, d1, d0 = a * a, -2 * a * a * m, 1 + a * a * m * m
    second, first, rest = d1 * d1 - 4 * d2 * d0, 4 * (n2 * d0 + n0 * d2) - 2 * n1 * d1, n1 * n1 - 4 * n2 * n0
    # Both outer coefficients are negative, the middle one is positive: two positive roots, or one double root.
    root = arb(max(first * first - 4 * second * rest, ZERO)).sqrt()
    most = (arb(first) + root) / arb(-2 * second)
    slope = 2 * (arb(n2) - most * arb(d2))
    place = m + _FAR / a if slope.contains(0) else _near(-(arb(n1) - most * arb(d1)) / slope)
    return (most * arb(a / b)).log(), place


def _near(ball: arb) -> fmpq:
    return rational(Fraction(float(ball.mid())))
