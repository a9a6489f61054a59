"""What orders on lanes: `sorted`, `min` and `max`, also by keys that a program has computed before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.arithmetic import Result, compare
from dplint.readings.lanes.functions import Known, holds, number, sequence, truth
from dplint.readings.lanes.lane_values import (
    FLOATS,
    TRUTHS,
    Array,
    Lists,
    Mixed,
    Numbers,
    Tag,
    Uniform,
    Value,
)
from dplint.readings.lanes.merging import LaneMerger, as_lists, beyond, is_of_data
from dplint.readings.lanes.orders import MINUS_ZERO, distinct, in_order, stable_order
from dplint.readings.lanes.places import chosen, met, reordered
from dplint.readings.lanes.spaces import Mask
from dplint.readings.lanes.sums import first_extreme

_MOST_ITEMS = 64


def _extreme(operator: str) -> Known:
    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        lists = sequence(merger, arguments[0], active) if len(arguments) == 1 else None
        if set(keywords) - {"default"} or (keywords and lists is None):
            return None
        items = tuple(arguments) if lists is None else lists.items
        if not items or (lists is None and len(arguments) == 1):
            return None
        table = _deciding(merger, items, active) if lists is None or lists.lengths is None else None
        if table is not None:
            where, _ = first_extreme(list(table), largest=operator == ">")
            return Result(chosen(merger, items, where, active))
        failed = None
        if lists is not None and lists.lengths is not None and not holds(lists.lengths > 0, active.bits):
            failed = (lists.lengths == 0) if active.bits is None else (lists.lengths == 0) & active.bits
        best = merger.at(items[0], active.space)
        for position, item in enumerate(items[1:], 1):
            better = compare(merger, operator, item, best, active)
            bits = None if better is None else truth(merger, better, active)
            if bits is None:
                return None
            if lists is not None and lists.lengths is not None:
                bits = bits & (lists.lengths > position)
            best = merger.merge(active.space, bits, merger.at(item, active.space), best)
        if keywords and failed is not None:
            return Result(merger.merge(active.space, failed, merger.at(keywords["default"], active.space), best))
        return Result(best, failed, alike=True)

    return call


class Keys(NamedTuple):
    """What can be ordered: numbers of shape (items, lanes), and their type if they have one.

    texts: where the numbers are ranks of texts, the number of each one by its rank.
    """

    table: NDArray[Any]
    tag: Tag | None
    texts: NDArray[np.int64] | None = None


def _keys(merger: LaneMerger, lists: Lists | None, active: Mask) -> Keys | None:
    """The items as keys; None for others, and NaN. What is behind the end of a list is a key like any other."""
    if lists is None or not 0 < len(lists.items) <= _MOST_ITEMS:
        return None
    return _table(merger, lists.items, active) or _ranks(merger, lists, active)


def _table(merger: LaneMerger, items: Sequence[Value], active: Mask) -> Keys | None:
    found = [number(merger, item, active) for item in items]
    rows: list[Array] = []
    for item, one in zip(items, found, strict=True):
        mixed = merger.at(item, active.space) if one is None else None
        if isinstance(mixed, Mixed) and (mixed.tags <= Tag.NP_FLOAT).all():
            rows.append(mixed.payload)
        elif one is None or one.tag in TRUTHS:
            return None
        else:
            rows.append(np.broadcast_to(one.data, (active.space.size,)))
    keys = [one for one in found if one is not None]
    # A float and a large integer are not compared as floats.
    floats = len(keys) < len(found) or any(one.tag in FLOATS for one in keys)
    if floats and any(beyond(*one) for one in keys):
        return None
    table = np.stack(rows)
    if table.dtype.kind == "f" and not holds(~np.isnan(table).any(axis=0), active.bits):
        return None
    return Keys(table, keys[0].tag if len(keys) == len(found) and len({one.tag for one in keys}) == 1 else None)


def _ranks(merger: LaneMerger, lists: Lists, active: Mask) -> Keys | None:
    """Texts by their order among all that there are."""
    rows: list[Array] = []
    for position, item in enumerate(lists.items):
        there = active.bits if lists.lengths is None else met(active.bits, lists.lengths > position)
        here = merger.at(item, active.space)
        found = None if isinstance(here, Numbers) else merger.mixed(here, active.space)
        if found is None or not holds(found.tags == Tag.TEXT, there):
            return None
        rows.append(found.payload if there is None else np.where(there, found.payload, np.nan))
    table = np.stack(rows)
    known = ~np.isnan(table)
    if not known.any():
        return None
    numbers = np.where(known, table, table[known][0]).astype(np.int64)
    texts = np.array(sorted(np.flatnonzero(np.bincount(numbers.ravel())), key=merger.texts.texts.__getitem__))
    ranks = np.zeros(int(texts.max()) + 1, np.int64)
    ranks[texts] = np.arange(len(texts))
    return Keys(ranks[numbers], Tag.TEXT, texts)


def _firsts(merger: LaneMerger, items: Sequence[Value], active: Mask) -> NDArray[Any] | None:
    """The first items of tuples or lists, where they alone decide the order: no lane has two equal ones."""
    inner = [merger.at(item, active.space) for item in items]
    lists = [one for one in inner if isinstance(one, Lists) and one.lengths is None and one.items]
    if len(lists) < len(inner) or len({one.tuples for one in lists}) > 1 or not 1 < len(lists) <= _MOST_ITEMS:
        return None
    firsts = _keys(merger, Lists(active.space, tuple(one.items[0] for one in lists), None, False), active)
    return firsts.table if firsts is not None and holds(distinct(firsts.table), active.bits) else None


def _deciding(merger: LaneMerger, items: Sequence[Value], active: Mask) -> NDArray[Any] | None:
    """Numbers of the same order as items that are none themselves: of texts, or of tuples and lists by their firsts."""
    lists = Lists(active.space, tuple(items), None, False)
    if is_of_data(lists):
        return None
    firsts = _firsts(merger, items, active)
    ranks = _ranks(merger, lists, active) if firsts is None else None
    return firsts if ranks is None else ranks.table


def _key_columns(merger: LaneMerger, value: Value, active: Mask) -> list[NDArray[Any]] | None:
    """Keys that can be ordered: numbers, or tuples of as many numbers each, column by column; None for others."""
    lists = sequence(merger, value, active)
    if lists is None or lists.lengths is not None:
        return None
    found = _keys(merger, lists, active)
    if found is not None or not 1 < len(lists.items) <= _MOST_ITEMS:
        return None if found is None else [found.table]
    tuples = [as_lists(merger.at(item, active.space), active.space) for item in lists.items]
    inner = [one for one in tuples if one is not None and one.lengths is None and one.tuples and one.items]
    if len(inner) < len(tuples) or len({len(one.items) for one in inner}) > 1:
        return None
    columns: list[NDArray[Any]] = []
    for column in zip(*(one.items for one in inner), strict=True):
        keys = _keys(merger, Lists(active.space, column, None, False), active)
        if keys is None:
            return None
        columns.append(keys.table)
        if holds(distinct(keys.table), active.bits):
            break  # no two keys agree up to here
    return columns


def _order_by(columns: Sequence[NDArray[Any]], *, reverse: bool) -> NDArray[np.intp]:
    """The positions by the first column, by the second where that is equal, and so on; equal ones as they stand."""
    if len(columns) == 1:
        return _order(columns[0], reverse=reverse)
    turned = [(~one if one.dtype.kind == "i" else -one) if reverse else one for one in columns]
    return np.lexsort(turned[::-1], axis=0)


def _order(table: NDArray[Any], *, reverse: bool) -> NDArray[np.intp]:
    """The positions in ascending or descending order, equal ones in the order in which they stand, as Python does."""
    turned = ~table if table.dtype.kind == "i" else -table
    return stable_order(turned if reverse else table)


def _sorted(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    reverse = keywords.get("reverse", Uniform(False))
    if len(arguments) != 1 or set(keywords) - {"reverse"} or not isinstance(reverse, Uniform):
        return None
    lists = sequence(merger, arguments[0], active)
    if lists is None or is_of_data(lists):
        return None
    firsts = _firsts(merger, lists.items, active) if lists.lengths is None else None
    if firsts is not None:
        order = _order(firsts, reverse=bool(reverse.value))
        return Result(Lists(active.space, reordered(merger, lists.items, order, active), None, False))
    found = _keys(merger, lists, active)
    if found is None:
        return None
    table, tag = found.table, found.tag
    if lists.lengths is not None:
        table = _with_ends(table, lists.lengths, least=bool(reverse.value))
    if tag is None:
        order = _order(table, reverse=bool(reverse.value))
        return Result(Lists(active.space, reordered(merger, lists.items, order, active), lists.lengths, False))
    if table.dtype.kind == "f" and (table.view(np.int64) == MINUS_ZERO).any():
        # Equal elements keep their order in both directions, which tells 0.0 from -0.0.
        ordered = np.take_along_axis(table, _order(table, reverse=bool(reverse.value)), axis=0)
    else:
        ordered = in_order(table)[:: -1 if reverse.value else 1]
    if found.texts is not None:
        texts = [_of_ranks(found.texts, row, active) for row in ordered]
        return Result(Lists(active.space, tuple(texts), lists.lengths, tuples=False))
    bound = int(np.abs(table).max(initial=1)) if tag is Tag.INT else 1
    items = tuple(Numbers(active.space, row, tag, bound) for row in ordered)
    return Result(Lists(active.space, items, lists.lengths, tuples=False))


def _of_ranks(texts: NDArray[np.int64], ranks: NDArray[Any], active: Mask) -> Mixed:
    return Mixed(active.space, np.full(active.space.size, Tag.TEXT, np.uint8), texts[ranks].astype(np.float64))


def _with_ends(table: NDArray[Any], lengths: NDArray[np.int32], *, least: bool) -> NDArray[Any]:
    """The numbers, with the largest or the least behind the end of each list, where it stays in order."""
    if table.dtype.kind == "f":
        end: Any = -np.inf if least else np.inf
    else:
        end = table.min() if least else table.max()
    return np.where(np.arange(len(table))[:, np.newaxis] < lengths, table, end)


def _sorted_by(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    """`sorted(items, key=..., reverse=...)`, the arguments being the items and their keys."""
    given = [*arguments[2:], *keywords.values()]
    reverse = given[0] if given else Uniform(False)
    if len(given) > 1 or set(keywords) - {"reverse"} or not isinstance(reverse, Uniform):
        return None
    items, columns = sequence(merger, arguments[0], active), _key_columns(merger, arguments[1], active)
    if items is None or items.lengths is not None or columns is None or len(items.items) != len(columns[0]):
        return None
    order = _order_by(columns, reverse=bool(reverse.value))
    return Result(Lists(active.space, reordered(merger, items.items, order, active), None, False))


def _extreme_by(*, largest: bool) -> Known:
    """`max(items, key=...)` and `min(items, key=...)`: the first of the items with the extreme key."""

    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        if len(arguments) != 2 or keywords:
            return None
        items, columns = sequence(merger, arguments[0], active), _key_columns(merger, arguments[1], active)
        if items is None or items.lengths is not None or columns is None or len(items.items) != len(columns[0]):
            return None
        if len(columns) == 1:
            where, _ = first_extreme(list(columns[0]), largest=largest)
        else:
            where = _order_by(columns, reverse=largest)[0]
        return Result(chosen(merger, items.items, where, active))

    return call


KNOWN: Mapping[str, Known] = {
    "min": _extreme("<"),
    "max": _extreme(">"),
    "sorted": _sorted,
    "sorted-by": _sorted_by,
    "min-by": _extreme_by(largest=False),
    "max-by": _extreme_by(largest=True),
}
"""By name of the function."""
