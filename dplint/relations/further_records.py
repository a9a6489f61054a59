"""Neighbouring sequences of records beyond the patterns: small sizes, interior values, sorted, tied and spread data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, zip_longest
from typing import TypeAlias

from dplint.claims import Categories, Columns, Interval, Literal, NumbersOrMissing, Pair
from dplint.relations.interior import interior_values
from dplint.relations.pairing import alike, both_orders, distinct
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
_FEW, _MOST_ENDS = 4, 8
"""So many values change data of every kind, and of records with columns those at the ends of a column."""


def further_record_pairs(change: Change, space: DataSpace) -> list[Pair]:
    """Pairs to look at before they are tried: some records, of which one is changed, in both orders.

    First every value changes little data, then a few values change data of many kinds. No data is shorter than
    `space.shortest`.
    """
    assert space.domain is not None
    values = interior_values(space.domain, space.constants)
    pairs: list[Pair] = []
    for words, first, second in (*_by_value(change, space, values), *_by_kind(change, space, values)):
        if not alike(first, second) and min(len(first), len(second)) >= space.shortest:
            pairs += both_orders(first, second, words, min(len(first), len(second)))
    return distinct(pairs)[:_MOST_PAIRS]


def _by_value(change: Change, space: DataSpace, values: Records) -> Iterator[tuple[str, Records, Records]]:
    """Each value, as the change of a single record and as that of a few that are alike."""
    low = corner_values(space.domain)[0] if space.domain is not None else None
    sizes = [n for n in _sizes(space) if n >= space.shortest]
    smallest = sizes[0]
    for value in values:
        for n in dict.fromkeys((smallest, max(smallest, 1), sizes[min(2, len(sizes) - 1)])):
            for where, first, second in islice(change([low] * n, value), 1):
                yield f"all alike, {where}", first, second


def _by_kind(change: Change, space: DataSpace, values: Records) -> Iterator[tuple[str, Records, Records]]:
    """The first few values, as changes of each kind of data in turn."""
    ends = _at_ends(space, values[0])
    turns = [_changed(change, words, base, values[:_FEW], ends) for words, base in _bases(space, values)]
    for row in zip_longest(*turns):
        yield from (found for found in row if found is not None)


def _at_ends(space: DataSpace, base: Literal) -> Records:
    """A record with one column at its lowest or highest."""
    if not isinstance(space.domain, Columns) or not isinstance(base, dict):
        return []
    ends: Records = [
        {**base, name: end} for name, column in space.domain.columns for end in corner_values(column)[1::-1]
    ]
    return ends[:_MOST_ENDS]


def _changed(
    change: Change, words: str, base: Records, values: Records, ends: Records
) -> Iterator[tuple[str, Records, Records]]:
    # Its own records, too: they make and break ties.
    for one in ends:
        yield from ((f"{words}, {where}", first, second) for where, first, second in islice(change(base, one), 1))
    for value in (*base[-1:], *base[:1], *values):
        for where, first, second in change(base, value):
            yield f"{words}, {where}", first, second


def _bases(space: DataSpace, values: Records) -> Iterator[tuple[str, Records]]:
    """Records to begin with: ties, spread and sorted, with an outlier, of small sizes and of those of the space."""
    corners = corner_values(space.domain) if space.domain is not None else []
    low, high = corners[0], corners[1 % len(corners)]
    for n in _sizes(space):
        if n == 0:
            continue
        yield "all alike", [values[0]] * n
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
    return list(dict.fromkeys([0, *SMALL, _FURTHER, *around]))


def _spread(space: DataSpace, values: Records, n: int) -> Records:
    """Different records in ascending order, as far as the domain has so many."""
    domain = space.domain.numbers if isinstance(space.domain, NumbersOrMissing) else space.domain
    if isinstance(domain, Interval):
        width = domain.high - domain.low
        spaced = [domain.low + width * (i + 1) / (n + 1) for i in range(n)]
        return [round(v) for v in spaced] if domain.integer else list(spaced)
    if isinstance(domain, Categories):
        return [domain.values[i % len(domain.values)] for i in range(n)]
    assert isinstance(domain, Columns)
    return [values[i % len(values)] for i in range(n)]
