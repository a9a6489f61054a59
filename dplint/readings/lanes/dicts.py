"""Dicts on lanes, as long as all lanes have the same keys in the same order; None where only Python knows how."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.functions import Known, sequence
from dplint.readings.lanes.lane_values import EXACT, NUMBERS, Dicts, Lists, Numbers, Tag, Uniform, Value, tag_of
from dplint.readings.lanes.merging import LaneMerger, as_dicts
from dplint.readings.lanes.places import chosen, everywhere, replaced
from dplint.readings.lanes.spaces import Bits, Mask

_MOST_KEYS = 64
"""A key that differs between lanes is looked for among at most so many."""


def get_entry(
    merger: LaneMerger, value: Dicts, key: Value, active: Mask, default: Value | None = None
) -> Result | None:
    """`value[key]`, or `value.get(key, default)`."""
    if isinstance(key, Uniform):
        found = _position(value, key.value)
        if found is not None:
            return Result(value.entries[found])
        return Result(Uniform(None), everywhere(active)) if default is None else Result(default)
    where = _positions(merger, value, key, active)
    if where is None or not value.entries:
        return None
    missing = where < 0 if active.bits is None else (where < 0) & active.bits
    entry = chosen(merger, value.entries, where, active)
    if default is None:
        return Result(entry, missing if missing.any() else None)
    return Result(merger.merge(active.space, missing, merger.at(default, active.space), entry))


def set_entry(merger: LaneMerger, value: Dicts, key: Value, item: Value, active: Mask) -> Result | None:
    """What the dicts become by `value[key] = item` in the active lanes, in the whole of their space."""
    if isinstance(key, Uniform):
        found = _position(value, key.value)
        if found is not None:
            changed = merger.select(active, item, value.entries[found])
            return Result(Dicts(value.keys, (*value.entries[:found], changed, *value.entries[found + 1 :])))
        if active.bits is not None or not _may_be_key(key):
            return None
        return Result(Dicts((*value.keys, key.value), (*value.entries, item)))
    where = _positions(merger, value, key, active)
    if where is None or not (where >= 0 if active.bits is None else (where >= 0) | ~active.bits).all():
        return None
    return Result(Dicts(value.keys, replaced(merger, value.entries, where, item, active)))


def contains(merger: LaneMerger, value: Dicts, key: Value, active: Mask) -> NDArray[np.bool_] | bool | None:
    """`key in value`, in the lanes of the active space."""
    if isinstance(key, Uniform):
        return _position(value, key.value) is not None if _may_be_key(key) else None
    where = _positions(merger, value, key, active)
    return None if where is None else where >= 0


def update(merger: LaneMerger, value: Dicts, method: str, arguments: Sequence[Value], active: Mask) -> Result | None:
    """The dicts after a method that changes them, in the whole of the active lanes' space."""
    if method == "setdefault" and arguments:
        there = contains(merger, value, arguments[0], active)
        if there is True:
            return Result(value)
        default = arguments[1] if len(arguments) > 1 else Uniform(None)
        return set_entry(merger, value, arguments[0], default, active) if there is False else None
    if method == "update" and len(arguments) == 1:
        more = as_dicts(merger.at(arguments[0], active.space))
        for key, entry in zip(more.keys, more.entries, strict=True) if more is not None else ():
            changed = set_entry(merger, value, Uniform(key), entry, active)
            if changed is None or not isinstance(changed.value, Dicts):
                return None
            value = changed.value
        return None if more is None else Result(value)
    if method == "clear" and active.bits is None and not arguments:
        return Result(Uniform({}))
    return None


def _may_be_key(value: Value) -> bool:
    """False for what Python refuses as a key, in its own words."""
    return not isinstance(value, Uniform) or isinstance(value.value, Hashable)


def _position(value: Dicts, key: Any) -> int | None:
    return next((position for position, one in enumerate(value.keys) if one == key), None)


def _positions(merger: LaneMerger, value: Dicts, key: Value, active: Mask) -> NDArray[np.intp] | None:
    """Where a key that differs between lanes stands in each lane of the active space, -1 for nowhere."""
    mixed = merger.mixed(key, active.space) if len(value.keys) <= _MOST_KEYS else None
    if mixed is None:
        return None
    where = np.full(active.space.size, -1, np.intp)
    numeric = mixed.tags < Tag.NONE
    for position, one in enumerate(value.keys):
        tag = tag_of(one)
        if tag is None or (tag is Tag.INT and abs(one) > EXACT):
            return None
        if tag in NUMBERS:
            where[numeric & (mixed.payload == one)] = position
        else:
            payload = merger.texts.number(one) if tag is Tag.TEXT else 0.0
            where[(mixed.tags == tag) & (mixed.payload == payload)] = position
    return where


def _make(merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask) -> Result | None:
    """The call of `dict`, of pairs or of keywords."""
    if keywords or len(arguments) > 1:
        return None if arguments else Result(Dicts(tuple(keywords), tuple(keywords.values())))
    known = as_dicts(merger.at(arguments[0], active.space))
    if known is not None:
        return Result(known)
    pairs = sequence(merger, arguments[0], active)
    if pairs is None or pairs.lengths is not None:
        return None
    entries: dict[Any, Value] = {}
    for item in pairs.items:
        pair = sequence(merger, item, active)
        if pair is None or pair.lengths is not None or len(pair.items) != 2:
            return None
        key = pair.items[0]
        if not isinstance(key, Uniform) or not _may_be_key(key):
            return None
        entries[key.value] = pair.items[1]
    return Result(Dicts(tuple(entries), tuple(entries.values()))) if entries else None


def _listed(shown: Callable[[Dicts, Mask], tuple[Value, ...]]) -> Known:
    """A view of a dict, as a list, which is how a runner sees it: it is not changed while it is looked at."""

    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        value = merger.at(arguments[0], active.space)
        if not isinstance(value, Dicts) or len(arguments) > 1 or keywords:
            return None
        return Result(Lists(active.space, shown(value, active), None, tuples=False))

    return call


def _keys(value: Dicts, _active: Mask) -> tuple[Value, ...]:
    return tuple(Uniform(key) for key in value.keys)


def _values(value: Dicts, _active: Mask) -> tuple[Value, ...]:
    return value.entries


def _items(value: Dicts, active: Mask) -> tuple[Value, ...]:
    pairs = zip(value.keys, value.entries, strict=True)
    return tuple(Lists(active.space, (Uniform(key), entry), None, tuples=True) for key, entry in pairs)


def _get(merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask) -> Result | None:
    value = as_dicts(merger.at(arguments[0], active.space))
    if value is None or not 2 <= len(arguments) <= 3 or keywords or not _may_be_key(arguments[1]):
        return None
    default = arguments[2] if len(arguments) > 2 else Uniform(None)
    return get_entry(merger, value, merger.at(arguments[1], active.space), active, default)


KNOWN: Mapping[str, Known] = {"dict": _make}
"""By name of the function."""

METHODS: Mapping[str, Known] = {
    "keys": _listed(_keys),
    "values": _listed(_values),
    "items": _listed(_items),
    "get": _get,
}
"""Methods of dicts, with the receiver as the first argument."""


def membership(merger: LaneMerger, operator: str, left: Value, right: Value, active: Mask) -> Value | None:
    """`key in value` and `key not in value`."""
    value = as_dicts(merger.at(right, active.space)) if operator in ("in", "not in") else None
    found = None if value is None else contains(merger, value, merger.at(left, active.space), active)
    if found is None:
        return None
    if isinstance(found, bool):
        return Uniform(found is (operator == "in"))
    bits: Bits = found if operator == "in" else ~found
    return Numbers(active.space, bits, Tag.BOOL)
