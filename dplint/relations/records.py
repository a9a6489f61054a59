"""Neighbouring sequences of records: counterparts of StatDP's patterns over a domain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from dplint.claims import Categories, Domain, Interval, Literal, NumbersOrMissing, Pair
from dplint.relations.pairing import alike, both_orders, distinct
from dplint.relations.relation import DataSpace

DOMAIN_EXAMPLE = 'domain=(0, 100), domain=["a", "b"] or domain={"age": (0, 120)}'
Patterns: TypeAlias = Callable[[list[Literal], int], Iterator[tuple[str, list[Literal], list[Literal]]]]
"""From the corner records of a domain, two or more of them, and a size to (name, D1, D2)."""


def record_pairs(patterns: Patterns, space: DataSpace) -> list[Pair]:
    """The patterns for every size over the domain of the space, each in both orders.

    Equal sides are left out, and data that is shorter than the space allows.
    """
    assert space.domain is not None
    corners = corner_values(space.domain)
    pairs: list[Pair] = []
    for size in space.sizes:
        for name, first, second in patterns(corners if len(corners) > 1 else corners * 2, size):
            if not alike(first, second) and min(len(first), len(second)) >= space.shortest:
                pairs += both_orders(first, second, name, size)
    return distinct(pairs)


def corner_values(domain: Domain) -> list[Literal]:
    """The records that matter at the boundary: lowest, highest, one in the middle, and what is missing."""
    if isinstance(domain, NumbersOrMissing):
        return [*corner_values(domain.numbers), *domain.missing]
    if isinstance(domain, Interval):
        middle = (domain.low + domain.high) / 2
        values = [domain.low, domain.high, middle]
        return list(dict.fromkeys(int(v) if domain.integer else float(v) for v in values))
    if isinstance(domain, Categories):
        first, last = domain.values[0], domain.values[-1]
        middle_value = domain.values[len(domain.values) // 2]
        return [v for i, v in enumerate([first, last, middle_value]) if v not in [first, last, middle_value][:i]]
    corners = {name: corner_values(column) for name, column in domain.columns}
    records: list[Literal] = []
    for level in range(max(map(len, corners.values()), default=0)):
        record: Literal = {name: values[min(level, len(values) - 1)] for name, values in corners.items()}
        if not any(alike(record, one) for one in records):
            records.append(record)
    return records
