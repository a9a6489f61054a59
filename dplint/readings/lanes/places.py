"""Items at places that differ between lanes: of lists, dicts and whatever else holds values by position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.lane_values import Array, Lists, Mixed, Numbers, Uniform, Value
from dplint.readings.lanes.merging import LaneMerger, as_lists, plain
from dplint.readings.lanes.spaces import Bits, Mask


def everywhere(active: Mask) -> Bits:
    """The active lanes of their space."""
    return np.ones(active.space.size, np.bool_) if active.bits is None else active.bits


def met(left: Bits | None, right: Bits | None) -> Bits | None:
    """The lanes in both; None stands for all."""
    if left is None or right is None:
        return right if left is None else left
    return left & right


def chosen(merger: LaneMerger, items: Sequence[Value], position: NDArray[np.integer], active: Mask) -> Value:
    """The item at a position that differs between lanes; anything where there is no such position."""
    among = position if active.bits is None else position[active.bits]
    needed = [p for p in np.unique(among).tolist() if 0 <= p < len(items)] or [0]
    found = merger.at(items[needed[0]], active.space)
    for p in needed[1:]:
        found = merger.merge(active.space, position == p, merger.at(items[p], active.space), found)
    return found


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
    lists = [one for one in (as_lists(item, space) for item in here) if one is not None and one.lengths is None]
    if len(lists) == len(here) and len({(len(one.items), one.tuples) for one in lists}) == 1:
        each_field = zip(*(one.items for one in lists), strict=True)
        fields = [reordered(merger, field, order, active) for field in each_field]
        rows = zip(*fields, strict=True) if fields else (() for _ in order)
        return tuple(Lists(space, row, None, lists[0].tuples) for row in rows)
    same = all(isinstance(item, Uniform) for item in here)

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
