"""`any`: local privacy, under which any two values of the domain are neighbours."""

from __future__ import annotations

from itertools import pairwise, permutations

from dplint.claims import Categories, Columns, Literal, Pair
from dplint.relations.records import alike, both_orders, corner_values, distinct, interior_values
from dplint.relations.relation import DataKind, DataSpace, Neighbourhood, Relation

ALL_ORDERED_UP_TO = 6
"""Domains of at most this many categories are tried completely."""


def _pairs(space: DataSpace) -> list[Pair]:
    """Corners against each other; every two categories of a small domain; of records one column at a time."""
    domain = space.domain
    assert domain is not None
    if isinstance(domain, Categories) and len(domain.values) <= ALL_ORDERED_UP_TO:
        values: list[Literal] = list(domain.values)
    else:
        values = corner_values(domain)
    pairs = [Pair(a, b, "two values", 1) for a, b in permutations(values, 2) if not alike(a, b)]
    if isinstance(domain, Columns):
        base = {name: corner_values(column)[0] for name, column in domain.columns}
        for name, column in domain.columns:
            for value in corner_values(column)[1:]:
                pairs += both_orders(base, {**base, name: value}, f"column {name}", 1)
    return distinct(pairs)


def _further_pairs(space: DataSpace) -> list[Pair]:
    """Values inside the domain and constants of the program, against its corners and against each other."""
    assert space.domain is not None
    values = interior_values(space.domain, space.constants)
    corners = corner_values(space.domain)[:2]
    found = [(v, c, "a value inside") for v in values for c in corners]
    found += [(v, w, "two values inside") for v, w in pairwise(values)]
    pairs = [pair for v, w, words in found if not alike(v, w) for pair in both_orders(v, w, words, 1)]
    return distinct(pairs)


def _are_neighbours(_d1: Literal, _d2: Literal, _sensitivity: float) -> bool:
    return True


RELATION = Relation(
    name="any",
    data=DataKind.VALUE,
    neighbours="both are possible values, whichever these are",
    are_neighbours=_are_neighbours,
    pairs=_pairs,
    further_pairs=_further_pairs,
    domain_example='domain=(0, 1) or domain=["yes", "no"]',
    same_size=False,
    definition=Neighbourhood.ANY_TWO,
)
