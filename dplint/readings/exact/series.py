"""Poisson noise, whose probabilities are no exponential polynomials: sums with a proved bound for what is left out.

From k on with k + 1 > mean, the probabilities fall faster than a geometric series with ratio mean / (k + 1), so that
together they are at most P(k) / (1 - mean / (k + 1)). All that such probabilities are multiplied by are probabilities
themselves, hence at most 1.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NoReturn

from flint import arb, ctx, fmpq

from dplint.outcomes import Impossible
from dplint.readings.exact.affine import NotFollowed
from dplint.readings.exact.lattices import HALF, part_of_one
from dplint.readings.exact.piecewise import Cell, Piecewise, meet
from dplint.readings.exact.rounding import above, below, probability_bounds
from dplint.readings.exact.suprema import Supremum
from dplint.readings.exact.terms import ONE, ZERO

_LARGEST_MEAN = 10_000


class Series:
    """P(slope * y + offset) of a Poisson law of this mean, times a function on the lattice, within a cell of y.

    slope: 1 or -1. The cell ends between points. phase: as for `Lattice`.
    """

    __slots__ = ("_total", "cell", "factor", "mean", "offset", "phase", "slope")

    def __init__(
        self,
        mean: fmpq,
        slope: fmpq = ONE,
        offset: fmpq = ZERO,
        factor: Piecewise | None = None,
        cell: Cell = (None, None),
    ) -> None:
        if mean > _LARGEST_MEAN:
            raise NotFollowed(f"Poisson noise with a mean above {_LARGEST_MEAN:,}")
        self.mean = mean
        self.slope = slope
        self.offset = offset
        self.factor = factor
        self.phase = part_of_one(-offset / slope)
        first = -HALF / slope - offset / slope
        self.cell = meet((first, None) if slope > 0 else (None, first), cell)
        self._total: arb | None = None

    def _number(self, place: fmpq) -> fmpq:
        return self.slope * place + self.offset

    def inside(self, cell: Cell) -> fmpq:
        """A point in a cell."""
        low, high = cell
        if low is not None:
            return low + HALF
        return self.phase if high is None else high - HALF

    def support(self) -> list[Cell]:
        """Where it is positive."""
        low, high = self.cell
        if low is not None and high is not None and low >= high:
            return []
        return [self.cell] if self.factor is None else self.factor.restricted(low, high).support()

    def restricted(self, low: fmpq | None, high: fmpq | None) -> Series:
        """Zero but for low <= number < high."""
        ends = [None if end is None else fmpq((end - self.phase).ceil()) + self.phase - HALF for end in (low, high)]
        return Series(self.mean, self.slope, self.offset, self.factor, meet(self.cell, (ends[0], ends[1])))

    def times(self, other: Piecewise) -> Series:
        """Times a function on the lattice."""
        factor = other if self.factor is None else self.factor * other
        return Series(self.mean, self.slope, self.offset, factor, self.cell)

    def at(self, place: fmpq) -> arb:
        """The probability of a number; exactly 0 for what is no point of the cell."""
        low, high = self.cell
        if (place - self.phase).q != 1 or (low is not None and place < low) or (high is not None and place > high):
            return arb(0)
        found = _probability(self.mean, int(self._number(place).p))
        return found if self.factor is None else found * self.factor.at(place)

    def as_density_of(self, slope: fmpq, offset: fmpq) -> Series:
        """The law of slope * X + offset, where this is that of X, and the slope is 1 or -1."""
        if abs(slope) != 1:
            raise ArithmeticError("a lattice of another width")
        low, high = [None if end is None else slope * end + offset for end in self.cell]
        factor = None if self.factor is None else self.factor.substituted(1 / slope, -offset / slope)
        cell = (low, high) if slope > 0 else (high, low)
        return Series(self.mean, self.slope / slope, self.offset - self.slope * offset / slope, factor, cell)

    def integral_between(self, lowers: object, uppers: object) -> NoReturn:  # noqa: ARG002
        """Not known in a form that could be multiplied with others."""
        raise NotFollowed("Poisson noise compared with other noise")

    def centres(self) -> list[fmpq]:
        """Where the mean is, and the ends of the cell."""
        mean = (self.mean - self.offset) / self.slope
        return [mean, *(end for end in self.cell if end is not None)]

    def total(self) -> arb:
        """The sum over all, as a ball that holds what is left out."""
        if self._total is None:
            self._total = self._sum()
        return self._total

    def _sum(self) -> arb:
        if not self.support():
            return arb(0)
        total, small = arb(0), arb(2) ** (-ctx.prec)
        for place in self.points():
            rest = self._rest(place)
            if rest is not None and rest < small:
                return total + rest.upper() * arb(0.5, 0.5)
            total += self.at(place)
        return total

    def points(self) -> Iterator[fmpq]:
        """Those of the cell, from the least number of the Poisson law on."""
        low, high = self.cell
        end = high if self.slope > 0 else low
        first = self.inside(self.cell if self.slope > 0 else (None, high))
        for step in itertools.count():
            if end is not None and step > abs(end - first):
                return
            yield first + self.slope * step

    def _rest(self, place: fmpq) -> arb | None:
        """A bound for the probability of a number and all beyond it."""
        k = int(self._number(place).p)
        return _probability(self.mean, k) / (1 - arb(self.mean) / (k + 1)) if k + 1 > self.mean else None


def _probability(mean: fmpq, k: int) -> arb:
    if mean == 0:
        return arb(int(k == 0))
    return (arb(mean).log() * k - arb(mean) - arb(k + 1).lgamma()).exp()


def product_of(functions: Sequence[object]) -> Series:
    """The product of the functions of one draw, the first of which is a Poisson law."""
    found, *others = functions
    assert isinstance(found, Series)
    for other in others:
        assert isinstance(other, Piecewise)
        found = found.times(other)
    return found


def series_supremum(one: Series, other: Series) -> Supremum | None:
    """Of log p1/p2 where that is known: for two Poisson laws on the same lattice and in the same direction."""
    if one.factor is not None or other.factor is not None or one.slope != other.slope or one.mean == 0:
        return None
    if not one.support():
        return Supremum(-math.inf, -math.inf, None)
    low, high = one.cell
    own_low, own_high = other.cell
    outside = [
        *([] if own_low is None else [(low, min(own_low, high) if high is not None else own_low)]),
        *([] if own_high is None else [(max(own_high, low) if low is not None else own_high, high)]),
    ]
    outside = [part for part in outside if part[0] is None or part[1] is None or part[0] < part[1]]
    if outside:
        parts = [one.restricted(*part) for part in outside]
        mass = probability_bounds(sum((part.total() for part in parts), arb(0)))
        return Supremum(math.inf, math.inf, parts[0].inside(outside[0]), Impossible(mass))
    return _growing(one, other)


def series_divergence(one: Series, other: Series, factor: arb) -> tuple[arb, arb]:
    """What holds the sum of (p1 - factor * p2)+, point by point."""
    low, high, small = arb(0), arb(0), arb(2) ** (-ctx.prec // 2)
    for place in one.points():
        rest = one._rest(place)
        if rest is not None and rest < small:
            return low, high + rest.upper()
        difference = one.at(place) - factor * other.at(place)
        low += difference if difference > 0 else 0
        high += 0 if difference < 0 else difference.upper()
    return low, high


def _growing(one: Series, other: Series) -> Supremum | None:
    """Where all outputs of D1 are possible on D2.

    With k the number on D1 and k + d that on D2, one more multiplies the ratio by (a / b) (k + 1 + d) / (k + 1), where
    a and b are the means. If d >= 0, that falls towards a / b as k grows, and so the ratio rises up to
    where it is 1, then falls.
    """
    place = one.inside(one.cell if one.slope > 0 else (None, one.cell[1]))
    first = int(one._number(place).p)
    shift = int((other._number(place) - first).p)
    a, b = one.mean, other.mean
    end = one.cell[1] if one.slope > 0 else one.cell[0]
    last = None if end is None else first + int((abs(end - place) + HALF).p) - 1
    if shift < 0:
        return None
    if last is None and (a > b or (a == b and shift > 0)):
        return Supremum(math.inf, math.inf, place + one.slope * 64)
    # (k + 1) (b - a) = a d is where it turns.
    turn = first if a == b else max(first, int((a * shift / (b - a)).floor())) if b > a else last
    places = {first, *(k for k in (turn - 1, turn, turn + 1) if k >= first)} if turn is not None else {first}
    if last is not None:
        places = {min(k, last) for k in places} | {last}
    ratios = {k: (_probability(a, k) / _probability(b, k + shift)).log() for k in places}
    best = max(ratios, key=lambda k: ratios[k].mid())
    return Supremum(below(ratios[best]), max(map(above, ratios.values())), place + one.slope * (best - first))
