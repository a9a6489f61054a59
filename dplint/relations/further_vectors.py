"""Neighbouring vectors beyond the patterns: negative and fractional entries, wide gaps, ties, outliers, small sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from dplint.claims import Interval, Pair
from dplint.relations.interior import interior_values, numbers_near
from dplint.relations.pairing import Norm, both_orders, distinct, placed
from dplint.relations.relation import DataSpace

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
