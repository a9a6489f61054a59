"""Canaries of the claim's domain, where the project names none."""

from __future__ import annotations

import numpy as np

from dplint.claims import Categories, Column, Columns, Domain, Interval, Literal, NumbersOrMissing

_PLAIN = 8
"""Records beside the canaries, all alike."""
_TRIES = 4
"""Records that are drawn for each canary that is wanted; those that were there before are left out."""


def domain_canaries(domain: Domain, count: int, generator: np.random.Generator) -> list[Literal]:
    """Up to so many records, no two alike: each number at an end of its interval, or any where only whole ones are."""
    records: dict[str, Literal] = {}
    for _ in range(_TRIES * count):
        record = _record(domain, generator)
        records.setdefault(repr(record), record)
        if len(records) == count:
            break
    return list(records.values())


def plain_records(domain: Domain) -> list[Literal]:
    """Some records in the middle of the domain, as others are in a training beside canaries."""
    return [_record(domain, None)] * _PLAIN


def _record(domain: Domain, generator: np.random.Generator | None) -> Literal:
    if isinstance(domain, Columns):
        return {name: _value(column, generator) for name, column in domain.columns}
    return _value(domain, generator)


def _value(column: Column, generator: np.random.Generator | None) -> Literal:
    """At random, or the middle where there is no generator."""
    match column:
        case Categories(values=values):
            return values[0 if generator is None else int(generator.integers(len(values)))]
        case NumbersOrMissing(numbers=numbers):
            return _value(numbers, generator)
        case Interval(low=low, high=high, integer=True):
            return int((low + high) // 2 if generator is None else generator.integers(int(low), int(high) + 1))
        case Interval(low=low, high=high):
            return (low + high) / 2 if generator is None else (low, high)[int(generator.integers(2))]
