"""Pairs on which machine numbers are likely to differ from real ones: what they break is Python's and NumPy's rounding.

Mironov, CCS 2012: sums near 0 keep bits of the noise that larger ones lose. Casacuberta, Shoemate, Vadhan, Wagaman,
"Widespread underestimation of sensitivity in differentially private libraries and how to fix it", CCS 2022: sums that
overflow, and sums whose rounding goes one way on D1 and the other way on D2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction

from dplint.claims import Interval, Literal, Mechanism, Pair
from dplint.inputs.forms import data_form
from dplint.inputs.pairs import NoPairs, are_neighbours, choose_pairs, data_domain, has_whole_numbers
from dplint.relations import DEFAULT_SIZES, DataKind, Neighbourhood, relation_of

_BASIC = 4
"""Of the pairs that audits of real numbers begin with, so many are tried, too."""
_LONGEST = 4_096
"""Of data whose length the claim leaves open."""
_LARGEST = (2**7 - 1, 2**8 - 1, 2**15 - 1, 2**16 - 1, 2**31 - 1, 2**32 - 1, 2**63 - 1, 2**64 - 1)
"""Integers of 8 to 64 bits go no further."""
_LARGEST_FLOATS = (65504.0, 3.4028234663852886e38, 1.7976931348623157e308)
"""Floats of 16, 32 and 64 bits."""
_PRECISIONS = (11, 24)
"""Bits of the mantissa of floats of 16 and 32 bits. With 53 the data would have to be a hundred million records."""
_CENTRES = (2.0**53, 1e16, 1e6, 2.0**24)
"""Answers around which a step of 1 is lost, or rounded to another one."""
_STEPS = 4
_ROUNDED = 64
"""Records less than a last bit, at most: a sum in order rounds each of them up, one in another order does not."""

Side = Literal
Sides = tuple[Side, Side]


def machine_pairs(mechanism: Mechanism) -> list[Pair]:
    """Pairs of the claim's relation, both orders, the simplest first. Raises NoPairs as `choose_pairs` does."""
    kind, domain = relation_of(mechanism.claim).data, data_domain(mechanism)
    basic = choose_pairs(mechanism)
    found: Iterable[tuple[str, Sides]] = ()
    if kind is DataKind.VECTOR:
        found = _of_vectors(mechanism, domain if isinstance(domain, Interval) else None)
    elif kind is DataKind.RECORDS and isinstance(domain, Interval):
        found = _of_records(mechanism, domain)
    pairs: dict[str, Pair] = {}
    for pattern, (d1, d2) in found:
        if are_neighbours(mechanism, d1, d2) and _exactly(mechanism, d1, d2):
            size = min(len(side) if isinstance(side, list) else 1 for side in (d1, d2))
            for one, other in ((d1, d2), (d2, d1)):
                pairs.setdefault(repr((one, other)), Pair(one, other, pattern, size))
    for pair in basic[:_BASIC]:
        if _exactly(mechanism, pair.d1, pair.d2):
            pairs.setdefault(repr((pair.d1, pair.d2)), pair)
    if not pairs:
        raise NoPairs("the neighbour relation leaves no pair")
    return list(pairs.values())


def scales_by_the_book(mechanism: Mechanism, epsilons: Iterable[float]) -> tuple[float, ...]:
    """What Laplace noise for the claim has as its scale: the sensitivity, or the largest record, by epsilon."""
    moves, domain = {mechanism.claim.sensitivity}, data_domain(mechanism)
    if relation_of(mechanism.claim).data is DataKind.RECORDS and isinstance(domain, Interval):
        moves = {max(abs(domain.low), abs(domain.high)), domain.high - domain.low}
    return tuple(sorted({move / epsilon for move in moves for epsilon in epsilons if move / epsilon > 0}))


def _exactly(mechanism: Mechanism, d1: Literal, d2: Literal) -> bool:
    """Whether answers move by no more than the sensitivity, to the last bit: 2**53 + 1 is a float no more."""
    definition, bound = relation_of(mechanism.claim).definition, Fraction(mechanism.claim.sensitivity)
    if relation_of(mechanism.claim).data is not DataKind.VECTOR:
        return True
    sides = [side if isinstance(side, list) else [side] for side in (d1, d2)]
    moves = [abs(Fraction(a) - Fraction(b)) for a, b in zip(*sides, strict=True)]
    match definition:
        case Neighbourhood.SUM_OF_MOVES:
            return sum(moves) <= bound
        case Neighbourhood.LENGTH_OF_MOVE:
            return sum(move**2 for move in moves) <= bound**2
        case _:
            return max(moves) <= bound


def _of_vectors(mechanism: Mechanism, domain: Interval | None) -> Iterator[tuple[str, Sides]]:
    """One answer moves as far as it may, in every place that provokes; the others stay at 0."""
    whole, step = has_whole_numbers(mechanism), mechanism.claim.sensitivity
    low, high = (-math.inf, math.inf) if domain is None else (domain.low, domain.high)
    rest = _nearest_to_zero(low, high)
    for pattern, one, other in _moves(low, high, step):
        if not (low <= one <= high and low <= other <= high):
            continue
        a, b = (_number(value, whole) for value in (one, other))
        if data_form(mechanism) == "scalar":
            yield pattern, (a, b)
        else:
            for size in mechanism.claim.size or DEFAULT_SIZES[:1]:
                others = [_number(rest, whole)] * (size - 1)
                yield pattern, ([a, *others], [b, *others])


def _moves(low: float, high: float, step: float) -> Iterator[tuple[str, float, float]]:
    """Two values of one answer."""
    yield "from zero", 0.0, step
    yield "to zero", -step, 0.0
    if math.isfinite(low):
        yield "lower edge", low, low + step
    if math.isfinite(high):
        yield "upper edge", high - step, high
    for centre in (_power_near(step), *_CENTRES):
        yield "across a power of two", centre - step / 2, centre + step / 2
        yield "from a power of two", centre, centre + step
        yield "beyond a power of two", centre + step, centre + 2 * step
    for largest in _LARGEST:
        yield "past the largest integer", float(largest), float(largest) + step


def _of_records(mechanism: Mechanism, domain: Interval) -> Iterator[tuple[str, Sides]]:
    """One record more, or another one, where sums are small, large, lossy or too large."""
    zero = _nearest_to_zero(domain.low, domain.high)
    ends = [value for value in (domain.high, domain.low) if value != zero]
    sizes = mechanism.claim.size or DEFAULT_SIZES
    longest = max(sizes) if mechanism.claim.size else _LONGEST
    whole, adds = domain.integer, relation_of(mechanism.claim).same_size is False

    def sides(before: list[float], one: float, size: int) -> Sides:
        """Data of so many records that begin so, and the same with one more record, or with another one, in front."""
        padded = before + [zero] * max(0, size - len(before) - (not adds))
        d1, d2 = (padded if adds else [zero, *padded]), [one, *padded]
        return [_number(value, whole) for value in d1], [_number(value, whole) for value in d2]

    for size in sizes:
        for end in ends:
            yield "zero, and a record", sides([], end, size)
            unit = math.copysign(min(abs(end), 1.0), end)
            for count in range(_STEPS) if unit != end or size > 1 else ():
                yield "small sums", sides([unit] * min(count, size - (not adds)), unit, size)
        for one in (_below(domain), *ends):
            yield "next to a power of two", sides([one] * (size - (not adds)), one, size)
    for end in ends:
        for pattern, before in (*_near_overflow(end, longest, whole), *_lossy(end, longest, whole)):
            least = len(before) + (not adds)
            fitting = [size for size in sizes if size >= least] if mechanism.claim.size else [least]
            if fitting:
                yield pattern, sides(before, end, min(fitting))
        if not whole:
            most = max(sizes) - (not adds)
            yield "rounded in the last bit", sides([0.75 * math.ulp(end)] * min(most, _ROUNDED), end, max(sizes))


def _near_overflow(end: float, longest: int, whole: bool) -> Iterator[tuple[str, list[float]]]:
    """Records that add up to just less than what some type of numbers can hold; `end` more is too much."""
    for largest in _LARGEST if whole else (*_LARGEST, *_LARGEST_FLOATS):
        bound = largest if end > 0 else -largest - 1
        count = math.floor(bound / end)
        if abs(bound) >= abs(end) and count < longest:
            left = bound - count * end
            yield "just before an overflow", [end] * count + ([left] if left else [])


def _lossy(end: float, longest: int, whole: bool) -> Iterator[tuple[str, list[float]]]:
    """Records that a sum in floats of few bits rounds up by twice as much once it has passed a power of two."""
    unit = math.copysign(2.0 ** math.floor(math.log2(abs(end))), end)
    for precision in _PRECISIONS:
        # `count` records of `unit` come to a power of two, above which the sum keeps multiples of `grid` only.
        count = 2 ** ((precision + 1) // 2)
        grid, steps = unit * (2 * count * 2.0**-precision), 2**precision // count
        small = 0.625 * grid
        if count + steps < longest and not (whole and small % 1):
            yield "rounded up", [unit] * (count - 1) + [small] * steps


def _nearest_to_zero(low: float, high: float) -> float:
    return min(max(0.0, low), high)


def _power_near(step: float) -> float:
    """The power of two that is next to 4 steps: noise of that size is added to it."""
    return float(2.0 ** math.floor(math.log2(4 * step))) if step > 0 else 1.0


def _below(domain: Interval) -> float:
    """The largest number of the domain that is just below a power of two; an end of it for integers."""
    if domain.integer or domain.high <= 0:
        return domain.high
    return max(math.nextafter(2.0 ** math.floor(math.log2(domain.high)), 0.0), domain.low)


def _number(value: float, whole: bool) -> int | float:
    return int(value) if whole and float(value).is_integer() else value
