"""Neighbouring sequences of records, and neighbouring local values: counterparts of StatDP's patterns over a domain."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from dplint.claims import Categories, Columns, Domain, Interval, Literal, Pair, Relation
from dplint.inputs.vectors import both_orders, distinct

ALL_ORDERED_UP_TO = 6
"""Domains of at most this many categories are tried completely under "any"."""


def corner_values(domain: Domain) -> list[Literal]:
    """The records that matter at the boundary: lowest first, highest second, then one in the middle."""
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
    for level in range(3):
        record: Literal = {name: values[min(level, len(values) - 1)] for name, values in corners.items()}
        if record not in records:
            records.append(record)
    return records


def record_pairs(relation: Relation, domain: Domain, sizes: tuple[int, ...]) -> list[Pair]:
    """Pairs for "add-remove" and "replace-one", each in both orders.

    Uniform data of the lowest or highest record with one extreme record added or replaced, in front and at the end;
    duplicates; mixed data; and, for "add-remove", an empty side. `sizes` are lengths of the smaller side.
    """
    make = _added if relation is Relation.ADD_REMOVE else _replaced
    pairs: list[Pair] = []
    for size in sizes:
        for name, first, second in make(domain, size):
            if first != second:
                pairs += both_orders(first, second, name, size)
    return distinct(pairs)


def _added(domain: Domain, n: int) -> Iterator[tuple[str, list[Literal], list[Literal]]]:
    corners = corner_values(domain)
    low, high = corners[0], corners[min(1, len(corners) - 1)]
    half = [low] * (n // 2) + [high] * (n - n // 2)
    yield "all lowest, a highest added", [low] * n, [*[low] * n, high]
    yield "all highest, a lowest added", [high] * n, [*[high] * n, low]
    yield "all lowest, one more", [low] * n, [low] * (n + 1)
    yield "all highest, one more", [high] * n, [high] * (n + 1)
    yield "half half, a highest added", half, [*half, high]
    yield "a highest in front", [low] * n, [high, *[low] * n]
    for extra in corners[2:]:
        yield "all lowest, a middle one added", [low] * n, [*[low] * n, extra]
    yield "empty, a highest added", [], [high]
    yield "empty, a lowest added", [], [low]


def _replaced(domain: Domain, n: int) -> Iterator[tuple[str, list[Literal], list[Literal]]]:
    corners = corner_values(domain)
    low, high = corners[0], corners[min(1, len(corners) - 1)]
    half = [low] * (n // 2) + [high] * (n - n // 2)
    yield "all lowest, one highest", [low] * n, [high, *[low] * (n - 1)]
    yield "all highest, one lowest", [high] * n, [low, *[high] * (n - 1)]
    yield "all lowest, last highest", [low] * n, [*[low] * (n - 1), high]
    yield "half half, one moved", half, [high, *half[1:]]
    yield "single record", [low], [high]
    for extra in corners[2:]:
        yield "all lowest, one in the middle", [low] * n, [extra, *[low] * (n - 1)]


def local_pairs(domain: Domain) -> list[Pair]:
    """Pairs for "any": corners against each other; every two categories of a small domain; one column at a time."""
    if isinstance(domain, Categories) and len(domain.values) <= ALL_ORDERED_UP_TO:
        values: list[Literal] = list(domain.values)
    else:
        values = corner_values(domain)
    pairs = [Pair(a, b, "two values", 1) for a, b in permutations(values, 2) if a != b]
    if isinstance(domain, Columns):
        base = {name: corner_values(column)[0] for name, column in domain.columns}
        for name, column in domain.columns:
            for value in corner_values(column)[1:]:
                pairs += both_orders(base, {**base, name: value}, f"column {name}", 1)
    return distinct(pairs)
