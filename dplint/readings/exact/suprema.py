"""The certified supremum of the ratio of two densities of one number.

On a cell where both are sums of exponential polynomials, the ratio stays below a level where level * p2 - p1 is
positive. That is shown interval by interval: by Taylor polynomials with Lagrange's remainder in ball arithmetic
(branch and bound; Moore, Kearfott and Cloud, "Introduction to Interval Analysis", SIAM 2009, chapter 5), at the ends of
the cell by the order to which the densities vanish there, which is known exactly, and in the tails by comparing the
leading term with a bound of all others.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

from flint import arb, fmpq

from dplint.outcomes import Impossible, UnequalVanishing
from dplint.readings.exact import terms as sums
from dplint.readings.exact.piecewise import Cell, Part, Piecewise, common_cells, inside
from dplint.readings.exact.rounding import above, below, probability_bounds
from dplint.readings.exact.terms import CONSTANT, ZERO, Rate, Terms


def _leading(terms: Terms, sign: int) -> tuple[Rate, int]:
    """The term that outweighs all others in a tail: sign 1 on the left, -1 on the right."""
    return max(terms, key=functools.cmp_to_key(functools.partial(_compare, sign)))


def _compare(sign: int, one: tuple[Rate, int], other: tuple[Rate, int]) -> int:
    """Positive if the first outweighs the second, negative if the second does, 0 if they go together."""
    if one[0] is other[0]:
        return one[1] - other[1]
    return -sign * (one[0] - other[0]).sign


def limit_in_tail(one: Terms, other: Terms, sign: int) -> arb | None:
    """Of the ratio: infinity where it grows without limit, None where a leading coefficient is not known to be
    positive.
    """
    first, second = _leading(one, sign), _leading(other, sign)
    a, b = one[first], other[second]
    if first[1] % 2 and sign > 0:
        a = -a
    if second[1] % 2 and sign > 0:
        b = -b
    if not (a > 0 and b > 0):
        return None
    order = _compare(sign, first, second)
    return a / b if order == 0 else arb("inf") if order > 0 else arb(0)


def positive_beyond(terms: Terms, place: fmpq, sign: int) -> bool:
    """Whether a sum is positive from a place on outwards, by its leading term.

    With x the distance from 0, c x**m e**(-r x) is the leading term. Any other one with a negative coefficient, as a
    part of it, is |d/c| x**k e**(-s x); where k <= s x, or k <= 0, it becomes less from x on.
    """
    x = -sign * place
    if not x > 0 and any(power for _, power in terms):
        return False
    lead, power0 = _leading(terms, sign)
    total = terms[lead, power0]
    total = -total if power0 % 2 and sign > 0 else total
    for (one, power), coefficient in terms.items():
        k = power - power0
        if one is lead and k == 0:
            continue
        signed = -coefficient if power % 2 and sign > 0 else coefficient
        if signed >= 0:
            continue
        s = arb(0) if one is lead else (one - lead).number * sign
        if k > 0 and not k <= s * x:
            return False
        total -= abs(signed).upper() * (arb(x) ** k) * (-s * arb(x)).exp()
    return bool(total > 0)


_ORDER = 14
"""Terms of a Taylor polynomial, besides the orders to which the densities vanish."""
_MOST_INTERVALS = 4_000
_NARROWEST = fmpq(1, 2**60)
_NOTICEABLE = 1 + arb(2) ** -40
_ROUNDING = fmpq(1, 2**40)
"""Of the largest cut: a cell that is no wider is what the rounding of floats makes of a single place."""
TOLERANCE = 1e-9
"""How far apart the ends of the supremum of the logarithm may be, where it is certified."""


@dataclass(frozen=True, slots=True)
class Supremum:
    """Of log p1/p2: it lies between low and high; the low end is reached at `place`, or in the limit there.

    place: None if there are no outputs at all. infinite: what shows that the supremum is infinite.
    """

    low: float
    high: float
    place: fmpq | None
    infinite: Impossible | UnequalVanishing | None = None


class Side:
    """One density on one cell, with its Taylor coefficients. order: to which it vanishes at each end."""

    def __init__(self, part: Part) -> None:
        self.terms = part.terms
        self.orders = part.left, part.right
        self._series: dict[Rate, list[arb]] = {}

    def taylor(self, place: fmpq, order: int, first: int = 0) -> list[arb]:
        """The coefficients of the Taylor polynomial at a place; the first ones, which are known to be 0, are 0."""
        return [arb(0)] * first + self._coefficients(arb(place), first, order)

    def remainder(self, order: int, places: arb) -> arb:
        """A ball that holds the next coefficient, of Lagrange's remainder, for expansions within these places."""
        return self._coefficients(places, order, order + 1)[0]

    def _coefficients(self, place: arb, first: int, end: int) -> list[arb]:
        """Those from the first up to the end: of t**m e**(r t), products of binomials and the exponential series."""
        found = [arb(0)] * (end - first)
        for (one, power), coefficient in self.terms.items():
            scale = coefficient if one is CONSTANT else coefficient * (arb(one.value) * place).exp()
            series = self._exponential(one, end)
            if power == 0:
                found = [total + scale * x for total, x in zip(found, series[first:end], strict=True)]
                continue
            moved = [scale * (comb(power, j) * place ** (power - j)) for j in range(power + 1)]
            for k in range(first, end):
                for j in range(min(power, k) + 1):
                    found[k - first] += moved[j] * series[k - j]
        return found

    def _exponential(self, one: Rate, count: int) -> list[arb]:
        """The coefficients of e**(r t) at 0, so many at least."""
        found = self._series.setdefault(one, [arb(1)])
        number = arb(one.value)
        while len(found) < count:
            found.append(found[-1] * number / len(found))
        return found

    @cached_property
    def magnitude(self) -> fmpq:
        """The largest rate."""
        return max((abs(one.value) for one, _ in self.terms), default=ZERO)


class Search:
    """The supremum over all cells: the largest ratio that was seen, and the intervals that are left to look at.

    least: a loss that is known to be reached elsewhere, so that nobody need know how far this one stays below.
    """

    def __init__(self, least: float, tolerance: float) -> None:
        self.ratio = arb(least).exp() if least > -math.inf else arb(0)
        self.seen = arb(0)
        self.place: fmpq | None = None
        self.intervals = 0
        self.certain = True
        self._slack = 1 + arb(tolerance) / 2

    @property
    def level(self) -> arb:
        """What the ratio is to stay below."""
        return max(self.ratio, self.seen, key=lambda one: one.lower()).lower() * self._slack

    def see(self, ratio: arb, place: fmpq) -> None:
        """A ratio that is reached, or comes as near as one likes."""
        low = ratio.lower()
        if low.is_finite() and low > self.seen:
            # Where the ratio is constant, the first place that was looked at is as good, and nearer.
            if low > self.seen * _NOTICEABLE:
                self.place = place
            self.seen = low

    def count(self) -> bool:
        """Whether one more interval may be looked at."""
        self.intervals += 1
        if self.intervals > _MOST_INTERVALS:
            self.certain = False
        return self.certain


def supremum(
    one: Piecewise, other: Piecewise, *, signed: bool = False, least: float = -math.inf, tolerance: float = TOLERANCE
) -> Supremum:
    """Of log p1/p2 over the places where p1 is positive.

    signed: the functions are differences, so that their orders are not known; then there is a lower bound only. So it
    is where two cuts are as near to each other as rounded floats are whose exact values are equal: between them, and
    to what order a density vanishes beside them, is left open.
    least: the high end is only certified to be at most the larger of `least` and the low end, plus the tolerance.
    """
    every = common_cells(one, other)
    if not every:
        return Supremum(-math.inf, -math.inf, None)
    cells = _without_rounding(every)
    if not cells:
        return Supremum(-math.inf, math.inf, None)
    impossible = [(cell, p) for cell, p, q in cells if q is None]
    if impossible and not signed:
        mass = sum((Piecewise(*_alone(cell, p)).total() for cell, p in impossible), arb(0))
        return Supremum(math.inf, math.inf, inside(impossible[0][0]), Impossible(probability_bounds(mass)))
    at_places_alone = signed or len(cells) < len(every)
    search = Search(least, tolerance)
    sides = [(cell, Side(p), Side(q)) for cell, p, q in cells if q is not None]
    for cell, p, q in sides:
        place = inside(cell)
        search.see(sums.value_on(p.terms, arb(place)) / sums.value_on(q.terms, arb(place)), place)
        if not at_places_alone:
            infinite = _at_ends(search, cell, p, q)
            if infinite is not None:
                return infinite
    if at_places_alone:
        search.certain = False
    for cell, p, q in sides if not at_places_alone else ():
        if not _monotone_below(search.level, cell, p, q):
            _look(search, cell, p, q)
    low = below(search.seen.log()) if search.seen > 0 else -math.inf
    return Supremum(low, above(search.level.log()) if search.certain else math.inf, search.place)


def _without_rounding(cells: list[tuple[Cell, Part, Part | None]]) -> list[tuple[Cell, Part, Part | None]]:
    """The cells that are wider than what rounding makes."""
    least = _ROUNDING * max((abs(end) for cell, _, _ in cells for end in cell if end is not None), default=ZERO)
    return [one for one in cells if _is_wider(one[0], least)]


def _is_wider(cell: Cell, least: fmpq) -> bool:
    low, high = cell
    return low is None or high is None or bool(high - low > least)


def _alone(cell: Cell, part: Part) -> tuple[list[fmpq], list[Part | None]]:
    cuts = [end for end in cell if end is not None]
    parts: list[Part | None] = [part]
    if cell[0] is not None:
        parts.insert(0, None)
    if cell[1] is not None:
        parts.append(None)
    return cuts, parts


def _at_ends(search: Search, cell: Cell, p: Side, q: Side) -> Supremum | None:
    """Take note of the limits at the ends of a cell; where the ratio grows without limit, that is the answer."""
    for place, k1, k2, sign in zip(cell, p.orders, q.orders, (1, -1), strict=True):
        if place is None:
            if _tail_limit(search, p.terms, q.terms, sign):
                return Supremum(math.inf, math.inf, _far(cell, p, q))
        elif k1 < k2:
            return Supremum(math.inf, math.inf, place, UnequalVanishing(k1, k2))
        elif k1 == k2:
            search.see(p.taylor(place, k1 + 1, k1)[k1] / q.taylor(place, k1 + 1, k1)[k1], place)
    return None


def _far(cell: Cell, p: Side, q: Side) -> fmpq:
    """A place far out in the tail."""
    reach = 64 / max(p.magnitude, q.magnitude)
    low, high = cell
    return (ZERO if low is None else low) + reach if high is None else high - reach


def _tail_limit(search: Search, one: Terms, other: Terms, sign: int) -> bool:
    """Whether the ratio grows without limit in the tail; if it has a limit, that is taken note of."""
    limit = limit_in_tail(one, other, sign)
    if limit is None:
        search.certain = False
        return False
    if limit.is_finite() and not limit.is_zero():
        reach = fmpq(64) / max(abs(rate.value) for rate, _ in (*one, *other))
        search.see(limit, -reach if sign > 0 else reach)
    return not limit.is_finite()


def _monotone_below(level: arb, cell: Cell, p: Side, q: Side) -> bool:
    """Whether the ratio of two single terms of one power stays below the level: it is c e**(r t), monotone."""
    if len(p.terms) != 1 or len(q.terms) != 1:
        return False
    (((one, power1), a),), (((other, power2), b),) = p.terms.items(), q.terms.items()
    ratio, difference = a / b, one - other
    if power1 != power2 or not ratio > 0:
        return False
    for place, sign in zip(cell, (1, -1), strict=True):
        if place is None and difference.sign * sign > 0:
            continue
        if place is None and difference.sign:
            return False
        limit = ratio if place is None or not difference.sign else ratio * difference.exponential(place)
        if not limit <= level:
            return False
    return True


# the intervals


def _look(search: Search, cell: Cell, p: Side, q: Side) -> None:
    low, high = cell
    if low is None and high is None:
        _tail(search, p, q, ZERO, 1)
        _tail(search, p, q, ZERO, -1)
    elif low is None:
        assert high is not None
        _tail(search, p, q, high, 1, q.orders[1])
    elif high is None:
        _tail(search, p, q, low, -1, q.orders[0])
    else:
        middle = (low + high) / 2
        _end(search, p, q, low, middle - low, q.orders[0])
        _end(search, p, q, high, middle - high, q.orders[1])


def _tail(search: Search, p: Side, q: Side, start: fmpq, sign: int, order: int = 0) -> None:
    """From a place outwards: to the left if the sign is 1. Intervals of growing length, until the tail is decided."""
    step = fmpq(1) / max(p.magnitude, q.magnitude)
    width = step
    _end(search, p, q, start, -sign * width, order)
    place = start - sign * width
    while search.count():
        level = search.level
        combined = {key: -c for key, c in p.terms.items()}
        sums.add(combined, sums.scaled(q.terms, level))
        if positive_beyond(combined, place, sign):
            return
        width = 2 * width
        _between(search, p, q, *sorted((place, place - sign * width)))
        place = place - sign * width


def _end(search: Search, p: Side, q: Side, place: fmpq, width: fmpq, order: int) -> None:
    """From an end of a cell inwards (width has a sign); the second density vanishes there to the given order."""
    while search.count():
        if _positive_at_end(search.level, p, q, place, width, order):
            return
        half = width / 2
        if abs(half) < _NARROWEST:
            search.certain = False
            return
        _between(search, p, q, *sorted((place + half, place + width)))
        width = half


def _positive_at_end(level: arb, p: Side, q: Side, place: fmpq, width: fmpq, order: int) -> bool:
    """Whether (level * p2 - p1) / distance**order is positive from the end up to the width."""
    side = 0 if width > 0 else 1
    count = order + _ORDER
    places = arb(place + width / 2, abs(width / 2))
    two = [*q.taylor(place, count, order), q.remainder(count, places)]
    one = [*p.taylor(place, count, p.orders[side] if _is_end(p, q, side, order) else 0), p.remainder(count, places)]
    h = [level * b - a for a, b in zip(one, two, strict=True)][order:]
    if width < 0:
        h = [-c if (k + order) % 2 else c for k, c in enumerate(h)]
    size = arb(abs(width))
    rest, power = arb(0), arb(1)
    for coefficient in h[2:]:
        power = power * size
        rest += _least(coefficient) * power
    # h0 + t (h1 + ...): where the bracket is positive, it is least at the end itself.
    slope = h[1].lower() + rest
    return bool(h[0] > 0 and (slope >= 0 or h[0].lower() + slope * size > 0))


def _is_end(p: Side, q: Side, side: int, order: int) -> bool:
    """Whether the place is the end of the cell, where the orders are known."""
    return order == q.orders[side] and p.orders[side] >= order > 0


def _least(coefficient: arb) -> arb:
    low = coefficient.lower()
    return low if low < 0 else arb(0)


def _between(search: Search, p: Side, q: Side, low: fmpq, high: fmpq) -> None:
    """Inside of a cell: by the Taylor polynomials at the middle, halved until the level is certain."""
    todo = [(low, high)]
    while todo:
        start, end = todo.pop()
        if not search.count():
            return
        middle, width = (start + end) / 2, arb((end - start) / 2)
        places = arb(middle, (end - start) / 2)
        one = [*p.taylor(middle, _ORDER), p.remainder(_ORDER, places)]
        two = [*q.taylor(middle, _ORDER), q.remainder(_ORDER, places)]
        if two[0] > 0:
            search.see(one[0] / two[0], middle)
        if positive_around([search.level * b - a for a, b in zip(one, two, strict=True)], width):
            continue
        if end - start < _NARROWEST:
            search.certain = False
            return
        todo.extend([(start, middle), (middle, end)])


def positive_around(h: Sequence[arb], width: arb) -> bool:
    """Whether a polynomial is positive within a distance from its centre."""
    h0, h1, h2 = h[0].lower(), abs(h[1]).upper(), h[2].lower()
    rest, power = arb(0), width * width
    for coefficient in h[3:]:
        power = power * width
        rest += abs(coefficient).upper() * power
    if h2 > 0 and h1 < 2 * h2 * width:
        return bool(h0 - h1 * h1 / (4 * h2) - rest > 0)
    return bool(h0 - h1 * width + (h2 * width * width if h2 < 0 else 0) - rest > 0)
