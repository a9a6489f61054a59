"""Probabilities of whole numbers, in pieces of exponential polynomials: of geometric and discrete Laplace noise.

A lattice is the whole numbers, all moved by one rational. A function on it is kept as a piecewise function whose cuts
lie half-way between its points. Then sums between half-way places are what integrals are of densities, and the same
steps serve both; tails are sums to infinity in closed form, so that nothing is cut off.

The laws are those that are not followed value by value, for there are very many values, or infinitely many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from flint import arb, ctx, fmpq

from dplint.readings.exact import terms as sums
from dplint.readings.exact.piecewise import Cell, Part, Piecewise, exact_key, memo, union
from dplint.readings.exact.terms import CONSTANT, ZERO, rate

HALF = fmpq(1, 2)


class Lattice(Piecewise):
    """A function on the whole numbers + phase, where 0 <= phase < 1."""

    __slots__ = ("phase",)
    primitive = staticmethod(sums.antidifference)

    def __init__(self, cuts: Sequence[fmpq], parts: Sequence[Part | None], phase: fmpq = ZERO) -> None:
        super().__init__(cuts, parts)
        self.phase = phase

    def like(self, cuts: Sequence[fmpq], parts: Sequence[Part | None]) -> Lattice:
        """A function on the same lattice."""
        return Lattice(cuts, parts, self.phase)

    def with_cells(self, places: Iterable[fmpq]) -> list[fmpq]:
        """Cuts between points; a place that is a point gets a cell of its own, for it may belong to neither side."""
        found: list[fmpq] = []
        for place in places:
            up = self.cut_before(place)
            found.append(up)
            if up + HALF == place:
                found.append(up + 1)
        return union(found, ())

    def cut_before(self, place: fmpq) -> fmpq:
        """The cut below the first point that is no less than a place."""
        return fmpq((place - self.phase).ceil()) + self.phase - HALF

    def inside(self, cell: Cell) -> fmpq:
        """A point in a cell."""
        low, high = cell
        if low is not None:
            return low + HALF
        return self.phase if high is None else high - HALF

    def at(self, place: fmpq) -> arb:
        """The probability of a number, exactly 0 for those that are no point."""
        return super().at(place) if (place - self.phase).q == 1 else arb(0)

    def restricted(self, low: fmpq | None, high: fmpq | None) -> Lattice:
        """Zero but for low <= number < high."""
        ends = [None if end is None else self.cut_before(end) for end in (low, high)]
        key = ("restricted", *map(exact_key, ends))
        found: Lattice = memo.get((self,), key, lambda: self._within(*ends))
        return found

    def _within(self, low: fmpq | None, high: fmpq | None) -> Lattice:
        found = self._restricted(low, high)
        return self.like(found.cuts, found.parts)

    def substituted(self, slope: fmpq, offset: fmpq) -> Lattice:
        """The function of t that this is of slope * t + offset, where the slope is 1 or -1."""
        if abs(slope) != 1:
            raise ArithmeticError("a lattice of another width")
        found = self._substituted(slope, offset)
        return Lattice(found.cuts, found.parts, part_of_one((self.phase - offset) / slope))


def part_of_one(value: fmpq) -> fmpq:
    """What is left of a number without its whole part: at least 0, less than 1."""
    return value - fmpq(value.floor())


def point_mass(place: fmpq) -> Lattice:
    """The law of a number that is certain."""
    part = Part({(CONSTANT, 0): arb(1)})
    return Lattice([place - HALF, place + HALF], [None, part, None], part_of_one(place))


def points_near(cell: Cell, lattice: Lattice, most: int) -> list[fmpq]:
    """Points of a cell from its ends inwards: all of them if there are no more than `most` of them."""
    low, high = cell
    if low is not None and high is not None:
        count = int((high - low).p)
        if count <= most:
            return [low + HALF + i for i in range(count)]
        half = most // 2
        return [low + HALF + i for i in range(half)] + [high - HALF - i for i in range(half)]
    start, step = (low + HALF, 1) if low is not None else (high - HALF, -1) if high is not None else (lattice.phase, 1)
    return [start + step * i for i in range(most)]


def even_law(low: int, last: int) -> Lattice:
    """All whole numbers from `low` to `last` alike."""
    return _even(low, last, ctx.prec)


@lru_cache(1024)
def _even(low: int, last: int, _precision: int) -> Lattice:
    part = Part({(CONSTANT, 0): arb(fmpq(1, last - low + 1))})
    return Lattice([fmpq(low) - HALF, fmpq(last) + HALF], [None, part, None])


def _geometric_law(p: fmpq) -> Lattice:
    """The probability of k >= 1 is p (1 - p)**(k - 1)."""
    return _geometric(int(p.p), int(p.q), ctx.prec)


@lru_cache(1024)
def _geometric(numerator: int, denominator: int, _precision: int) -> Lattice:
    p = fmpq(numerator, denominator)
    if p == 1:
        return even_law(1, 1)
    return Lattice([HALF], [None, Part({(rate(ZERO, 1 - p), 0): arb(p / (1 - p))})])


def _discrete_laplace_law(a: fmpq) -> Lattice:
    """The probability of k is tanh(a / 2) e**(-a |k|)."""
    return _discrete_laplace(int(a.p), int(a.q), ctx.prec)


@lru_cache(1024)
def _discrete_laplace(numerator: int, denominator: int, _precision: int) -> Lattice:
    decay = fmpq(numerator, denominator)
    factor = arb(decay / 2).tanh()
    return Lattice([-HALF], [Part({(rate(decay), 0): factor}), Part({(rate(-decay), 0): factor})])


DISCRETE_LAWS: Mapping[str, Callable[[fmpq], Lattice]] = {
    "geometric": _geometric_law,
    "discrete_laplace": _discrete_laplace_law,
}
"""By the names of `dplint.distributions`; of their one parameter."""


def forget_discrete_laws() -> None:
    """Let go of all laws: their rates may be forgotten."""
    for law in (_even, _geometric, _discrete_laplace):
        law.cache_clear()
