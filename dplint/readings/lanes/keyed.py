"""Dicts whose keys stand in an order of its own in each lane: what is at a key, and what is put there.

No key is there twice, and none is NaN, which a dict finds by what object it is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.functions import number
from dplint.readings.lanes.lane_values import Keyed, Lists, Mixed, Numbers, Uniform, Value, names_a_key
from dplint.readings.lanes.merging import LaneMerger, trimmed
from dplint.readings.lanes.places import everywhere, replaced
from dplint.readings.lanes.searching import equal_items
from dplint.readings.lanes.spaces import Bits, Mask

_MOST_KEYS = 64
"""Of one lane."""


def lists_of(merger: LaneMerger, value: Keyed, active: Mask) -> tuple[Lists, Lists]:
    """The keys and the entries, at the active lanes' space."""
    keys, entries = merger.at(value.keys, active.space), merger.at(value.entries, active.space)
    assert isinstance(keys, Lists)
    assert isinstance(entries, Lists)
    return keys, entries


def places_of(merger: LaneMerger, value: Keyed, key: Value, active: Mask) -> list[Bits] | None:
    """For each position the lanes that have the key there; None where only Python knows."""
    key = merger.at(key, active.space)
    known = names_a_key(key.value) if isinstance(key, Uniform) else isinstance(key, Numbers | Mixed)
    one = number(merger, key, active)
    payload = one.data if one is not None else key.payload if isinstance(key, Mixed) else 0.0
    if not known or np.isnan(payload).any():
        return None
    return equal_items(merger, lists_of(merger, value, active)[0], key, active)


def place_of(merger: LaneMerger, value: Keyed, key: Value, active: Mask) -> NDArray[np.intp] | None:
    """Where each active lane has the key, -1 for nowhere; None where only Python knows."""
    places = places_of(merger, value, key, active)
    where: NDArray[np.intp] = np.full(active.space.size, -1, np.intp)
    for place, bits in enumerate(places or ()):
        where += bits * np.intp(place + 1)
    return None if places is None else where


def put(merger: LaneMerger, value: Keyed, key: Value, item: Value, active: Mask) -> Keyed | None:
    """What the dicts become by `value[key] = item` in the active lanes, in the whole of their space."""
    places = places_of(merger, value, key, active)
    if places is None:
        return None
    space, (keys, entries) = active.space, lists_of(merger, value, active)
    missing, names, items, lengths = everywhere(active), keys.items, list(entries.items), keys.lengths
    for place, bits in enumerate(places):
        here = bits & missing
        if here.any():
            items[place] = merger.merge(space, here, item, items[place])
            missing = missing & ~here
    if missing.any():
        behind = np.where(missing, np.int32(len(names)) if lengths is None else lengths, np.int32(-1))
        if behind.max() == len(names):
            if len(names) >= _MOST_KEYS:
                return None
            names, items = (*names, key), [*items, item]
        if lengths is not None:
            names = replaced(merger, names, behind, key, active)
            items = list(replaced(merger, items, behind, item, active))
        lengths = (missing + (np.int32(len(places)) if lengths is None else lengths)).astype(np.int32)
    return Keyed(*(trimmed(Lists(space, tuple(one), lengths, tuples=False)) for one in (names, items)))
