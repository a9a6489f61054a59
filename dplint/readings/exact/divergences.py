"""The hockey-stick divergence of two functions of one number, as a certified interval: the integral of (p1 - c p2)+.

Cells where the sign of p1 - c p2 is certain contribute its integral, in closed form, or nothing. A cell where it is not
contributes an interval, and the widest of these are halved until little is left (branch and bound, as in `suprema`).
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from flint import arb, fmpq

from dplint.readings.exact import terms as sums
from dplint.readings.exact.functions import Function
from dplint.readings.exact.gaussian_points import GaussianPoints, GaussianRatio
from dplint.readings.exact.lattices import HALF, Lattice
from dplint.readings.exact.piecewise import Cell, Part, Piecewise, cells_of, on_cells
from dplint.readings.exact.smooth import Smooth
from dplint.readings.exact.smooth_suprema import SmoothRatio, smooth_ratio
from dplint.readings.exact.suprema import Side, positive_around, positive_beyond
from dplint.readings.exact.terms import ZERO

_MOST_CELLS = 4_000
_ORDER = 12


@dataclass(frozen=True, slots=True)
class Divergence:
    """What holds the divergence, and the cells where p1 - c p2 is certainly positive, in order."""

    low: arb
    high: arb
    positive: tuple[Cell, ...] = ()


class _Difference(Protocol):
    """P1 - c p2 on cells."""

    def starts(self) -> list[Cell]:
        """The cells to begin with, which cover all places where p1 is positive."""
        ...

    def masses(self, cell: Cell) -> tuple[arb, arb]:
        """The integrals of p1 and of c p2."""
        ...

    def sign(self, cell: Cell) -> int:
        """1 or -1 if it has this sign, or is zero, everywhere in the cell; 0 if that is not known."""
        ...

    def most(self, cell: Cell) -> arb:
        """No less than the integral of (p1 - c p2)+ over the cell."""
        ...

    def halves(self, cell: Cell) -> tuple[Cell, Cell]:
        """Two cells in the place of one."""
        ...


def divergence_between(one: Function, other: Function, factor: arb, tolerance: float) -> Divergence | None:
    """Of two functions, the second one times the factor; None where that is not known.

    tolerance: how wide the interval may be, if possible.
    """
    if isinstance(one, Lattice) and isinstance(other, Lattice):
        return _integrated(_Points(one, other, factor), tolerance)
    if isinstance(one, Piecewise) and isinstance(other, Piecewise):
        return _integrated(_Pieces(one, other, factor), tolerance)
    if isinstance(one, GaussianPoints) and isinstance(other, GaussianPoints):
        return _integrated(GaussianRatio(one, other, factor), tolerance)
    if isinstance(one, Smooth) and isinstance(other, Smooth):
        ratio = smooth_ratio(one, other, factor)
        return None if ratio is None else _integrated(_Smooth(ratio), tolerance)
    return None


def _integrated(difference: _Difference, tolerance: float) -> Divergence:
    total, doubtful = arb(0), arb(0)
    positive: list[Cell] = []
    heap: list[tuple[float, int, Cell, arb]] = []
    count = itertools.count()

    def add(cell: Cell) -> None:
        nonlocal total, doubtful
        sign = difference.sign(cell)
        if sign > 0:
            p, q = difference.masses(cell)
            total += p - q
            positive.append(cell)
        elif sign == 0:
            most = difference.most(cell).upper()
            doubtful += most
            heapq.heappush(heap, (-float(most), next(count), cell, most))

    for cell in difference.starts():
        add(cell)
    while heap and -heap[0][0] * len(heap) > tolerance and next(count) < _MOST_CELLS:
        _, _, cell, most = heapq.heappop(heap)
        doubtful -= most
        for half in difference.halves(cell):
            add(half)
    return Divergence(total, total + abs(doubtful).upper(), tuple(_merged(positive)))


def _merged(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Cells that touch as one, in order."""
    ordered = sorted(cells, key=lambda cell: (cell[0] is not None, cell[0] if cell[0] is not None else ZERO))
    current: Cell | None = None
    for cell in ordered:
        if current is not None and current[1] == cell[0] and cell[0] is not None:
            current = (current[0], cell[1])
        else:
            if current is not None:
                yield current
            current = cell
    if current is not None:
        yield current


class _Pieces:
    """Of two piecewise functions."""

    def __init__(self, one: Piecewise, other: Piecewise, factor: arb) -> None:
        self._cuts = one.with_cells([*one.cuts, *other.cuts, ZERO])
        self._p, self._q, self._factor = one, other, factor
        self._sides: dict[tuple[int, int], tuple[Side, Side]] = {}

    def starts(self) -> list[Cell]:
        """Between the cuts of both, and 0."""
        cells = zip(cells_of(self._cuts), on_cells(self._p, self._cuts), strict=True)
        return [cell for cell, part in cells if part is not None]

    def _parts(self, cell: Cell) -> tuple[Part | None, Part | None]:
        place = self._p.inside(cell)
        return self._p.parts[self._p.index_at(place)], self._q.parts[self._q.index_at(place)]

    def masses(self, cell: Cell) -> tuple[arb, arb]:
        """In closed form."""
        p, q = self._parts(cell)
        return self._mass(p, cell), self._factor * self._mass(q, cell)

    def _mass(self, part: Part | None, cell: Cell) -> arb:
        if part is None:
            return arb(0)
        low, high = cell
        terms = self._p.primitive(part.terms)
        if any(end is None and any(one.sign != sign for one, _ in terms) for end, sign in ((low, 1), (high, -1))):
            return arb("inf")
        above = arb(0) if high is None else sums.value_at(terms, high)
        return above if low is None else above - sums.value_at(terms, low)

    def _taylor(self, cell: Cell) -> tuple[list[arb], arb] | None:
        """The coefficients at the middle, and half the width; None for an infinite cell or a zero."""
        low, high = cell
        p, q = self._parts(cell)
        if low is None or high is None or p is None or q is None:
            return None
        middle, half = (low + high) / 2, (high - low) / 2
        places = arb(middle, half)
        first, second = self._sides.setdefault((id(p), id(q)), (Side(p), Side(q)))
        a = [*first.taylor(middle, _ORDER), first.remainder(_ORDER, places)]
        b = [*second.taylor(middle, _ORDER), second.remainder(_ORDER, places)]
        return [x - self._factor * y for x, y in zip(a, b, strict=True)], arb(half)

    def sign(self, cell: Cell) -> int:
        """By Taylor polynomials, in tails by the leading terms."""
        p, q = self._parts(cell)
        if p is None:
            return -1
        if q is None:
            return 1
        taylor = self._taylor(cell)
        if taylor is not None:
            h, half = taylor
            return int(positive_around(h, half)) or -int(positive_around([-c for c in h], half))
        low, high = cell
        place, side = (high, 1) if low is None else (low, -1)
        if place is None:
            return 0
        for sign in (1, -1):
            combined = sums.scaled(p.terms, arb(sign))
            sums.add(combined, sums.scaled(q.terms, -sign * self._factor))
            if positive_beyond(combined, place, side):
                return sign
        return 0

    def most(self, cell: Cell) -> arb:
        """All of p1, or by the size of the coefficients, where p1 and c p2 are nearly equal."""
        p, q = self._parts(cell)
        most: arb = self._mass(p, cell).upper()
        taylor = self._taylor(cell)
        if taylor is not None:
            h, half = taylor
            size, power = arb(0), 2 * half
            for coefficient in h:
                size += abs(coefficient).upper() * power
                power = power * half
            return _least(most, size)
        if p is None or q is None:
            return most
        combined = dict(p.terms)
        sums.add(combined, sums.scaled(q.terms, -self._factor))
        size = arb(0)
        for key, coefficient in combined.items():
            # 0 is a cut, so that a power has one sign on the cell.
            size += abs(coefficient).upper() * abs(self._mass(Part({key: arb(1)}), cell)).upper()
        return _least(most, size) if size.is_finite() else most

    def halves(self, cell: Cell) -> tuple[Cell, Cell]:
        """At the middle; of a tail, a part as long as it is far from 0."""
        return _halves(cell, fmpq(1))


def _least(one: arb, other: arb) -> arb:
    found: arb = min(one.upper(), other.upper())
    return found


def _halves(cell: Cell, unit: fmpq) -> tuple[Cell, Cell]:
    low, high = cell
    if low is not None and high is not None:
        middle = (low + high) / 2
    elif high is not None:
        middle = high - max(unit, abs(high))
    else:
        middle = ZERO if low is None else low + max(unit, abs(low))
    return (low, middle), (middle, high)


class _Points(_Pieces):
    """Of two functions on one lattice."""

    def sign(self, cell: Cell) -> int:
        """At a point, or where the ratio is the same everywhere; in tails by the leading terms."""
        low, high = cell
        p, q = self._parts(cell)
        if p is None or q is None or low is None or high is None:
            return super().sign(cell)
        if high - low == 1:
            p1, p2 = self.masses(cell)
            difference = p1 - p2
        elif len(p.terms) == 1 and p.terms.keys() == q.terms.keys():
            ((first, second),) = zip(p.terms.values(), q.terms.values(), strict=True)
            difference = first - self._factor * second
        else:
            return 0
        return int(difference > 0) - int(difference < 0)

    def most(self, cell: Cell) -> arb:
        """All of p1, or the difference at a single point."""
        p1, p2 = self.masses(cell)
        low, high = cell
        if low is None or high is None or high - low > 1:
            return super().most(cell)
        return _least(p1, abs(p1 - p2))

    def _taylor(self, cell: Cell) -> None:  # noqa: ARG002
        return None

    def halves(self, cell: Cell) -> tuple[Cell, Cell]:
        """Between points."""
        (low, middle), (_, high) = super().halves(cell)
        assert middle is not None
        cut = fmpq((middle - HALF).ceil()) + HALF
        start = self._p.inside(cell) - HALF
        cut = start + fmpq((cut - start).floor())
        return (low, cut), (cut, high)


class _Smooth:
    """Of two densities without a closed form of their products, but with distribution functions."""

    def __init__(self, ratio: SmoothRatio) -> None:
        self._ratio = ratio

    @cached_property
    def _unit(self) -> fmpq:
        return self._ratio.unit

    def starts(self) -> list[Cell]:
        """Between the centres."""
        return self._ratio.cells()

    def masses(self, cell: Cell) -> tuple[arb, arb]:
        """By the distribution functions."""
        return self._ratio.masses(cell)

    def sign(self, cell: Cell) -> int:
        """By the logarithm of the ratio at the middle, and a bound of its derivative."""
        return self._ratio.sign(cell)

    def most(self, cell: Cell) -> arb:
        """All of p1."""
        return self._ratio.masses(cell)[0].upper()

    def halves(self, cell: Cell) -> tuple[Cell, Cell]:
        """At the middle; of a tail, a part as long as it is far from 0."""
        return _halves(cell, self._unit)
