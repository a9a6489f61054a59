"""Neighbouring vectors of real answers: the patterns of StatDP's Table 1, and their counterparts for scalars.

Ding et al., "Detecting Violations of Differential Privacy", CCS 2018, Table 1. The patterns are written there for
vectors that differ by at most one in every coordinate; for the other norms the same directions are scaled to the norm.

Neighbouring vectors beyond the patterns: negative and fractional entries, wide gaps, ties, outliers, small sizes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

from dplint.claims import Interval, Pair
from dplint.relations.records import Norm, both_orders, distinct, interior_values, numbers_near, placed
from dplint.relations.relation import DataKind, DataSpace, Neighbourhood, Relation

_SMALL = (1, 2, 3)
_FURTHER = 5
_WIDE = (1.0, 10.0, 1000.0, -1000.0, 100.0)
_MOST_PAIRS = 600
_MOST_CONSTANTS = 40


def further_vector_pairs(norm: Norm, space: DataSpace) -> list[Pair]:
    """Pairs to look at before they are tried, in both orders: some vectors, each moved in some directions.

    A move has the length of the sensitivity. Moved into the domain of the space, if it has one; what becomes equal, or
    fractional where entries are integers, is left out.
    """
    domain = space.domain if isinstance(space.domain, Interval) else None
    if space.scalar:
        return _scalars(space, domain)
    sizes = space.sizes if space.exact else (*_SMALL, _FURTHER)
    turns = [_moved(norm, space, words, base) for n in sizes for words, base in _bases(space, domain, n)]
    pairs: list[Pair] = []
    for row in zip_longest(*turns):
        for found in row:
            if found is None:
                continue
            words, first, second = found
            d1, d2 = ([placed(v, domain, space.integers) for v in side] for side in (first, second))
            if d1 != d2 and (not space.integers or all(float(v).is_integer() for v in d1 + d2)):
                pairs += both_orders(d1, d2, words, len(d1))
        if len(pairs) > _MOST_PAIRS:
            break
    return distinct(pairs)[:_MOST_PAIRS]


def _bases(space: DataSpace, domain: Interval | None, n: int) -> Iterator[tuple[str, list[float]]]:
    """Vectors of n entries to begin with; levels are multiples of the sensitivity."""
    s = space.sensitivity
    yield "a tie", [0.0] * n
    yield "negative entries", [-s] * n
    yield "fractions", [s / 2 + s * i / 4 for i in range(n)]
    if n > 1:
        yield "sorted", [s * i for i in range(n)]
        yield "sorted downwards", [s * (n - i) for i in range(n)]
        yield "wide gaps", [s * _WIDE[i % len(_WIDE)] for i in range(n)]
        yield "one outlier", [0.0] * (n - 1) + [1000.0 * s]
    for value in _levels(space, domain)[:_MOST_CONSTANTS]:
        yield f"one entry near {value:g}", [value] + [0.0] * (n - 1)
        if n > 1:
            yield f"entries near {value:g}", [value] * n


def _levels(space: DataSpace, domain: Interval | None) -> list[float]:
    """Numbers that an entry may have: constants of the program and their surroundings, the inside of the domain."""
    near = numbers_near(space.constants, space.sensitivity)
    inside = [] if domain is None else [float(v) for v in interior_values(domain, ()) if isinstance(v, int | float)]
    return [v for v in dict.fromkeys([*near, *inside]) if domain is None or domain.low <= v <= domain.high]


def _moved(
    norm: Norm, space: DataSpace, words: str, base: Sequence[float]
) -> Iterator[tuple[str, list[float], list[float]]]:
    n = len(base)
    directions: list[tuple[str, list[float]]] = [("the first moves up", [1.0] + [0.0] * (n - 1))]
    directions.append(("the first moves down", [-1.0] + [0.0] * (n - 1)))
    if n > 1:
        directions += [
            ("the last moves up", [0.0] * (n - 1) + [1.0]),
            ("all move up", [1.0] * n),
            ("they move apart", [1.0 if i % 2 else -1.0 for i in range(n)]),
            ("every other moves up", [1.0 if i % 2 else 0.0 for i in range(n)]),
        ]
    for where, direction in directions:
        length = norm(direction)
        if length > 0:
            step = space.sensitivity / length
            yield f"{words}, {where}", list(base), [b + d * step for b, d in zip(base, direction, strict=True)]


def _scalars(space: DataSpace, domain: Interval | None) -> list[Pair]:
    """Two numbers at the sensitivity's distance: negative, fractional, large, and around constants of the program."""
    s = space.sensitivity
    found: list[Pair] = []
    for value in dict.fromkeys([*_levels(space, domain), -s, -2 * s, s / 2, 10 * s, 1000 * s]):
        a, b = placed(value, domain, space.integers), placed(value + s, domain, space.integers)
        if a != b and (not space.integers or (float(a).is_integer() and float(b).is_integer())):
            found += both_orders(a, b, f"near {value:g}", 1)
    return distinct(found)


_ROUNDING = 1e-9


def vector_relation(
    name: str,
    norm: Norm,
    neighbours: str,
    *,
    one_direction: bool = False,
    all_move: bool = False,
    definition: Neighbourhood | None = None,
) -> Relation:
    """The relation under which two vectors of equal length are neighbours if a norm of their difference is small.

    Its bound is the claim's sensitivity, for a scalar the absolute value of the difference. norm: of the absolute
    values of the moves. one_direction: whether all numbers that move have to move up, or all down. all_move,
    definition: as in `Relation`.
    """
    measure = partial(_measured, norm, one_direction)
    return Relation(
        name=name,
        data=DataKind.VECTOR,
        neighbours=neighbours,
        neighbours_if_scalar="they differ by at most {sensitivity}",
        are_neighbours=partial(_are_close, measure),
        pairs=partial(vector_pairs, measure),
        further_pairs=partial(further_vector_pairs, measure),
        same_size=True,
        all_move=all_move,
        definition=definition,
    )


def _measured(norm: Norm, one_direction: bool, moves: Sequence[float]) -> float:
    """The norm of signed moves; infinity if they are not allowed."""
    if one_direction and any(move > 0 for move in moves) and any(move < 0 for move in moves):
        return math.inf
    return norm([abs(move) for move in moves])


def vector_pairs(norm: Norm, space: DataSpace) -> list[Pair]:
    """The patterns for every size, each in both orders, restricted to the norm and the domain.

    Each pattern's difference is scaled to length `sensitivity` in the norm. With a domain, the three levels are moved
    into it and clipped; pairs that become equal are left out, as are, for integers, patterns that the scaling makes
    fractional. A domain of categories bounds nothing.
    """
    domain = space.domain if isinstance(space.domain, Interval) else None
    if space.scalar:
        return _scalar_pairs(space.sensitivity, domain, integers=space.integers)
    start = _first_level(domain, space.sensitivity)
    pairs: list[Pair] = []
    for n in space.sizes:
        for name, first, second in [*_directions(n), *_one_way_halves(norm, n)]:
            difference = [b - a for a, b in zip(first, second, strict=True)]
            length = norm(difference)
            if length == 0:
                continue
            d1 = [placed(start + space.sensitivity * a, domain, space.integers) for a in first]
            d2 = [
                placed(start + space.sensitivity * (a + d / length), domain, space.integers)
                for a, d in zip(first, difference, strict=True)
            ]
            whole = not space.integers or all(float(v).is_integer() for v in d1 + d2)
            if d1 != d2 and whole:
                pairs += both_orders(d1, d2, name, n)
    return distinct(pairs)


def _directions(n: int) -> Iterator[tuple[str, list[int], list[int]]]:
    """Table 1 as (name, D1, D2), with 1 as the base level, 0 below and 2 above."""
    half = n // 2
    base = [1] * n
    yield "one above", base, [2] + [1] * (n - 1)
    yield "one below", base, [0] + [1] * (n - 1)
    yield "one above, rest below", base, [2] + [0] * (n - 1)
    yield "one below, rest above", base, [0] + [2] * (n - 1)
    yield "half half", base, [2] * half + [0] * (n - half)
    yield "all above", base, [2] * n
    yield "all below", base, [0] * n
    yield "X shape", [1] * half + [0] * (n - half), [0] * half + [1] * (n - half)


def _one_way_halves(norm: Norm, n: int) -> Iterator[tuple[str, list[int], list[int]]]:
    """Half of the answers move where "half half" is no neighbour since all have to move one way.

    Where several answers are chosen, moving one or all of them costs little, and moving half of them costs most.
    """
    if n > 1 and math.isinf(norm([1.0, -1.0])):
        half, base = n // 2, [1] * n
        yield "half above", base, [2] * half + [1] * (n - half)
        yield "half below", base, [0] * half + [1] * (n - half)


def _scalar_pairs(sensitivity: float, domain: Interval | None, *, integers: bool) -> list[Pair]:
    """Two numbers at distance `sensitivity`: around the base level, from zero, and at the edges of the domain."""
    start = _first_level(domain, sensitivity)
    steps = [(start + sensitivity, start + 2 * sensitivity), (start + sensitivity, start)]
    if domain is not None:
        steps += [(domain.low, domain.low + sensitivity), (domain.high, domain.high - sensitivity)]
    pairs: list[Pair] = []
    for (a, b), name in zip(steps, ("above", "below", "lower edge", "upper edge"), strict=False):
        x, y = placed(a, domain, integers), placed(b, domain, integers)
        if x != y and (not integers or (float(x).is_integer() and float(y).is_integer())):
            pairs += both_orders(x, y, name, 1)
    return distinct(pairs)


def _are_close(norm: Norm, d1: Any, d2: Any, sensitivity: float) -> bool:
    """Whether the norm of the difference is at most `sensitivity`, but for the rounding of its making."""
    first, second = ([one] if isinstance(one, int | float) else list(one) for one in (d1, d2))
    if len(first) != len(second):
        return False
    steps = [a - b for a, b in zip(first, second, strict=True)]
    if not steps or norm(steps) <= sensitivity:
        return True
    rounding = sum(math.ulp(max(abs(a), abs(b))) for a, b in zip(first, second, strict=True))
    return norm(steps) <= sensitivity * (1 + _ROUNDING) + 2 * rounding


def _first_level(domain: Interval | None, sensitivity: float) -> float:
    """The level called 0 in Table 1: zero if the domain has room for three levels there, else the nearest place."""
    if domain is None:
        return 0.0
    return min(max(0.0, domain.low), max(domain.low, domain.high - 2 * sensitivity))
