"""Items at places that differ between lanes: of lists, dicts and whatever else holds values by position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.distinct import spread_out
from dplint.readings.lanes.lane_values import (
    DTYPES,
    Array,
    Arrays,
    Dicts,
    Filtered,
    Lists,
    Mixed,
    Numbers,
    Ragged,
    Uniform,
    Value,
)
from dplint.readings.lanes.merging import LaneMerger, as_lists, evened, plain, trimmed
from dplint.readings.lanes.objects import presence
from dplint.readings.lanes.spaces import Bits, Mask, Space

_STACKED = 4
"""So many arrays are stacked to take from rather than merged two by two."""
_FEW = 8
"""Of so few items it is not looked first which are needed."""


def everywhere(active: Mask) -> Bits:
    """The active lanes of their space."""
    return np.ones(active.space.size, np.bool_) if active.bits is None else active.bits


def met(left: Bits | None, right: Bits | None) -> Bits | None:
    """The lanes in both; None stands for all."""
    if left is None or right is None:
        return right if left is None else left
    return left & right


def where_not(bits: Bits, active: Mask) -> Bits | None:
    """The active lanes in which the bits are not set, None if there are none."""
    found = ~bits if active.bits is None else active.bits & ~bits
    return found if found.any() else None


def chosen(merger: LaneMerger, items: Sequence[Value], position: NDArray[np.integer], active: Mask) -> Value:
    """The item at a position that differs between lanes; anything where there is no such position."""
    space, most = active.space, max(len(items) - 1, 0)
    if items and all(isinstance(item, Uniform) for item in items):
        return looked_up(merger, [item.value for item in items if isinstance(item, Uniform)], position, space)
    found = _taken(merger, items, position, space) if len(items) <= _FEW else None
    if found is not None:
        return found
    among = np.clip(position if active.bits is None else position[active.bits], 0, most)
    needed = np.flatnonzero(np.bincount(among)).tolist() or [0]
    here = [merger.at(items[p], space) for p in needed]
    if len(here) > 1:
        number_of = np.zeros(most + 1, np.intp)
        number_of[needed] = np.arange(len(needed))
        found = _taken(merger, here, number_of.take(position, mode="clip"), space)
        if found is not None:
            return found
    found = here[0]
    for p, item in zip(needed[1:], here[1:], strict=True):
        found = merger.merge(space, position == p, item, found)
    return found


def looked_up(merger: LaneMerger, table: Sequence[Any], position: NDArray[np.integer], space: Space) -> Value:
    """The entry of a table, the same in all lanes, at a position of each lane; any one where there is none."""
    entries = merger.implode(list(table), Space(len(table)), None)
    return spread_out(entries, np.clip(position, 0, len(table) - 1), space, None)


def _taken(merger: LaneMerger, items: Sequence[Value], position: NDArray[np.integer], space: Space) -> Value | None:
    """The number at a position of each lane, all of one type; None for others, and for what is cheaper to merge."""
    if len(items) < _STACKED:
        return None
    numbers = [one for one in (plain(merger.at(item, space)) for item in items) if one is not None]
    if len(numbers) < len(items) or len({tag for _, tag, _ in numbers}) > 1:
        return None
    tag, bound = numbers[0][1], max(bound for *_, bound in numbers)
    rows: Array = np.empty((len(items), space.size), DTYPES[tag])
    for row, (data, *_) in zip(rows, numbers, strict=True):
        row[:] = data
    return Numbers(space, at_positions(rows, position), tag, bound)


def at_positions(rows: Array, position: NDArray[np.integer]) -> Array:
    """From rows of shape (items, lanes), that of each lane at its position; what is outside of them is any."""
    lanes = rows.shape[-1]
    where = np.multiply(position, lanes, dtype=np.intp)
    where += np.arange(lanes)
    found: Array = rows.reshape(-1).take(where, mode="clip")
    return found


def removed(merger: LaneMerger, lists: Lists, position: NDArray[np.integer] | int, active: Mask) -> Lists:
    """The lists without the item at a position of each active lane, or of all, which must be there."""
    space, items = active.space, lists.items
    if isinstance(position, np.ndarray) and position.ndim:
        pairs = enumerate(pairwise(items))
        moved = [merger.merge(space, position <= place, behind, here) for place, (here, behind) in pairs]
    else:
        moved = [item for place, item in enumerate(items) if place != position]
    counts = None if lists.lengths is None else np.maximum(lists.lengths - 1, 0).astype(np.int32)
    found = merger.merge(space, active.bits, Lists(space, tuple(moved), counts, tuples=False), lists)
    assert isinstance(found, Lists)
    return found


def kept(rows: Array, where: Arrays) -> Arrays | Ragged:
    """`array[where]`: of arrays of one dimension, shape (items, lanes), the items at which it holds, in their order."""
    lanes = where.space.size
    found = np.zeros(rows.shape, rows.dtype)
    place = np.arange(lanes)
    for row, holds in zip(rows, where.data, strict=True):
        # What is not kept is written over by the next item, or lies behind the end.
        found.reshape(-1)[place] = row
        place += holds * np.intp(lanes)
    counts = place // lanes
    return evened(Ragged(where.space, found, counts.astype(np.int32)))


def filtered(
    merger: LaneMerger, space: Space, parts: tuple[Value, ...], there: tuple[NDArray[np.bool_] | None, ...]
) -> Lists:
    """Lists of those of the parts that a lane has."""
    if all(bits is None for bits in there):
        return Lists(space, parts, None, tuples=False)
    # What a block holds must not hold the block.
    held = ref(merger)

    def compact(value: Filtered) -> Lists:
        alive = held()
        assert alive is not None
        return _pushed_together(alive, value)

    return Filtered(space, parts, there, compact)


def parts_of(value: Lists) -> Iterator[tuple[Value, NDArray[np.bool_] | None]]:
    """The items in order, each with the lanes that have it; None for all."""
    if isinstance(value, Filtered):
        yield from zip(value.parts, value.there, strict=True)
        return
    lengths = value.lengths
    for place, item in enumerate(value.items):
        yield item, None if lengths is None else lengths > place


def _pushed_together(merger: LaneMerger, value: Filtered) -> Lists:
    space = value.space
    order: NDArray[np.intp] = np.zeros((len(value.parts), space.size), np.intp)
    where = np.arange(space.size)
    for place, has in enumerate(value.there):
        # What a lane does not have is written over by the next one, or lies behind the end.
        order.reshape(-1)[where] = place
        where += space.size if has is None else has * np.intp(space.size)
    counts = (where // max(space.size, 1)).astype(np.int32)
    longest = int(counts.max(initial=0))
    found = reordered(merger, value.parts, order[:longest], merger.mask(space, None))
    return trimmed(Lists(space, found, counts, tuples=False))


def with_presence(merger: LaneMerger, value: Dicts, items: tuple[Value, ...], active: Mask) -> Lists:
    """Of a list with an item for each key, the items of the keys that a lane has."""
    there = tuple(presence(value, place, active.space, merger) for place in range(len(items)))
    return filtered(merger, active.space, items, there)


def replaced(
    merger: LaneMerger, items: Sequence[Value], position: NDArray[np.integer], item: Value, active: Mask
) -> tuple[Value, ...]:
    """The items, in the whole of the active lanes' space, with another one at a position of each active lane."""
    space, changed = active.space, list(items)
    for p in np.unique(position).tolist():
        if 0 <= p < len(changed):
            bits = met(active.bits, position == p if np.ndim(position) else None)
            changed[p] = merger.merge(space, bits, merger.at(item, space), merger.at(changed[p], space))
    return tuple(changed)


def reordered(
    merger: LaneMerger, items: Sequence[Value], order: NDArray[np.integer], active: Mask
) -> tuple[Value, ...]:
    """The items in an order of each lane: `order` of shape (positions, lanes)."""
    space = active.space
    here = [merger.at(item, space) for item in items]
    if order.size and (order[:, 0] == order[:, -1]).all() and (order == order[:, :1]).all():
        return tuple(here[place] for place in order[:, 0].tolist())
    lists = [one for one in (as_lists(item, space) for item in here) if one is not None and one.lengths is None]
    if len(lists) == len(here) and len({(len(one.items), one.tuples) for one in lists}) == 1:
        each_field = zip(*(one.items for one in lists), strict=True)
        fields = [reordered(merger, field, order, active) for field in each_field]
        rows = zip(*fields, strict=True) if fields else (() for _ in order)
        return tuple(Lists(space, row, None, lists[0].tuples) for row in rows)
    same = space.size > 0 and all(isinstance(item, Uniform) for item in here)

    def taken(columns: Sequence[Array]) -> Array:
        if same:
            return np.array([np.ravel(column)[0] for column in columns]).take(order)
        return np.take_along_axis(np.stack([np.broadcast_to(one, (space.size,)) for one in columns]), order, axis=0)

    numbers = [one for one in map(plain, here) if one is not None]
    if len(numbers) == len(here) and len({tag for _, tag, _ in numbers}) == 1:
        bound = max(bound for *_, bound in numbers)
        return tuple(Numbers(space, row, numbers[0][1], bound) for row in taken([data for data, *_ in numbers]))
    scalars = [one for one in (merger.mixed(item, space) for item in here) if one is not None]
    if len(scalars) == len(here):
        tags, payloads = taken([one.tags for one in scalars]), taken([one.payload for one in scalars])
        return tuple(Mixed(space, *row) for row in zip(tags, payloads, strict=True))
    return tuple(chosen(merger, items, row, active) for row in order)
