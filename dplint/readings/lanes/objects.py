"""Between values and Python objects, one for each lane: the slow way that knows everything."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dplint.program.meaning import record
from dplint.readings.lanes.keys import all_alike, common_order
from dplint.readings.lanes.lane_values import (
    DTYPES,
    EXACT,
    FITS,
    INTEGERS,
    NP_TAGS,
    NUMBERS,
    NUMPY,
    TAGS,
    Arrays,
    Dicts,
    Keyed,
    Lists,
    Mixed,
    Numbers,
    Objects,
    Ragged,
    SetOf,
    SliceOf,
    Tag,
    Uniform,
    Value,
    names_a_key,
)
from dplint.readings.lanes.spaces import Rows, Space
from dplint.runner.texts import TextNumbers

_LONGEST = 64
"""Longer lists stay objects: a position of a list costs more than the list's share of the time."""
_DIMENSIONS = 2
_MOST_ORDERS = 256
"""Of the keys of dicts, that are looked at together."""


class BringsValues(Protocol):
    """What `explode` needs of the merger."""

    texts: TextNumbers

    def at(self, value: Value, space: Space) -> Value:
        """The value for the lanes of a space."""
        ...


def explode(value: Value, space: Space, rows: Rows | None, merger: BringsValues) -> list[Any]:
    """The value, which is at `space`, as one Python object for each of the rows (None: all lanes)."""
    count = space.size if rows is None else len(rows)
    match value:
        case Uniform():
            return [value.value] * count
        case Numbers():
            data = value.data if rows is None else value.data[rows]
            return list(data) if value.tag in NUMPY else data.tolist()
        case Mixed():
            return _scalars(value, rows, merger.texts.texts)
        case Lists():
            return _lists(value, space, rows, merger)
        case Arrays():
            chosen = value.data if rows is None else value.data[..., rows]
            return list(np.ascontiguousarray(np.moveaxis(chosen, -1, 0)))
        case Ragged():
            counts = (value.counts if rows is None else value.counts[rows]).tolist()
            lanes = np.ascontiguousarray((value.data if rows is None else value.data[:, rows]).T)
            return [lane[:length] for lane, length in zip(lanes, counts, strict=True)]
        case Objects():
            return list(value.data if rows is None else value.data[rows])
        case Dicts() | Keyed():
            return _dicts(value, space, rows, merger)
        case SetOf() | SliceOf():
            return _of_parts(value, space, rows, merger)
    raise TypeError(f"not at a space: {value!r}")


def _of_parts(value: SetOf | SliceOf, space: Space, rows: Rows | None, merger: BringsValues) -> list[Any]:
    if isinstance(value, SetOf):
        lists = explode(merger.at(value.items, space), space, rows, merger)
        return list(map(frozenset if value.frozen else set, lists))
    count = space.size if rows is None else len(rows)
    parts = [
        [None] * count if part is None else explode(merger.at(part, space), space, rows, merger) for part in value.parts
    ]
    return [slice(*lane) for lane in _across(parts, count)]


def presence(value: Dicts, place: int, space: Space, merger: BringsValues) -> NDArray[np.bool_] | None:
    """The lanes of a space that have the key at a place; None for all."""
    there = None if value.there is None else merger.at(value.there[place], space)
    if isinstance(there, Numbers):
        return there.data
    return None if there is None or (isinstance(there, Uniform) and there.value) else np.zeros(space.size, np.bool_)


def _dicts(value: Dicts | Keyed, space: Space, rows: Rows | None, merger: BringsValues) -> list[Any]:
    if isinstance(value, Keyed):
        sides = [explode(merger.at(one, space), space, rows, merger) for one in (value.keys, value.entries)]
        return [dict(zip(*lane, strict=True)) for lane in zip(*sides, strict=True)]
    count = space.size if rows is None else len(rows)
    columns, has = (
        _across([explode(merger.at(one, space), space, rows, merger) for one in parts], count)
        for parts in (value.entries, value.there or ())
    )
    if value.there is not None:
        lanes = zip(columns, has, strict=True)
        return [{key: one for key, one, held in zip(value.keys, *lane, strict=True) if held} for lane in lanes]
    found = [dict(zip(value.keys, lane, strict=True)) for lane in columns]
    return found if value.record is None else [record(value.record, value.keys, lane) for lane in found]


def _across(columns: list[list[Any]], count: int) -> list[tuple[Any, ...]]:
    return list(zip(*columns, strict=True)) if columns else [()] * count


def _scalars(value: Mixed, rows: Rows | None, texts: list[str]) -> list[Any]:
    tags = (value.tags if rows is None else value.tags[rows]).tolist()
    payload = (value.payload if rows is None else value.payload[rows]).tolist()
    return [scalar_of(tag, number, texts) for tag, number in zip(tags, payload, strict=True)]


def scalar_of(tag: int, payload: float, texts: list[str]) -> Any:
    """The Python object of a tag and a payload, as in `Mixed`."""
    match tag:
        case Tag.FLOAT:
            return payload
        case Tag.BOOL:
            return bool(payload)
        case Tag.INT:
            return int(payload)
        case Tag.NONE:
            return None
        case Tag.TEXT:
            return texts[int(payload)]
    return DTYPES[Tag(tag)](payload)


def _lists(value: Lists, space: Space, rows: Rows | None, merger: BringsValues) -> list[Any]:
    count = space.size if rows is None else len(rows)
    columns = [explode(merger.at(item, space), space, rows, merger) for item in value.items]
    lanes = _across(columns, count)
    kind = tuple if value.tuples else list
    if value.lengths is None:
        return [kind(lane) for lane in lanes]
    lengths = (value.lengths if rows is None else value.lengths[rows]).tolist()
    return [kind(lane[:length]) for lane, length in zip(lanes, lengths, strict=True)]


def implode(objects: list[Any], space: Space, rows: Rows | None, texts: TextNumbers) -> Value:
    """A value with these objects in the rows (None: all lanes) of a space. NumPy arrays and lists are not copied."""
    if not objects:
        return Uniform(None)
    kinds = set(map(type, objects))
    if kinds <= TAGS.keys() and (int not in kinds or _fit(objects, kinds)):
        return _imploded_scalars(objects, {TAGS[kind] for kind in kinds}, space, rows, texts)
    if len(kinds) == 1:
        kind = kinds.pop()
        found: Value | None = None
        if kind in (list, tuple):
            found = _imploded_lists(objects, kind is tuple, space, rows, texts)
        elif kind is np.ndarray:
            found = _imploded_arrays(objects, space, rows)
        elif kind is dict:
            found = _imploded_dicts(objects, space, rows, texts)
        if found is not None:
            return found
    data: NDArray[np.object_] = np.empty(space.size, np.object_)
    for row, item in zip(range(space.size) if rows is None else rows.tolist(), objects, strict=True):
        data[row] = item
    return Objects(space, data)


def _placed(values: NDArray[Any], space: Space, rows: Rows | None) -> NDArray[Any]:
    if rows is None:
        return values
    wide = np.zeros((*values.shape[:-1], space.size), values.dtype)
    wide[..., rows] = values
    return wide


def _fit(objects: list[Any], kinds: set[type]) -> bool:
    """Whether arrays would hold all integers among the objects exactly."""
    integers = objects if len(kinds) == 1 else [item for item in objects if type(item) is int]
    return min(integers) >= -FITS and max(integers) <= FITS


def _imploded_scalars(objects: list[Any], tags: set[Tag], space: Space, rows: Rows | None, texts: TextNumbers) -> Value:
    if tags == {Tag.NONE}:
        return Uniform(None)
    if len(tags) == 1 and tags <= NUMBERS:
        tag = tags.pop()
        numbers: NDArray[Any] = np.array(objects, DTYPES[tag])
        bound = max(map(abs, objects)) if tag is Tag.INT else 1
        return Numbers(space, _placed(numbers, space, rows), tag, bound)
    if tags & INTEGERS and any(not -EXACT <= item <= EXACT for item in objects if TAGS[type(item)] in INTEGERS):
        held: NDArray[np.object_] = np.empty(space.size, np.object_)
        held[slice(None) if rows is None else rows] = objects
        return Objects(space, held)
    found = np.array([TAGS[type(item)] for item in objects], np.uint8)
    payload = [texts.number(item) if isinstance(item, str) else 0.0 if item is None else item for item in objects]
    return Mixed(space, _placed(found, space, rows), _placed(np.array(payload, np.float64), space, rows))


def _imploded_lists(
    objects: list[Any], tuples: bool, space: Space, rows: Rows | None, texts: TextNumbers
) -> Lists | None:
    counts = [len(item) for item in objects]
    longest, shortest = max(counts), min(counts)
    if longest > _LONGEST:
        return None
    items: list[Value] = []
    where = np.arange(space.size) if rows is None else rows
    for position in range(longest):
        has = [lane for lane, count in enumerate(counts) if count > position]
        among = where[has] if len(has) < len(objects) else rows
        items.append(implode([objects[lane][position] for lane in has], space, among, texts))
    lengths = None if longest == shortest else _placed(np.array(counts, np.int32), space, rows)
    return Lists(space, tuple(items), lengths, tuples)


def _imploded_arrays(objects: list[Any], space: Space, rows: Rows | None) -> Arrays | Ragged | None:
    first = objects[0]
    if first.dtype.kind not in NP_TAGS or first.dtype.itemsize != DTYPES_SIZE[first.dtype.kind]:
        return None
    if any(item.dtype != first.dtype or item.ndim != first.ndim for item in objects):
        return None
    if not 1 <= first.ndim <= _DIMENSIONS:
        return None
    if first.ndim > 1 and not all(item.flags.c_contiguous for item in objects):
        return None  # NumPy adds up in the order of the memory, which `Arrays` do not remember
    if any(item.shape != first.shape for item in objects):
        return _imploded_ragged(objects, space, rows) if first.ndim == 1 else None
    stacked = np.ascontiguousarray(np.moveaxis(np.stack(objects), 0, -1))
    return Arrays(space, _placed(stacked, space, rows))


def _imploded_ragged(objects: list[Any], space: Space, rows: Rows | None) -> Ragged | None:
    counts = np.array([len(item) for item in objects], np.int32)
    longest = int(counts.max())
    if longest > _LONGEST:
        return None
    held = np.zeros((len(objects), longest), objects[0].dtype)
    held[np.arange(longest) < counts[:, np.newaxis]] = np.concatenate(objects)
    return Ragged(space, _placed(np.ascontiguousarray(held.T), space, rows), _placed(counts, space, rows))


DTYPES_SIZE = {"b": 1, "i": 8, "f": 8}


def _imploded_dicts(objects: list[Any], space: Space, rows: Rows | None, texts: TextNumbers) -> Dicts | Keyed | None:
    keys = _keys_of_all(objects)
    if keys is None or len(keys) > _LONGEST:
        if not all(names_a_key(key) for item in objects for key in item):
            return None
        first = _imploded_lists([list(item) for item in objects], False, space, rows, texts)
        second = _imploded_lists([list(item.values()) for item in objects], False, space, rows, texts)
        return None if first is None or second is None else Keyed(first, second)
    entries: list[Value] = []
    there: list[Value] = []
    where = np.arange(space.size) if rows is None else rows
    for key in keys:
        has = [lane for lane, item in enumerate(objects) if key in item]
        everywhere = len(has) == len(objects)
        among = rows if everywhere else where[has]
        entries.append(implode([objects[lane][key] for lane in has], space, among, texts))
        bits = np.zeros(space.size, np.bool_)
        bits[where[has]] = True
        there.append(Uniform(True) if everywhere else Numbers(space, bits, Tag.BOOL))
    partial = any(isinstance(one, Numbers) for one in there)
    return Dicts(keys, tuple(entries), None, tuple(there) if partial else None)


def _keys_of_all(objects: list[Any]) -> tuple[Any, ...] | None:
    """The keys of all dicts in an order that each of them has; None if there is none, or if they are too many."""
    orders = list(dict.fromkeys(map(tuple, objects)))
    if len(orders) > _MOST_ORDERS:
        return None
    kinds = {type(key) for item in objects for key in item}
    # Of these types, keys that are equal are alike.
    if not kinds <= {str, int, type(None)}:
        known = {order: order for order in orders}
        if not all(all_alike(known[order], order) for order in map(tuple, objects)):
            return None
    return orders[0] if len(orders) == 1 else common_order(orders)
