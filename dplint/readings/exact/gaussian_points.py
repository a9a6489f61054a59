"""Probabilities of discrete Gaussian noise: of k proportional to e**(-(k - centre)**2 / (2 v)), on a lattice.

Canonne, Kamath and Steinke, The Discrete Gaussian for Differential Privacy, NeurIPS 2020. Sums are over the points that
count; what is left out is bounded by a geometric series, and stays in the ball. The logarithm of the ratio of two such
laws is a parabola or a line in k, so that its sign on a cell is known from the ends where it is monotone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from flint import arb, ctx, fmpq

from dplint.readings.exact.affine import NotFollowed
from dplint.readings.exact.lattices import HALF, part_of_one
from dplint.readings.exact.piecewise import Cell, cells_of, exact_key, meet, memo, union
from dplint.readings.exact.rounding import above, below
from dplint.readings.exact.suprema import Supremum
from dplint.readings.exact.terms import ZERO

_MOST_POINTS = 60_000
_FAR = 32
"""Sigmas from a centre: a place in a tail, at which probabilities are still numbers that floats have."""


class GaussianPoints:
    """The law of centre + noise with sigma**2 = square, zero outside of the cell, whose ends are between points."""

    __slots__ = ("_total", "cell", "centre", "phase", "square")

    def __init__(self, square: fmpq, centre: fmpq = ZERO, cell: Cell = (None, None)) -> None:
        self.square, self.centre, self.cell = square, centre, cell
        self.phase = part_of_one(centre)
        self._total: arb | None = None

    def support(self) -> list[Cell]:
        """Where it is positive."""
        return [self.cell] if _is_cell(self.cell) else []

    def inside(self, cell: Cell) -> fmpq:
        """A point in a cell."""
        low, high = cell
        return low + HALF if low is not None else self.centre if high is None else high - HALF

    def centres(self) -> list[fmpq]:
        """Where it is largest."""
        return [self.centre]

    def cut_before(self, place: fmpq) -> fmpq:
        """The cut below the first point that is no less than a place."""
        return fmpq((place - self.phase).ceil()) + self.phase - HALF

    def restricted(self, low: fmpq | None, high: fmpq | None) -> GaussianPoints:
        """Zero but for low <= number < high."""
        start, end = [None if place is None else self.cut_before(place) for place in (low, high)]
        cell = meet(self.cell, (start, end))
        ends = tuple(exact_key(end) for end in cell)
        found: GaussianPoints = memo.get(
            (self,), ("restricted", *ends), lambda: GaussianPoints(self.square, self.centre, cell)
        )
        return found

    def at(self, place: fmpq) -> arb:
        """The probability of a number, exactly 0 for those that are no point of the cell."""
        (low, high), outside = self.cell, (place - self.phase).q != 1
        if outside or (low is not None and place < low) or (high is not None and place > high):
            return arb(0)
        return _weight(place - self.centre, self.square) / whole_sum(self.square)

    def total(self) -> arb:
        """Of the whole cell."""
        if self._total is None:
            ends = [None if end is None else end - self.centre for end in self.cell]
            self._total = points_sum(self.square, ZERO, (ends[0], ends[1])) / whole_sum(self.square)
        return self._total

    def as_density_of(self, slope: fmpq, offset: fmpq) -> GaussianPoints:
        """The law of slope * X + offset, where this is that of X, and the slope is 1 or -1."""
        if slope == 1 and offset == 0:
            return self
        if abs(slope) != 1:
            raise NotFollowed("multiples of discrete Gaussian noise")
        low, high = [None if end is None else slope * end + offset for end in self.cell]
        return GaussianPoints(self.square, slope * self.centre + offset, (low, high) if slope > 0 else (high, low))

    def integral_between(self, *_: Sequence[tuple[fmpq, fmpq]]) -> GaussianPoints:
        """Raises NotFollowed: a sum as a function of its ends is none of the functions here."""
        raise NotFollowed("discrete Gaussian noise that is compared with other noise")


def gaussian_points(square: fmpq) -> GaussianPoints:
    """The law with this sigma**2; one object for each and each precision. Raises NotFollowed for a very large one."""
    return _law(int(square.p), int(square.q), ctx.prec)


@lru_cache(1024)
def _law(numerator: int, denominator: int, _precision: int) -> GaussianPoints:
    found = GaussianPoints(fmpq(numerator, denominator))
    whole_sum(found.square)
    return found


def forget_gaussian_points() -> None:
    """Let go of all laws."""
    _law.cache_clear()
    _whole_sum.cache_clear()


def _is_cell(cell: Cell) -> bool:
    low, high = cell
    return low is None or high is None or low < high


def _weight(distance: fmpq, square: fmpq) -> arb:
    return arb(-distance * distance / (2 * square)).exp()


def whole_sum(square: fmpq) -> arb:
    """Of e**(-k**2 / (2 square)) over all whole numbers."""
    return _whole_sum(int(square.p), int(square.q), ctx.prec)


@lru_cache(1024)
def _whole_sum(numerator: int, denominator: int, _precision: int) -> arb:
    return points_sum(fmpq(numerator, denominator), ZERO, (None, None))


def points_sum(square: fmpq, centre: fmpq, cell: Cell) -> arb:
    """Of e**(-(k - centre)**2 / (2 square)) over the whole numbers in a cell.

    With w(x) the weight at a distance x >= 0, those at x, x + 1, ... add up to w(x) / (1 - e**(-x / square)) at most,
    where x > 0: each is at most e**(-x / square) times the one before.
    """
    reach = math.isqrt(int((2 * square * ctx.prec).ceil())) + 1
    if 2 * reach > _MOST_POINTS:
        raise NotFollowed("discrete Gaussian noise with a very large sigma")
    low, high = cell
    middle = int(centre.floor())
    first, last = middle - reach, middle + 1 + reach
    start = first if low is None else max(first, int((low + HALF).floor()))
    end = last if high is None else min(last, int((high - HALF).floor()))
    total = sum((_weight(centre - k, square) for k in range(start, end + 1)), arb(0))
    far = arb(reach)
    beyond = (-far * far / (2 * arb(square))).exp() / (1 - (-far / arb(square)).exp())
    return total + sum(((beyond * arb(0.5, 0.5)) for end in cell if end is None or abs(end - centre) > reach), arb(0))


class GaussianRatio:
    """P - factor q for two such laws on one lattice, on cells; see `divergences`."""

    def __init__(self, p: GaussianPoints, q: GaussianPoints, factor: arb) -> None:
        self._p, self._q, self._factor = p, q, factor
        self._bend = 1 / (2 * q.square) - 1 / (2 * p.square)
        self._slope = p.centre / p.square - q.centre / q.square

    def starts(self) -> list[Cell]:
        """The cells where p is positive, cut at the ends of q, around the centres, and where the parabola turns."""
        turn = [] if self._bend == 0 else [-self._slope / (2 * self._bend)]
        cuts = [self._p.cut_before(place) for place in (*self._p.centres(), *self._q.centres(), *turn)]
        ends = [end for end in (*self._p.cell, *self._q.cell) if end is not None]
        return [cell for cell in cells_of(union(cuts, ends)) if _is_cell(meet(cell, self._p.cell))]

    def masses(self, cell: Cell) -> tuple[arb, arb]:
        """The sums of p and factor * q."""
        return self._p.restricted(*cell).total(), self._factor * self._q.restricted(*cell).total()

    def sign(self, cell: Cell) -> int:
        """By both ends, for within a cell the logarithm of the ratio is monotone."""
        if not _is_cell(meet(cell, self._q.cell)):
            return 1
        signs = {self._sign_at(end, side) for end, side in zip(cell, (1, -1), strict=True)}
        return signs.pop() if len(signs) == 1 else 0

    def _sign_at(self, end: fmpq | None, side: int) -> int:
        """At the first point inside of an end, or in the limit."""
        if end is not None:
            value = self.log_at(end + side * HALF)
            return int(value > 0) - int(value < 0)
        limit = self._bend or -side * self._slope
        if limit == 0:
            value = self.log_at(ZERO)
            return int(value > 0) - int(value < 0)
        return 1 if limit > 0 else -1

    def log_at(self, place: fmpq) -> arb:
        """The logarithm of p / (factor q) at a place, by the formulas, whatever the cells are."""
        p, q = self._p, self._q
        exponent = (place - q.centre) ** 2 / (2 * q.square) - (place - p.centre) ** 2 / (2 * p.square)
        return arb(exponent) + (whole_sum(q.square) / whole_sum(p.square) / self._factor).log()

    def most(self, cell: Cell) -> arb:
        """All of p; at a single point the difference."""
        p, q = self.masses(cell)
        low, high = cell
        alone = low is not None and high is not None and high - low == 1
        return min(p.upper(), abs(p - q).upper()) if alone else p.upper()

    def halves(self, cell: Cell) -> tuple[Cell, Cell]:
        """Between points; of a tail, a part as long as it is far from the centre."""
        low, high = cell
        if low is not None and high is not None:
            cut = low + max(fmpq(1), fmpq(((high - low) / 2).floor()))
        elif low is not None:
            cut = low + fmpq(max(abs(low - self._p.centre), fmpq(1)).ceil())
        else:
            assert high is not None  # cells are cut around the centres
            cut = high - fmpq(max(abs(high - self._p.centre), fmpq(1)).ceil())
        return (low, cut), (cut, high)

    def supremum(self) -> Supremum | None:
        """Of the logarithm over all points; None where a law is zero somewhere."""
        p, q = self._p, self._q
        if (p.cell, q.cell) != ((None, None), (None, None)):
            return None
        if self._bend > 0 or (self._bend == 0 and self._slope != 0):
            far = max(2, math.isqrt(int((_FAR * _FAR * p.square).floor())))
            away = 1 if self._slope >= 0 else -1
            return Supremum(math.inf, math.inf, p.centre + away * far)
        turn = p.centre if self._bend == 0 else -self._slope / (2 * self._bend)
        near = p.cut_before(turn) + HALF
        beside = {place: self.log_at(place) for place in (near - 1, near)}
        place = max(beside, key=lambda one: below(beside[one]))
        return Supremum(below(beside[place]), max(map(above, beside.values())), place)


def gaussian_moment(p: GaussianPoints, q: GaussianPoints, alpha: fmpq) -> arb | None:
    """The sum of p**alpha q**(1 - alpha); infinite if it has none; None where q is cut off and p is not.

    The exponent is a parabola again: the product is a multiple of such a weight, perhaps with a centre off the lattice.
    For laws with one sigma it is e**(alpha (alpha - 1) s**2 / (2 sigma**2)) times a quotient of sums that is at most 1,
    and is 1 where alpha times the shift s is whole (the paper, proposition 5).
    """
    if meet(p.cell, q.cell) != p.cell:
        return None
    precision = alpha / p.square + (1 - alpha) / q.square
    if precision <= 0:
        return None if p.cell != (None, None) else arb("inf")
    linear = alpha * p.centre / p.square + (1 - alpha) * q.centre / q.square
    constant = alpha * p.centre**2 / p.square + (1 - alpha) * q.centre**2 / q.square
    centre = linear / precision
    exponent = (linear * linear / precision - constant) / 2
    low, high = [None if end is None else end - p.phase for end in p.cell]
    total = points_sum(1 / precision, centre - p.phase, (low, high))
    norms = whole_sum(p.square) ** arb(alpha) * whole_sum(q.square) ** arb(1 - alpha)
    return arb(exponent).exp() * total / norms
