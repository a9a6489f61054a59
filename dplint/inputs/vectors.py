"""Neighbouring vectors of real answers: the patterns of StatDP's Table 1, and their counterparts for scalars.

Ding et al., "Detecting Violations of Differential Privacy", CCS 2018, Table 1. The patterns are written there for
vectors that differ by at most one in every coordinate; for the other norms the same directions are scaled to the norm.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from dplint.claims import Interval, Pair, Relation

DEFAULT_SIZES = (5, 10)


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


def _norm(difference: list[int], relation: Relation) -> float:
    sizes = [abs(d) for d in difference]
    if relation is Relation.L1:
        return float(sum(sizes))
    if relation is Relation.L2:
        return math.sqrt(sum(d * d for d in sizes))
    return float(max(sizes))


def vector_pairs(
    relation: Relation, sensitivity: float, domain: Interval | None, sizes: tuple[int, ...], *, integers: bool = False
) -> list[Pair]:
    """The patterns for every size, each in both orders, restricted to the relation and the domain.

    For "l1" and "l2" a pattern's difference is scaled to length `sensitivity` in that norm. With a domain, the three
    levels are moved into it and clipped; pairs that become equal are left out. integers: entries are Python ints, and
    patterns that the scaling makes fractional are left out.
    """
    start = _first_level(domain, sensitivity)
    pairs: list[Pair] = []
    for n in sizes:
        for name, first, second in _directions(n):
            difference = [b - a for a, b in zip(first, second, strict=True)]
            norm = _norm(difference, relation)
            if norm == 0:
                continue
            d1 = [_place(start + sensitivity * a, domain, integers) for a in first]
            d2 = [
                _place(start + sensitivity * (a + d / norm), domain, integers)
                for a, d in zip(first, difference, strict=True)
            ]
            whole = not integers or all(float(v).is_integer() for v in d1 + d2)
            if d1 != d2 and whole:
                pairs += both_orders(d1, d2, name, n)
    return distinct(pairs)


def scalar_pairs(sensitivity: float, domain: Interval | None, *, integers: bool = False) -> list[Pair]:
    """Two numbers at distance `sensitivity`: around the base level, from zero, and at the edges of the domain."""
    start = _first_level(domain, sensitivity)
    steps = [(start + sensitivity, start + 2 * sensitivity), (start + sensitivity, start)]
    if domain is not None:
        steps += [(domain.low, domain.low + sensitivity), (domain.high, domain.high - sensitivity)]
    pairs: list[Pair] = []
    for (a, b), name in zip(steps, ("above", "below", "lower edge", "upper edge"), strict=False):
        x, y = _place(a, domain, integers), _place(b, domain, integers)
        if x != y and (not integers or (float(x).is_integer() and float(y).is_integer())):
            pairs += both_orders(x, y, name, 1)
    return distinct(pairs)


def both_orders(d1: object, d2: object, pattern: str, size: int) -> list[Pair]:
    """The pair and its mirror image: a claim binds in both directions."""
    return [Pair(d1, d2, pattern, size), Pair(d2, d1, f"{pattern}, reversed", size)]  # type: ignore[arg-type]


def distinct(pairs: list[Pair]) -> list[Pair]:
    """The pairs in their order, without repetitions of the same data."""
    seen: dict[str, Pair] = {}
    for pair in pairs:
        seen.setdefault(repr((pair.d1, pair.d2)), pair)
    return list(seen.values())


def _first_level(domain: Interval | None, sensitivity: float) -> float:
    """The level called 0 in Table 1: zero if the domain has room for three levels there, else the nearest place."""
    if domain is None:
        return 0.0
    return min(max(0.0, domain.low), max(domain.low, domain.high - 2 * sensitivity))


def _place(value: float, domain: Interval | None, integers: bool) -> float | int:
    if domain is not None:
        value = min(max(value, domain.low), domain.high)
    if integers and float(value).is_integer():
        return int(value)
    return float(value)
