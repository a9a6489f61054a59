"""Neighbouring sequences of records beyond the patterns: small sizes, interior values, sorted, tied and spread data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import TypeAlias

from dplint.claims import Categories, Columns, Interval, Literal, Pair
from dplint.relations.interior import interior_values
from dplint.relations.pairing import both_orders, distinct
from dplint.relations.records import corner_values
from dplint.relations.relation import DataSpace

Records: TypeAlias = list[Literal]
Change: TypeAlias = Callable[[Records, Literal], Iterator[tuple[str, Records, Records]]]
"""From records and one more record to (where, D1, D2), two neighbours that differ in it."""
SMALL = (1, 2, 3)
"""Sizes that are tried beside those of the patterns, where the claim names none."""
_FURTHER = 5
_MOST_SIZES = 3
_LARGEST = 40
"""The largest size that a constant of the program may be."""
_MOST_PAIRS = 600


def further_record_pairs(change: Change, space: DataSpace) -> list[Pair]:
    """Pairs to look at before they are tried: each of some records changed by each of some values, in both orders.

    Many, in turns: whatever their number is cut to, each kind of data and many values are among them. No data is
    shorter than `space.shortest`.
    """
    assert space.domain is not None
    values = interior_values(space.domain, space.constants)
    pairs: list[Pair] = []
    turns = [_changed(change, words, base, values) for words, base in _bases(space, values)]
    for row in zip_longest(*turns):
        for found in row:
            if found is not None:
                words, first, second = found
                if first != second and min(len(first), len(second)) >= space.shortest:
                    pairs += both_orders(first, second, words, min(len(first), len(second)))
        if len(pairs) > _MOST_PAIRS:
            break
    return distinct(pairs)[:_MOST_PAIRS]


def _changed(change: Change, words: str, base: Records, values: Records) -> Iterator[tuple[str, Records, Records]]:
    # Its own records, too: they make and break ties.
    own = [*base[-1:], *base[:1]]
    for value in (*own, *values):
        for where, first, second in change(base, value):
            yield f"{words}, {where}", first, second


def _bases(space: DataSpace, values: Records) -> Iterator[tuple[str, Records]]:
    """Records to begin with: ties, spread and sorted, with an outlier, of small sizes and of those of the space."""
    corners = corner_values(space.domain) if space.domain is not None else []
    low, high = corners[0], corners[1 % len(corners)]
    for n in _sizes(space):
        if n == 0:
            yield "empty", []
            continue
        for value in values[:3]:
            yield "all alike", [value] * n
        if n > 1:
            spread = _spread(space, values, n)
            yield "sorted", spread
            yield "sorted downwards", spread[::-1]
            yield "one outlier", [low] * (n - 1) + [high]
            yield "in pairs", [spread[i // 2] for i in range(n)]


def _sizes(space: DataSpace) -> list[int]:
    """The claim's own sizes; else small ones, and those that a constant of the program may mean."""
    if space.exact:
        return list(space.sizes)
    named = [c for c in space.constants if type(c) is int and max(SMALL) < c <= _LARGEST]
    around = [n for c in named[:_MOST_SIZES] for n in (int(c) - 1, int(c))]
    return list(dict.fromkeys([0, *SMALL, *around, _FURTHER]))


def _spread(space: DataSpace, values: Records, n: int) -> Records:
    """Different records in ascending order, as far as the domain has so many."""
    domain = space.domain
    if isinstance(domain, Interval):
        width = domain.high - domain.low
        spaced = [domain.low + width * (i + 1) / (n + 1) for i in range(n)]
        return [round(v) for v in spaced] if domain.integer else list(spaced)
    if isinstance(domain, Categories):
        return [domain.values[i % len(domain.values)] for i in range(n)]
    assert isinstance(domain, Columns)
    return [values[i % len(values)] for i in range(n)]
