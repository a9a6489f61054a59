"""Neighbours that differ in all records of one user, however many these are.

The claim's column says whose a record is. Nothing limits how many records a user has: that is for the mechanism to do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, TypeAlias

from dplint.claims import Columns, Literal, Pair
from dplint.relations.records import alike, both_orders, corner_values, distinct, interior_values
from dplint.relations.relation import DataSpace, Relation

Records: TypeAlias = list[Literal]
_COUNTS = (1, 2, 3, 6)
"""Records of the user that is added, removed or replaced."""
_MOST_USERS = 12
_MOST_VALUES = 12


@cache
def by_user(relation: Relation, column: str) -> Relation:
    """The relation whose unit is a user in place of a record. Nothing is proved of it: it has no definition."""
    added = relation.size_is_private
    words = f"one of them has the records of one more {column!r}" if added else f"the records of one {column!r} differ"
    return replace(
        relation,
        neighbours=f"{words}, and all others are the same",
        are_neighbours=partial(_are_neighbours, column, added),
        pairs=partial(_pairs, column, added),
        further_pairs=partial(_further_pairs, column, added),
        same_size=False,
        definition=None,
    )


def _are_neighbours(column: str, added: bool, d1: Sequence[Any], d2: Sequence[Any], _sensitivity: float) -> bool:
    """Whether without the records of one user on each side both are the same.

    added: one of the sides has none of that user. Otherwise both have some, of one user or of two whom the other side
    does not have.
    """
    first, second = ({repr(record[column]) for record in side} for side in (d1, d2))
    if added:
        options = [(user, user) for user in (first | second) if (user in first) != (user in second)]
    else:
        options = [(user, user) for user in first & second]
        options += [(one, two) for one in first - second for two in second - first]
    return any(alike(_without(d1, column, one), _without(d2, column, two)) for one, two in options)


def _without(records: Sequence[Any], column: str, user: str) -> Records:
    return [record for record in records if repr(record[column]) != user]


def _pairs(column: str, added: bool, space: DataSpace) -> list[Pair]:
    """Some records of others, lowest or highest, and those of one user, lowest or highest, some or many."""
    corners = corner_values(_columns(space))
    low, high = corners[0], corners[1 % len(corners)]
    changes = [(f"{count} of one user", [one] * count, [two]) for count in _COUNTS for one, two in _turns(low, high)]
    bases = [
        (f"{words}, ", [record] * size) for size in space.sizes for words, record in (("low", low), ("high", high))
    ]
    if space.shortest == 0:
        bases.append(("nobody else, ", []))
    return _made(column, added, space, bases, changes)


def _further_pairs(column: str, added: bool, space: DataSpace) -> list[Pair]:
    """The same with values inside the domain, and constants of the program, and users whose records differ."""
    values = interior_values(_columns(space), space.constants)[:_MOST_VALUES]
    changes = [(f"{count} of one user", [value] * count, [values[0]]) for value in values for count in _COUNTS[:3]]
    changes += [("all values, of one user", values, values[:1])]
    bases = [("spread, ", [values[i % len(values)] for i in range(size)]) for size in space.sizes]
    return _made(column, added, space, bases, changes)


def _made(
    column: str,
    added: bool,
    space: DataSpace,
    bases: Sequence[tuple[str, Records]],
    changes: Sequence[tuple[str, Records, Records]],
) -> list[Pair]:
    """Each base with the records of one user, and without them, or with others of the same user, in both orders."""
    user, *others = _users(column, space)
    pairs: list[Pair] = []
    for words, base in bases:
        rest = [_of(record, column, others[i % len(others)]) for i, record in enumerate(base)] if others else []
        for change, rows, instead in changes:
            mine = [_of(record, column, user) for record in rows]
            theirs = [] if added else [_of(record, column, user) for record in instead]
            first, second = [*rest, *theirs], [*rest, *mine]
            if not alike(first, second) and min(len(first), len(second)) >= space.shortest:
                pairs += both_orders(first, second, words + change, len(first))
    return distinct(pairs)


def _users(column: str, space: DataSpace) -> Records:
    """Some users; the first is the one who is added or removed."""
    domain = dict(_columns(space).columns)[column]
    found = [*corner_values(domain), *interior_values(Columns(((column, domain),)), ())]
    plain = [one[column] if isinstance(one, dict) else one for one in found]
    users: dict[str, Literal] = {repr(one): one for one in plain if repr(one) not in ("None", "nan")}
    return list(users.values())[:_MOST_USERS]


def _turns(low: Literal, high: Literal) -> Iterator[tuple[Literal, Literal]]:
    yield high, low
    yield low, high


def _of(record: Literal, column: str, user: Literal) -> Literal:
    assert isinstance(record, dict)
    return {**record, column: user}


def _columns(space: DataSpace) -> Columns:
    assert isinstance(space.domain, Columns)
    return space.domain
