"""Probabilities of whole numbers, in pieces of exponential polynomials: of geometric and discrete Laplace noise.

A lattice is the whole numbers, all moved by one rational. A function on it is kept as a piecewise function whose cuts
lie half-way between its points. Then sums between half-way places are what integrals are of densities, and the same
steps serve both; tails are sums to infinity in closed form, so that nothing is cut off.

The laws are those that are not followed value by value, for there are very many values, or infinitely many.

The certified supremum of the ratio of two probabilities of one whole number.

Finite cells are looked at point by point; on an infinite one that goes on until the leading terms show that nothing
larger follows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from flint import arb, ctx, fmpq

from dplint.outcomes import Impossible
from dplint.readings.exact import terms as sums
from dplint.readings.exact.piecewise import Cell, Part, Piecewise, common_cells, exact_key, memo, union
from dplint.readings.exact.rounding import above, below, probability_bounds
from dplint.readings.exact.suprema import TOLERANCE, Supremum, limit_in_tail, positive_beyond
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


_MOST_POINTS = 4_000
_BETWEEN = 8
"""Points that are looked at before the tail is asked again."""
_NOTICEABLE = 1 + arb(2) ** -40


class _Search:
    def __init__(self, tolerance: float) -> None:
        self.seen = arb(0)
        self.place: fmpq | None = None
        self.likely = arb(0)
        self.certain = True
        self._slack = 1 + arb(tolerance) / 2

    @property
    def level(self) -> arb:
        """What the ratio is to stay below."""
        return self.seen.lower() * self._slack

    def see(self, p: arb, q: arb, place: fmpq) -> None:
        """The ratio at a point. Of points with the same ratio, the likeliest is kept."""
        ratio = p / q
        low = ratio.lower()
        if not (q > 0 and low.is_finite()):
            self.certain = False
        elif low > self.seen * _NOTICEABLE or (low * _NOTICEABLE > self.seen and p > self.likely):
            self.place, self.likely = place, p
            self.seen = max(low, self.seen)
        else:
            self.seen = max(low, self.seen)


def lattice_supremum(one: Lattice, other: Lattice, *, signed: bool = False, tolerance: float = TOLERANCE) -> Supremum:
    """Of log p1/p2 over the points where p1 is positive; both are on the same lattice.

    signed: as for `suprema.supremum`.
    """
    cells = common_cells(one, other)
    if not cells:
        return Supremum(-math.inf, -math.inf, None)
    impossible = [cell for cell, _, q in cells if q is None]
    if impossible and not signed:
        masses = [one.restricted(*cell).total() for cell in impossible]
        place = max((one.inside(cell) for cell in impossible), key=lambda place: one.at(place).mid())
        return Supremum(math.inf, math.inf, place, Impossible(probability_bounds(sum(masses, arb(0)))))
    search = _Search(tolerance)
    search.certain = not signed
    for cell, p, q in cells:
        if q is not None and _look(search, one, cell, p, q):
            return Supremum(math.inf, math.inf, _far(one, cell))
    low = below(search.seen.log()) if search.seen > 0 else -math.inf
    return Supremum(low, above(search.level.log()) if search.certain else math.inf, search.place)


def _look(search: _Search, lattice: Lattice, cell: Cell, p: Part, q: Part) -> bool:
    """Take note of the points of a cell; whether the ratio grows without limit there."""
    low, high = cell
    if p.terms.keys() == q.terms.keys() and len(p.terms) == 1:
        # The ratio is the same everywhere.
        places = points_near(cell, lattice, 2)
        for place in places:
            search.see(lattice_value(p, place), lattice_value(q, place), place)
        return False
    if low is not None and high is not None:
        places = points_near(cell, lattice, _MOST_POINTS)
        search.certain = search.certain and len(places) == int((high - low).p)
        for place in places:
            search.see(lattice_value(p, place), lattice_value(q, place), place)
        return False
    signs = [sign for sign, end in ((1, low), (-1, high)) if end is None]
    return any(_tail(search, lattice, cell, p, q, sign) for sign in signs)


def lattice_value(part: Part, place: fmpq) -> arb:
    """The value of a part at a point."""
    return sums.value_at(part.terms, place)


def _tail(search: _Search, lattice: Lattice, cell: Cell, p: Part, q: Part, sign: int) -> bool:
    """To the left if the sign is 1."""
    limit = limit_in_tail(p.terms, q.terms, sign)
    if limit is None:
        search.certain = False
    elif not limit.is_finite():
        return True
    elif limit.lower() > search.seen:
        search.seen = limit.lower()
    end = cell[1] if sign > 0 else cell[0]
    place = lattice.phase if end is None else end - sign * HALF
    for count in range(_MOST_POINTS):
        search.see(lattice_value(p, place), lattice_value(q, place), place)
        place = place - sign
        if count % _BETWEEN == 0:
            combined = {key: -c for key, c in p.terms.items()}
            sums.add(combined, sums.scaled(q.terms, search.level))
            if positive_beyond(combined, place, sign):
                return False
    search.certain = False
    return False


def _far(lattice: Lattice, cell: Cell) -> fmpq:
    """A point far out."""
    return points_near(cell, lattice, 64)[-1]
