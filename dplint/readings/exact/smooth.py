"""Functions without a closed form for their products' integrals: of normal, Gumbel, logistic and Cauchy noise.

A product of such functions is integrated by Arb (Johansson, "Numerical integration in arbitrary-precision ball
arithmetic", ICMS 2018), whose result is a ball that certainly holds the integral. What lies beyond the ends of the
integration is bounded by the mass that the density has there, which has a closed form: the other factors are
probabilities, hence at most 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from flint import acb, arb, ctx, fmpq

from dplint.readings.exact.affine import NotFollowed
from dplint.readings.exact.piecewise import Cell, Part, Piecewise, exact_key, inside, meet, memo
from dplint.readings.exact.terms import CONSTANT, ONE, ZERO

Analytic: TypeAlias = Callable[[acb], acb]
"""Holomorphic wherever it is finite; where it is not, it gives what is not finite."""
_MOST_DOUBLINGS = 2000


@dataclass(frozen=True, eq=False)
class SmoothLaw:
    """A law in standard form: density, distribution function and survival function."""

    name: str
    density: Analytic
    cdf: Analytic
    survival: Analytic


@dataclass(frozen=True, eq=False)
class Scaled:
    """A function of a law, "density", "cdf" or "survival", at (slope * t + offset); a density with its factor."""

    law: SmoothLaw
    kind: str
    slope: fmpq
    offset: fmpq

    def at(self, t: acb) -> acb:
        """The value."""
        function: Analytic = getattr(self.law, self.kind)
        value = function(t * arb(self.slope) + arb(self.offset))
        return value * arb(abs(self.slope)) if self.kind == "density" else value

    def substituted(self, slope: fmpq, offset: fmpq) -> Scaled:
        """The function of t that this is of slope * t + offset; a density stays one, of (t - offset) / slope."""
        return Scaled(self.law, self.kind, self.slope * slope, self.slope * offset + self.offset)

    def beyond(self, place: fmpq, *, above: bool) -> arb:
        """The mass of the density above or below a place."""
        z = acb(arb(place * self.slope + self.offset))
        return (self.law.survival(z) if above == (self.slope > 0) else self.law.cdf(z)).real


class Smooth:
    """The product of analytic factors, and of a piecewise function, within a cell; zero outside of it.

    density: which of them bounds what lies far out: a density, or the piecewise function if it is None.
    """

    __slots__ = ("_total", "cell", "density", "factors", "piecewise")

    def __init__(
        self,
        factors: tuple[Scaled, ...],
        density: Scaled | None,
        piecewise: Piecewise | None = None,
        cell: Cell = (None, None),
    ) -> None:
        self.factors = factors
        self.density = density
        self.piecewise = piecewise
        self.cell = cell
        self._total: arb | None = None

    def support(self) -> list[Cell]:
        """Where it is positive."""
        if self.piecewise is None:
            return [] if self._empty() else [self.cell]
        low, high = self.cell
        return self.piecewise.restricted(low, high).support()

    def inside(self, cell: Cell) -> fmpq:
        """A place in a cell."""
        return inside(cell)

    def _empty(self) -> bool:
        low, high = self.cell
        return low is not None and high is not None and low >= high

    def restricted(self, low: fmpq | None, high: fmpq | None) -> Smooth:
        """Zero outside of the interval."""
        key = ("restricted", exact_key(low), exact_key(high))
        found: Smooth = memo.get((self,), key, lambda: self._within((low, high)))
        return found

    def _within(self, cell: Cell) -> Smooth:
        return Smooth(self.factors, self.density, self.piecewise, meet(self.cell, cell))

    def at(self, place: fmpq) -> arb:
        """The value at a place inside of a cell."""
        low, high = self.cell
        if (low is not None and place < low) or (high is not None and place > high):
            return arb(0)
        value = arb(1) if self.piecewise is None else self.piecewise.at(place)
        for factor in self.factors:
            value = value * factor.at(acb(arb(place))).real
        return value

    def as_density_of(self, slope: fmpq, offset: fmpq) -> Smooth:
        """The density of slope * X + offset, where this is that of X; only where no piecewise factor is in it."""
        if slope == 1 and offset == 0:
            return self
        low, high = [None if end is None else slope * end + offset for end in self.cell]
        piecewise = None if self.piecewise is None else self.piecewise.substituted(1 / slope, -offset / slope)
        moved = {one: one.substituted(1 / slope, -offset / slope) for one in self.factors}
        density = None if self.density is None else moved[self.density]
        scale = Piecewise((), (Part({(CONSTANT, 0): arb(abs(1 / slope))}),))
        if density is None and abs(slope) != 1:
            piecewise = scale if piecewise is None else piecewise * scale
        return Smooth(tuple(moved.values()), density, piecewise, (low, high) if slope > 0 else (high, low))

    def integral_between(self, lowers: Sequence[tuple[fmpq, fmpq]], uppers: Sequence[tuple[fmpq, fmpq]]) -> Smooth:
        """For a density alone: its distribution function or survival function. Raises NotFollowed for others."""
        plain = self.piecewise is None and len(self.factors) == 1 and self.cell == (None, None)
        if not plain or self.density is None or len(lowers) + len(uppers) != 1:
            raise NotFollowed("comparisons of noise whose probability is a nested integral")
        found: Smooth = memo.get((self,), ("between", str(lowers), str(uppers)), lambda: self._between(lowers, uppers))
        return found

    def centres(self) -> list[fmpq]:
        """Where the factors have z = 0, and the cuts of the piecewise one: what lies on either side differs."""
        own = [] if self.piecewise is None else list(self.piecewise.cuts)
        return [*own, *(-factor.offset / factor.slope for factor in self.factors)]

    def _between(self, lowers: Sequence[tuple[fmpq, fmpq]], uppers: Sequence[tuple[fmpq, fmpq]]) -> Smooth:
        assert self.density is not None
        ((slope, offset),) = (*lowers, *uppers)
        up = bool(lowers) == (self.density.slope > 0)
        inner = self.density
        moved = Scaled(
            inner.law,
            "survival" if up else "cdf",
            inner.slope * slope,
            inner.slope * offset + inner.offset,
        )
        return Smooth((moved,), None)

    # the integral

    def total(self) -> arb:
        """The integral, as a ball."""
        if self._total is None:
            self._total = self._integral()
        return self._total

    def _integral(self) -> arb:
        low, high = self._reach()
        outside = self._beyond(low, above=False) + self._beyond(high, above=True)
        total = acb(0)
        cuts = () if self.piecewise is None else self.piecewise.cuts
        ends = [low, *(cut for cut in cuts if low < cut < high), high]
        for start, end in pairwise(ends):
            part = None if self.piecewise is None else self.piecewise.parts[self.piecewise.index_at((start + end) / 2)]
            if self.piecewise is None or part is not None:
                total += self._piece(part, start, end)
        return total.real + outside * arb(0.5, 0.5)

    def _piece(self, part: Part | None, low: fmpq, high: fmpq) -> acb:
        def value(z: acb, _analytic: bool) -> acb:
            product = acb(1)
            for factor in self.factors:
                product = product * factor.at(z)
            if part is None:
                return product
            total = acb(0)
            for (rate, power), coefficient in part.terms.items():
                total += z**power * (z * arb(rate.value)).exp() * coefficient
            return product * total

        tolerance = arb(2) ** (-ctx.prec + 20)
        return acb.integral(value, acb(arb(low)), acb(arb(high)), rel_tol=tolerance, abs_tol=tolerance * tolerance)

    def _reach(self) -> tuple[fmpq, fmpq]:
        """Ends between which nearly all is."""
        small = arb(2) ** (-ctx.prec)
        low, high = self.cell
        if low is None:
            low = self._far(lambda place: self._beyond(place, above=False) < small, -ONE, high)
        if high is None:
            high = self._far(lambda place: self._beyond(place, above=True) < small, ONE, low)
        return low, max(low, high)

    @staticmethod
    def _far(reached: Callable[[fmpq], bool], direction: fmpq, other: fmpq | None) -> fmpq:
        start = ZERO if other is None else other
        step = direction
        for _ in range(_MOST_DOUBLINGS):
            if reached(start + step):
                return start + step
            step = step * 2
        raise NotFollowed("noise with tails that are too heavy to be integrated")

    def _beyond(self, place: fmpq, *, above: bool) -> arb:
        """A bound for the integral above or below a place; exactly 0 outside of the cell."""
        low, high = self.cell
        if (above and high is not None and place >= high) or (not above and low is not None and place <= low):
            return arb(0)
        if self.density is not None:
            return self.density.beyond(place, above=above)
        assert self.piecewise is not None
        return self.piecewise.restricted(*((place, None) if above else (None, place))).total()


def product_of(functions: Sequence[object]) -> Smooth:
    """The product of the functions of one draw, some of them without a closed form; the first is the density."""
    found: Smooth = memo.get(functions, "smooth product", lambda: _product(functions))
    return found


def _product(functions: Sequence[object]) -> Smooth:
    factors: list[Scaled] = []
    piecewise: Piecewise | None = None
    cell: Cell = (None, None)
    for one in functions:
        if isinstance(one, Smooth):
            factors.extend(one.factors)
            cell = meet(cell, one.cell)
        inner = one.piecewise if isinstance(one, Smooth) else one
        if isinstance(inner, Piecewise):
            piecewise = inner if piecewise is None else piecewise * inner
    first = functions[0]
    return Smooth(tuple(factors), first.density if isinstance(first, Smooth) else None, piecewise, cell)


def _normal_density(z: acb) -> acb:
    return (-z * z / 2).exp() / (2 * arb.pi()).sqrt()


def _normal_cdf(z: acb) -> acb:
    return (-z / arb(2).sqrt()).erfc() / 2


def _gumbel_cdf(z: acb) -> acb:
    return (-(-z).exp()).exp()


def _gumbel_survival(z: acb) -> acb:
    return -(-(-z).exp()).expm1()


def _logistic_cdf(z: acb) -> acb:
    return 1 / (1 + (-z).exp())


def _cauchy_density(z: acb) -> acb:
    return 1 / (arb.pi() * (1 + z * z))


def _cauchy_survival(z: acb) -> acb:
    """Without a difference of numbers near 1, however far out; not finite where a branch of the tangent is cut."""
    if z.real.contains(0) and not abs(z.imag) < 1:
        return acb("nan")
    return arb.pi() ** -1 * (1 / z).atan() if z.real > 1 else arb(0.5) - z.atan() / arb.pi()


SMOOTH_LAWS = {
    law.name: law
    for law in (
        SmoothLaw("normal", _normal_density, _normal_cdf, lambda z: _normal_cdf(-z)),
        SmoothLaw("gumbel", lambda z: (-z - (-z).exp()).exp(), _gumbel_cdf, _gumbel_survival),
        SmoothLaw(
            "logistic", lambda z: _logistic_cdf(z) * _logistic_cdf(-z), _logistic_cdf, lambda z: _logistic_cdf(-z)
        ),
        SmoothLaw("cauchy", _cauchy_density, lambda z: _cauchy_survival(-z), _cauchy_survival),
    )
}
"""By the names of `dplint.distributions`."""


def smooth_density(name: str, scale: fmpq) -> Smooth:
    """The density of scale * z, where z has the law in standard form."""
    density = Scaled(SMOOTH_LAWS[name], "density", 1 / scale, ZERO)
    return Smooth((density,), density)
