"""Small tools for those who make pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from dplint.claims import Interval, Pair

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
