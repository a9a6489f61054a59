"""Keys of dicts that differ between lanes: one order of them that holds in every lane."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any, TypeAlias

from dplint.readings.lanes.lane_values import same

Order: TypeAlias = tuple[Any, ...]
"""The keys of a dict, in order of insertion."""


def alike(one: Any, other: Any) -> bool:
    """Whether two keys are the same for every purpose; `True` and `1`, which are one key of a dict, are not."""
    if type(one) is tuple and type(other) is tuple:
        return len(one) == len(other) and all(map(alike, one, other))
    return same(one, other)


def all_alike(first: Order, second: Order) -> bool:
    """Whether two dicts have the same keys in the same order."""
    return first is second or (len(first) == len(second) and all(map(alike, first, second)))


def common_order(orders: Sequence[Order]) -> Order | None:
    """All keys in an order that agrees with each of the given ones; None if there is none, or if two keys are equal
    and not alike.
    """
    known: dict[Any, Any] = {}
    sorter: TopologicalSorter[Any] = TopologicalSorter()
    for order in orders:
        for key in order:
            if not alike(known.setdefault(key, key), key):
                return None
            sorter.add(key)
        for before, after in pairwise(order):
            sorter.add(after, before)
    try:
        return tuple(sorter.static_order())
    except CycleError:
        return None
