"""Pairs on which a function without noise may move far: uniform data with an odd record, and changes of the best."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, zip_longest
from typing import Any

from dplint.claims import Columns, Domain, Literal, Mechanism, Pair
from dplint.inputs.moves import LONGEST, Moves
from dplint.inputs.neighbours import are_neighbours
from dplint.inputs.pairs import data_domain
from dplint.relations import DataKind, Neighbourhood, relation_of
from dplint.relations.interior import interior_values
from dplint.relations.records import corner_values

_SIZES = (1, 2, 5)
_MOST = 400
_WHY = "uniform data and one other record"
_STEPS = "further records"


def uniform_pairs(mechanism: Mechanism, constants: Sequence[int | float | str]) -> list[Pair]:
    """Some equal records, and one other one in front or at the end; each in one order, few of each kind first.

    The equal ones are the lowest and highest records, also with one column at another corner, as a missing value. None
    where records are no single ones: for vectors, single values and users.
    """
    relation, domain = relation_of(mechanism.claim), data_domain(mechanism)
    added = relation.definition is Neighbourhood.ONE_MORE
    if domain is None or not (added or relation.definition is Neighbourhood.ONE_REPLACED):
        return []
    odd = _odd_records(domain)
    values = _once([*odd, *interior_values(domain, constants)])
    sizes = mechanism.claim.size or _SIZES
    turns = zip_longest(*(_changed([base] * size, values, added=added) for size in sizes for base in odd))
    return list(islice((pair for turn in turns for pair in turn if pair is not None), _MOST))


def _odd_records(domain: Domain) -> list[Any]:
    """The corners of the domain; of records with columns also the lowest and highest with one column at a corner."""
    corners = corner_values(domain)
    found = list(corners)
    if isinstance(domain, Columns):
        for corner in corners[:2]:
            assert isinstance(corner, dict)
            found += [{**corner, name: one} for name, column in domain.columns for one in corner_values(column)]
    return _once(found)


def _changed(base: list[Any], values: Sequence[Any], *, added: bool) -> Iterator[Pair]:
    for value in values:
        other = [*base, value] if added else [*base[:-1], value]
        if repr(other) != repr(base):
            yield Pair(base, other, _WHY, len(base))
            yield Pair(base, [value, *base] if added else [value, *base[1:]], _WHY, len(base))


def _once(values: Sequence[Literal]) -> list[Any]:
    return list({repr(value): value for value in values}.values())


def changed_pair(moves: Moves, pair: Pair, chance: random.Random, *, scalar: bool) -> Pair | None:
    """Another pair, near this one or at random; None where what comes out is none."""
    kind = chance.random()
    if kind < 0.1:
        found = moves.at_random(chance, scalar=scalar)
    elif kind < 0.5 and isinstance(pair.d1, list) and isinstance(pair.d2, list):
        found = _on_both_sides(moves, pair.d1, pair.d2, chance)
    else:
        found = moves.moved(pair, chance)
    return found if are_neighbours(moves.mechanism, found.d1, found.d2) else None


def _on_both_sides(moves: Moves, d1: list[Any], d2: list[Any], chance: random.Random) -> Pair:
    """A record is another one wherever it stands, there is one more of it, or one less: the same on both sides."""
    known = [*d1, *d2]
    record = chance.choice(known) if known else None
    own = moves.at_random(chance, scalar=True).d1 if not known or chance.random() < 0.5 else chance.choice(known)
    if isinstance(record, dict) and isinstance(own, dict):
        names = chance.sample(list(record), chance.randint(1, len(record)))
        own = {**record, **{name: own[name] for name in names}}
    kind = chance.random()
    change: Callable[[list[Any]], list[Any]]
    if kind < 0.4:
        change = lambda side: [own if repr(one) == repr(record) else one for one in side]  # noqa: E731
    elif kind < 0.6:
        change = lambda side: [own, *side][:LONGEST]  # noqa: E731
    elif kind < 0.8:
        change = lambda side: [*side, own][:LONGEST]  # noqa: E731
    else:
        change = lambda side: _without_one(side, record)  # noqa: E731
    first, second = change(d1), change(d2)
    return Pair(first, second, moves.why, min(len(first), len(second)))


def _without_one(side: list[Any], record: Any) -> list[Any]:
    place = next((i for i, one in enumerate(side) if repr(one) == repr(record)), None)
    return side if place is None else [*side[:place], *side[place + 1 :]]


def stepped(mechanism: Mechanism, pair: Pair, steps: int, value: Literal, chance: random.Random) -> Pair:
    """The pair with its second side so many neighbouring steps further: by records that there are, or by this one.

    Each step is one that the relation allows, so that both sides are at most `steps` + 1 apart.
    """
    relation = relation_of(mechanism.claim)
    if relation.data is not DataKind.RECORDS or not isinstance(pair.d2, list):
        return pair
    side = list(pair.d2)
    for number in range(steps):
        record = chance.choice([*side, value])
        if relation.definition is Neighbourhood.ONE_MORE:
            shorter = isinstance(pair.d1, list) and len(pair.d2) < len(pair.d1)
            further = side[1:] if shorter and side else [*side, record]
        else:
            further = [record if place == number % max(1, len(side)) else one for place, one in enumerate(side)]
        side = further if relation.are_neighbours is not None and relation.are_neighbours(side, further, 1.0) else side
    return replace(pair, d2=side, pattern=f"{pair.pattern}, {_STEPS}")


def with_fewer(mechanism: Mechanism, pair: Pair) -> Iterator[Pair]:
    """The pair without one of the records that both sides have, for each of them that differs from the one before."""
    d1, d2 = pair.d1, pair.d2
    if not isinstance(d1, list) or not isinstance(d2, list):
        return
    for record in {repr(one): one for one in d1}.values():
        first, second = _without_one(d1, record), _without_one(d2, record)
        if len(first) < len(d1) and len(second) < len(d2) and are_neighbours(mechanism, first, second):
            yield Pair(first, second, pair.pattern, min(len(first), len(second)))
