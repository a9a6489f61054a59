"""`itertools` on lanes: what puts the items of lists together by their places, whatever they are.

Programs hold lists in place of iterators, which are used up at once. Where all arguments are the same in every lane,
Python itself is asked, once.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dplint.readings.lanes.arithmetic import Result, binary
from dplint.readings.lanes.functions import Known, sequence
from dplint.readings.lanes.lane_values import Lists, Uniform, Value
from dplint.readings.lanes.merging import LaneMerger
from dplint.readings.lanes.spaces import Mask

_MOST_ROWS = 1 << 12
"""Of a result; a longer one is left to Python."""


def _by_places(lists: int | None, rows: Callable[..., Iterable[tuple[Value, ...]]]) -> Known:
    """A function that makes tuples of items. lists: how many of its arguments are lists, None for all."""

    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        if all(isinstance(one, Uniform) for one in (*arguments, *keywords.values())):
            return None
        given = [sequence(merger, one, active) for one in arguments[:lists]]
        others = arguments[len(given) :]
        if any(one is None or one.lengths is not None for one in given):
            return None
        if not all(isinstance(one, Uniform) for one in (*others, *keywords.values())):
            return None
        plain = [one.value for one in others if isinstance(one, Uniform)]
        named = {name: one.value for name, one in keywords.items() if isinstance(one, Uniform)}
        try:
            made = rows(*(one.items for one in given if one is not None), *plain, **named)
            found = list(itertools.islice(made, _MOST_ROWS + 1))
        except (TypeError, ValueError):
            return None
        if len(found) > _MOST_ROWS:
            return None
        items = tuple(Lists(active.space, row, None, tuples=True) for row in found)
        return Result(Lists(active.space, items, None, tuples=False))

    return call


def _islice(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    items, *bounds = arguments
    found = sequence(merger, items, active)
    if found is None or found.lengths is not None or keywords or isinstance(items, Uniform):
        return None
    given: list[Any] = [one.value for one in bounds if isinstance(one, Uniform)]
    if len(given) != len(bounds) or not all(one is None or (type(one) is int and one >= 0) for one in given):
        return None
    try:
        return Result(Lists(active.space, tuple(itertools.islice(found.items, *given)), None, tuples=False))
    except (TypeError, ValueError):
        return None


def _padded(*lists: tuple[Value, ...], fillvalue: Any = None) -> Iterable[tuple[Value, ...]]:
    return itertools.zip_longest(*lists, fillvalue=Uniform(fillvalue))


def _accumulate(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    """`itertools.accumulate` of numbers, as a list."""
    lists = sequence(merger, arguments[0], active) if len(arguments) == 1 and not keywords else None
    if lists is None or lists.lengths is not None:
        return None
    found: list[Value] = []
    for item in lists.items:
        added = Result(item) if not found else binary(merger, "+", found[-1], item, active)
        if added is None or added.failed is not None:
            return None
        found.append(added.value)
    return Result(Lists(active.space, tuple(found), None, tuples=False))


KNOWN: Mapping[str, Known] = {
    "itertools.accumulate": _accumulate,
    "itertools.combinations": _by_places(1, itertools.combinations),
    "itertools.permutations": _by_places(1, itertools.permutations),
    "itertools.pairwise": _by_places(1, itertools.pairwise),
    "itertools.product": _by_places(None, itertools.product),
    "itertools.zip_longest": _by_places(None, _padded),
    "itertools.islice": _islice,
}
