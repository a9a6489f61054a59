"""The certified supremum of the ratio of two probabilities of one whole number.

Finite cells are looked at point by point; on an infinite one that goes on until the leading terms show that nothing
larger follows.
"""

from __future__ import annotations

import math

from flint import arb, fmpq

from dplint.outcomes import Impossible
from dplint.readings.exact import terms as sums
from dplint.readings.exact.lattices import HALF, Lattice, points_near
from dplint.readings.exact.piecewise import Cell, Part, common_cells
from dplint.readings.exact.rounding import above, below, probability_bounds
from dplint.readings.exact.suprema import TOLERANCE, Supremum, limit_in_tail, positive_beyond

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
