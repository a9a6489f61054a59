"""Items at places that differ between lanes: of lists, dicts and whatever else holds values by position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.lane_values import Array, Numbers, Value
from dplint.readings.lanes.merging import LaneMerger, plain
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
    numbers = [plain(merger.at(item, space)) for item in items]
    tags = {None if one is None else one[1] for one in numbers}
    if len(tags) > 1 or None in tags:
        return tuple(chosen(merger, items, row, active) for row in order)
    found = [one for one in numbers if one is not None]
    tag, bound = found[0][1], max(one[2] for one in found)
    rows: list[Array] = [np.broadcast_to(one[0], (space.size,)) for one in found]
    table = np.take_along_axis(np.stack(rows), order, axis=0)
    return tuple(Numbers(space, row, tag, bound) for row in table)
