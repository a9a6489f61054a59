"""Dicts on lanes, of one order of the keys that holds in all lanes, else as `Keyed`; None where only Python knows how.

Which lanes have a key may be decided by noise, as in a histogram of which the counts above a threshold are released.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.functions import Known, sequence
from dplint.readings.lanes.keyed import lists_of, place_of, put
from dplint.readings.lanes.keys import alike
from dplint.readings.lanes.lane_values import (
    EXACT,
    FLOATS,
    NUMBERS,
    Dicts,
    Keyed,
    Lists,
    Mixed,
    Numbers,
    Tag,
    Uniform,
    Value,
    tag_of,
)
from dplint.readings.lanes.merging import LaneMerger, as_dicts, known_keys, there_of
from dplint.readings.lanes.objects import presence, scalar_of
from dplint.readings.lanes.places import chosen, everywhere, met, parts_of, replaced, with_presence
from dplint.readings.lanes.spaces import Bits, Mask

_MOST_KEYS = 64
"""A key that differs between lanes is looked for among at most so many, and so many may differ in who has them."""


def mapping(value: Value) -> Dicts | Keyed | None:
    """A dict; None for anything else."""
    return value if isinstance(value, Keyed) else as_dicts(value)


def get_entry(
    merger: LaneMerger, value: Dicts | Keyed, key: Value, active: Mask, default: Value | None = None
) -> Result | None:
    """`value[key]`, or `value.get(key, default)`."""
    space = active.space
    if isinstance(key, Uniform) and isinstance(value, Dicts):
        place = _place(value, key.value)
        if place is None:
            return Result(Uniform(None), everywhere(active)) if default is None else Result(default)
        has = presence(value, place, space, merger)
        if has is None:
            return Result(value.entries[place])
        entry, missing = value.entries[place], ~has
    else:
        where = _places(merger, value, key, active)
        if where is None:
            return None
        entries = value.entries if isinstance(value, Dicts) else lists_of(merger, value, active)[1].items
        entry, missing = chosen(merger, entries or (Uniform(None),), where, active), where < 0
    if active.bits is not None:
        missing = missing & active.bits
    if default is None or not missing.any():
        return Result(entry, missing if missing.any() else None)
    return Result(merger.merge(space, missing, merger.at(default, space), entry))


def set_entry(merger: LaneMerger, value: Dicts | Keyed, key: Value, item: Value, active: Mask) -> Result | None:
    """What the dicts become by `value[key] = item` in the active lanes, in the whole of their space."""
    found = _set_in_order(merger, value, key, item, active) if isinstance(value, Dicts) else None
    keyed = merger.as_keyed(value, active.space) if found is None else None
    changed = None if keyed is None else put(merger, keyed, key, item, active)
    return found if changed is None else Result(changed)


def _set_in_order(merger: LaneMerger, value: Dicts, key: Value, item: Value, active: Mask) -> Result | None:
    """The same, where one order of the keys holds in all lanes afterwards."""
    if isinstance(key, Uniform):
        changed = _with_entry(merger, value, key.value, item, active) if _may_be_key(key) else None
        return None if changed is None else Result(changed)
    where = _places(merger, value, key, active)
    if where is None:
        return None
    if (where >= 0 if active.bits is None else (where >= 0) | ~active.bits).all():
        entries = replaced(merger, value.entries, where, item, active)
        return Result(Dicts(value.keys, entries, value.record, value.there))
    each = _each_key(merger, key, active)
    if each is None:
        return None
    for one, lanes in each:
        changed = _with_entry(merger, value, one, item, lanes)
        if changed is None:
            return None
        value = changed
    return Result(value)


def _with_entry(merger: LaneMerger, value: Dicts, key: Any, item: Value, active: Mask) -> Dicts | None:
    """The same for a key that all active lanes have in common; None where no order of the keys holds in all lanes."""
    place, there = _place(value, key), there_of(value)
    has = everywhere(active)
    if place is None:
        if len(value.keys) >= _MOST_KEYS and active.bits is not None:
            return None
        own: Value = Uniform(True) if active.bits is None else Numbers(active.space, has, Tag.BOOL)
        return known_keys(Dicts((*value.keys, key), (*value.entries, item), None, (*there, own)))
    before = presence(value, place, active.space, merger)
    changed = merger.select(active, item, value.entries[place])
    entries = (*value.entries[:place], changed, *value.entries[place + 1 :])
    fresh = None if before is None else has & ~before
    if before is None or fresh is None or not fresh.any():
        return Dicts(value.keys, entries, value.record, value.there)
    if not alike(value.keys[place], key):
        return None
    has = has | before
    own = Uniform(True) if has.all() else Numbers(active.space, has, Tag.BOOL)
    there = (*there[:place], own, *there[place + 1 :])
    behind = [presence(value, later, active.space, merger) for later in range(place + 1, len(there))]
    if not any((fresh if bits is None else fresh & bits).any() for bits in behind):
        return known_keys(Dicts(value.keys, entries, None, there))
    # Lanes that get the key now have it behind all others: it may stand there if it does so in lanes that had it, too.
    if any((before if bits is None else before & bits).any() for bits in behind):
        return None
    keys, entries, there = ((*row[:place], *row[place + 1 :], row[place]) for row in (value.keys, entries, there))
    return known_keys(Dicts(keys, entries, None, there))


def _without_entry(merger: LaneMerger, value: Dicts, key: Value, active: Mask) -> tuple[Dicts, Bits] | None:
    """The dicts without a key in the active lanes, in the whole of their space, and the active lanes that lack it."""
    there, lacking = list(there_of(value)), everywhere(active)
    each = _each_key(merger, key, active)
    for one, lanes in each or ():
        place = _place(value, one)
        if place is None:
            continue
        here = everywhere(lanes)
        has = presence(value, place, active.space, merger)
        lacking = lacking & ~(here if has is None else here & has)
        left = ~here if has is None else has & ~here
        there[place] = Numbers(active.space, left, Tag.BOOL) if left.any() else Uniform(False)
    return None if each is None else (known_keys(Dicts(value.keys, value.entries, None, tuple(there))), lacking)


def contains(merger: LaneMerger, value: Dicts | Keyed, key: Value, active: Mask) -> NDArray[np.bool_] | bool | None:
    """`key in value`, in the lanes of the active space."""
    if isinstance(key, Uniform) and isinstance(value, Dicts):
        if not _may_be_key(key):
            return None
        place = _place(value, key.value)
        has = None if place is None else presence(value, place, active.space, merger)
        return place is not None if has is None else has
    where = _places(merger, value, key, active)
    return None if where is None else where >= 0


def update(
    merger: LaneMerger, value: Dicts | Keyed, method: str, arguments: Sequence[Value], active: Mask
) -> Result | None:
    """The dicts after a method that changes them, in the whole of the active lanes' space."""
    if method == "setdefault" and arguments:
        there = contains(merger, value, arguments[0], active)
        if there is True or there is None:
            return None if there is None else Result(value)
        default = arguments[1] if len(arguments) > 1 else Uniform(None)
        missing = active if there is False else merger.mask(active.space, everywhere(active) & ~there)
        return set_entry(merger, value, arguments[0], default, missing)
    if method == "update" and len(arguments) == 1:
        return _updated(merger, value, as_dicts(merger.at(arguments[0], active.space)), active)
    if method == "clear" and active.bits is None and not arguments:
        return Result(Uniform({}))
    if method == "pop" and isinstance(value, Dicts) and 1 <= len(arguments) <= 2 and _may_be_key(arguments[0]):
        left = _without_entry(merger, value, arguments[0], active)
        if left is not None:
            return Result(left[0], left[1] if len(arguments) == 1 and left[1].any() else None)
    return None


def _updated(merger: LaneMerger, value: Dicts | Keyed, more: Dicts | None, active: Mask) -> Result | None:
    """`value.update(more)`."""
    if more is None:
        return None
    for place, (key, entry) in enumerate(zip(more.keys, more.entries, strict=True)):
        has = presence(more, place, active.space, merger)
        lanes = active if has is None else merger.mask(active.space, met(active.bits, has))
        changed = set_entry(merger, value, Uniform(key), entry, lanes)
        if changed is None or not isinstance(changed.value, Dicts | Keyed):
            return None
        value = changed.value
    return Result(value)


def _may_be_key(value: Value) -> bool:
    """False for what Python refuses as a key, in its own words, and for NaN, which equals nothing."""
    if not isinstance(value, Uniform):
        return True
    return isinstance(value.value, Hashable) and bool(value.value == value.value)


def _place(value: Dicts, key: Any) -> int | None:
    return next((place for place, one in enumerate(value.keys) if one == key), None)


def _places(merger: LaneMerger, value: Dicts | Keyed, key: Value, active: Mask) -> NDArray[np.intp] | None:
    """Where a key stands in each lane of the active space, -1 for nowhere."""
    if isinstance(value, Keyed):
        return place_of(merger, value, key, active)
    mixed = merger.mixed(key, active.space) if len(value.keys) <= _MOST_KEYS else None
    if mixed is None:
        return None
    where = np.full(active.space.size, -1, np.intp)
    for place, one in enumerate(value.keys):
        equal = _equal(mixed, one, merger)
        if equal is None:
            return None
        has = presence(value, place, active.space, merger)
        where[equal if has is None else equal & has] = place
    return where


def _equal(mixed: Mixed, key: Any, merger: LaneMerger) -> Bits | None:
    """Where scalars are equal to a key; None if arrays cannot tell."""
    tag = tag_of(key)
    if tag is None or (tag is Tag.INT and abs(key) > EXACT):
        return None
    if tag in NUMBERS:
        return np.asarray((mixed.tags < Tag.NONE) & (mixed.payload == key))
    payload = merger.texts.number(key) if tag is Tag.TEXT else 0.0
    return np.asarray((mixed.tags == tag) & (mixed.payload == payload))


def _each_key(merger: LaneMerger, key: Value, active: Mask) -> list[tuple[Any, Mask]] | None:
    """The keys that the active lanes have, each with its lanes; None if they are many, or no keys of a histogram."""
    if isinstance(key, Uniform):
        return [(key.value, active)]
    space = active.space
    mixed = merger.mixed(key, space)
    if mixed is None:
        return None
    bits, found = everywhere(active), list[tuple[Any, Mask]]()
    for tag in np.flatnonzero(np.bincount(mixed.tags[bits])).tolist():
        of_type = bits & (mixed.tags == tag)
        numbers = np.unique(mixed.payload[of_type])
        if tag in FLOATS or len(numbers) + len(found) > _MOST_KEYS:
            return None
        for number in numbers.tolist():
            one = scalar_of(tag, number, merger.texts.texts)
            found.append((one, merger.mask(space, of_type & (mixed.payload == number))))
    return found


def _make(merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask) -> Result | None:
    """The call of `dict`, of pairs or of keywords."""
    if keywords or len(arguments) > 1:
        return None if arguments else Result(Dicts(tuple(keywords), tuple(keywords.values())))
    known = mapping(merger.at(arguments[0], active.space))
    if known is not None:
        return Result(known)
    pairs = sequence(merger, arguments[0], active)
    made: Dicts | Keyed = Dicts((), ())
    for item, there in () if pairs is None else parts_of(pairs):
        pair = sequence(merger, item, active)
        if pair is None or pair.lengths is not None or len(pair.items) != 2:
            return None
        lanes = merger.mask(active.space, None if there is None else met(active.bits, there))
        changed = set_entry(merger, made, merger.at(pair.items[0], active.space), pair.items[1], lanes)
        if changed is None or not isinstance(changed.value, Dicts | Keyed):
            return None
        made = changed.value
    return None if pairs is None else Result(made)


def _listed(shown: Callable[[tuple[Value, ...], tuple[Value, ...], Mask], tuple[Value, ...]]) -> Known:
    """A view of a dict, as a list, which is how a runner sees it: it is not changed while it is looked at."""

    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        value = merger.at(arguments[0], active.space)
        if not isinstance(value, Dicts | Keyed) or len(arguments) > 1 or keywords:
            return None
        if isinstance(value, Keyed):
            keys, entries = lists_of(merger, value, active)
            return Result(Lists(active.space, shown(keys.items, entries.items, active), keys.lengths, tuples=False))
        items = shown(tuple(map(Uniform, value.keys)), value.entries, active)
        if value.there is not None:
            return Result(with_presence(merger, value, items, active))
        return Result(Lists(active.space, items, None, tuples=False))

    return call


def _items(keys: tuple[Value, ...], entries: tuple[Value, ...], active: Mask) -> tuple[Value, ...]:
    return tuple(Lists(active.space, pair, None, tuples=True) for pair in zip(keys, entries, strict=True))


def _get(merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask) -> Result | None:
    value = mapping(merger.at(arguments[0], active.space))
    if value is None or not 2 <= len(arguments) <= 3 or keywords or not _may_be_key(arguments[1]):
        return None
    default = arguments[2] if len(arguments) > 2 else Uniform(None)
    return get_entry(merger, value, merger.at(arguments[1], active.space), active, default)


KNOWN: Mapping[str, Known] = {"dict": _make}
"""By name of the function."""

METHODS: Mapping[str, Known] = {
    "keys": _listed(lambda keys, _entries, _active: keys),
    "values": _listed(lambda _keys, entries, _active: entries),
    "items": _listed(_items),
    "get": _get,
}
"""Methods of dicts, with the receiver as the first argument."""


def membership(merger: LaneMerger, operator: str, left: Value, right: Value, active: Mask) -> Value | None:
    """`key in value` and `key not in value`."""
    value = mapping(merger.at(right, active.space)) if operator in ("in", "not in") else None
    found = None if value is None else contains(merger, value, merger.at(left, active.space), active)
    if found is None:
        return None
    if isinstance(found, bool):
        return Uniform(found is (operator == "in"))
    bits: Bits = found if operator == "in" else ~found
    return Numbers(active.space, bits, Tag.BOOL)
