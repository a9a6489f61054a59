"""Neighbouring sequences of records: counterparts of StatDP's patterns over a domain.

Small tools for those who make pairs.

Values between the corners of a domain: fractions of it, and constants of the program with what is next to them.

A bug is often about one value, as in `if age >= 65`, and the program names it. So its constants are tried as data,
first of all; whether a comparison includes the constant shows on its neighbours.

Neighbouring sequences of records beyond the patterns: small sizes, interior values, sorted, tied and spread data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise, zip_longest
from typing import TypeAlias

from dplint.claims import Categories, Column, Columns, Domain, Interval, Literal, NumbersOrMissing, Pair
from dplint.relations.relation import DataSpace

Norm: TypeAlias = Callable[[Sequence[float]], float]
"""The length of a move, from the moves of the coordinates, none of them negative."""


def both_orders(d1: object, d2: object, pattern: str, size: int) -> list[Pair]:
    """The pair and its mirror image: a claim binds in both directions."""
    return [Pair(d1, d2, pattern, size), Pair(d2, d1, f"{pattern}, reversed", size)]  # type: ignore[arg-type]


def distinct(pairs: list[Pair]) -> list[Pair]:
    """The pairs in their order, without repetitions of the same data."""
    seen: dict[str, Pair] = {}
    for pair in pairs:
        seen.setdefault(repr((pair.d1, pair.d2)), pair)
    return list(seen.values())


def alike(one: object, two: object) -> bool:
    """Whether two records are the same; NaN is the same as NaN, which Python says of none."""
    return one == two or repr(one) == repr(two)


def holds_nan(value: object) -> bool:
    """Whether NaN is somewhere in the data."""
    if isinstance(value, list | tuple):
        return any(map(holds_nan, value))
    if isinstance(value, dict):
        return any(map(holds_nan, value.values()))
    return isinstance(value, float) and math.isnan(value)


def holds_missing(record: object) -> bool:
    """Whether a record is None or NaN, or has such a column."""
    values = record.values() if isinstance(record, dict) else [record]
    return any(value is None or holds_nan(value) for value in values)


def placed(value: float, domain: Interval | None, integers: bool) -> float | int:
    """The number of the domain that is nearest, as an int where entries are and it is whole."""
    if domain is not None:
        value = min(max(value, domain.low), domain.high)
    if integers and float(value).is_integer():
        return int(value)
    return float(value)


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


MOST = 32
"""So many values of a domain are returned at most."""
_FRACTIONS = (0.5, 0.25, 0.75, 0.1, 0.9)
_NEAR = 1e-3
"""Next to a real number: this share of the width of the domain."""
_MOST_PER_COLUMN = 10
_MOST_CATEGORIES = 24


def interior_values(domain: Domain, constants: Sequence[Literal]) -> list[Literal]:
    """Values of the domain, constants of the program first, each once; its corners are among them.

    Records with columns are the middle record with one column changed, then with two columns at constants.
    """
    if isinstance(domain, Columns):
        return _records(domain, constants)
    return _entries(domain, constants, MOST)


def numbers_near(constants: Sequence[Literal], step: float) -> list[float]:
    """Each number among the constants, and what is one step and half a step away; each once."""
    found: dict[float, None] = {}
    for c in _numbers(constants):
        found.update(dict.fromkeys((c, c + step, c - step, c + step / 2, c - step / 2)))
    return list(found)


def _entries(domain: Column, constants: Sequence[Literal], most: int) -> list[Literal]:
    if isinstance(domain, NumbersOrMissing):
        numbers = _entries(domain.numbers, constants, most - len(domain.missing))
        return [*numbers[:1], *domain.missing, *numbers[1:]]
    if isinstance(domain, Categories):
        known = {repr(constant) for constant in constants}
        ordered: list[Literal] = sorted(domain.values[:_MOST_CATEGORIES], key=lambda value: repr(value) not in known)
        return [*ordered][:most]
    low, high, width = domain.low, domain.high, domain.high - domain.low
    step = 1.0 if domain.integer else width * _NEAR
    found: dict[float, None] = {}
    for c in _numbers(constants):
        found.update(dict.fromkeys(v for v in (c, c + step, c - step, c + 1, c - 1) if low <= v <= high))
    found.update(dict.fromkeys((low, high)))
    found.update(dict.fromkeys(low + width * share for share in _FRACTIONS))
    found.update(dict.fromkeys(v for v in (low + 1, high - 1, 0.0, 1.0, -1.0, 0.5, -0.5) if low <= v <= high))
    if domain.integer:
        found = {float(math.floor(v)): None for v in found}
    values: list[Literal] = [int(v) if domain.integer else float(v) for v in found if low <= v <= high]
    return values[:most]


def _records(domain: Columns, constants: Sequence[Literal]) -> list[Literal]:
    columns = {name: _entries(column, constants, _MOST_PER_COLUMN) for name, column in domain.columns}
    base: dict[str, Literal] = {name: values[len(values) // 2] for name, values in columns.items()}
    found: list[Literal] = [base]
    # Column by column in turn, so that the first values of all come before the last ones of any.
    for rank in range(_MOST_PER_COLUMN):
        found += ({**base, name: values[rank]} for name, values in columns.items() if rank < len(values))
    names = list(columns)
    for first, second in pairwise(names):
        for one in columns[first][:3]:
            found += ({**base, first: one, second: two} for two in columns[second][:3])
    return _once(found)[:MOST]


def _numbers(constants: Sequence[Literal]) -> Iterable[float]:
    return (float(c) for c in constants if isinstance(c, int | float) and not isinstance(c, bool) and abs(c) < 1e15)


def _once(values: Iterable[Literal]) -> list[Literal]:
    return list({repr(value): value for value in values}.values())


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
