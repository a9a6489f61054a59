"""Values between the corners of a domain: fractions of it, and constants of the program with what is next to them.

A bug is often about one value, as in `if age >= 65`, and the program names it. So its constants are tried as data,
first of all; whether a comparison includes the constant shows on its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from dplint.claims import Categories, Column, Columns, Domain, Literal, NumbersOrMissing

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
