"""Lanes that hold the same operands: Python is asked once for each different combination, not once for each lane."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.lane_values import (
    Array,
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
    Uniform,
    Value,
)
from dplint.readings.lanes.objects import BringsValues, presence
from dplint.readings.lanes.spaces import Rows, Space

_FEWEST = 512
"""Fewer lanes are not worth a look."""
_PROBE = 128
"""So many lanes are looked at first."""
_MOST_IN_PROBE = 48
_MOST_SHARE = 0.1
"""More combinations than this share of the lanes are not worth the sorting."""
_MOST_COLUMNS = 64
_ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Combinations:
    """representatives: of each combination, the position of a lane among those asked for. numbers: by lane, that of its
    combination.
    """

    representatives: NDArray[np.intp]
    numbers: NDArray[np.intp]


def combinations(
    operands: Sequence[Value], space: Space, rows: Rows | None, merger: BringsValues
) -> Combinations | None:
    """The different combinations of the operands in the rows (None: all lanes); None if they are many, or not seen.

    Two lanes have one combination only if the operands' bits are equal: 0.0 is not -0.0, and True is not 1.
    """
    count = space.size if rows is None else len(rows)
    if count < _FEWEST:
        return None
    columns = [column for operand in operands for column in _columns(operand, space, merger)]
    if not columns or len(columns) > _MOST_COLUMNS or any(column is None for column in columns):
        return None
    words = [_words(column if rows is None else column[rows]) for column in columns if column is not None]
    probe = slice(None, None, max(count // _PROBE, 1))
    if len(np.unique(_mixed([one[probe] for one in words]))) > _MOST_IN_PROBE:
        return None
    _, first, numbers = np.unique(_mixed(words), return_index=True, return_inverse=True)
    if len(first) > _MOST_SHARE * count:
        return None
    # Two combinations may have one hash.
    alike = all(np.array_equal(one[first][numbers], one) for one in words)
    return Combinations(first, numbers.reshape(-1)) if alike else None


def _columns(value: Value, space: Space, merger: BringsValues) -> Iterator[Array | None]:
    """Arrays of shape (lanes,) that together tell what each lane has; None where that is not to be had."""
    value = merger.at(value, space)
    if isinstance(value, Lists):
        yield from _of_lists(value, space, merger)
        return
    if isinstance(value, Ragged):
        yield value.counts
        yield from (np.where(value.counts > place, row, row.dtype.type(0)) for place, row in enumerate(value.data))
        return
    if isinstance(value, Dicts) and value.there is not None:
        yield from _of_some_entries(value, space, merger)
        return
    own, inner = _parts(value, space)
    yield from own
    for one in inner:
        yield from _columns(one, space, merger)


def _parts(value: Value, space: Space) -> tuple[Iterable[Array | None], Sequence[Value]]:
    """The arrays of a value that is no list, and the values in it."""
    match value:
        case Uniform():
            return (), ()
        case Numbers():
            return (value.data,), ()
        case Mixed():
            return (value.tags, value.payload), ()
        case Arrays():
            return value.data.reshape(-1, space.size), ()
        case Dicts():
            return (), value.entries
        case Keyed():
            return (), (value.keys, value.entries)
        case Objects():
            return (_identities(value.data),), ()
        case SetOf():
            return (), (value.items,)
        case SliceOf():
            return (), [part for part in value.parts if part is not None]
    return (None,), ()


def _identities(objects: NDArray[np.object_]) -> NDArray[np.int64] | None:
    """Numbers of objects that many lanes share, since they had one operand when Python was asked for them."""
    probe = objects[:: max(len(objects) // _PROBE, 1)]
    if len(set(map(id, probe))) > _MOST_IN_PROBE:
        return None
    return np.fromiter(map(id, objects), np.int64, len(objects))


def _of_lists(value: Lists, space: Space, merger: BringsValues) -> Iterator[Array | None]:
    lengths = value.lengths
    if lengths is not None:
        yield lengths
    for position, item in enumerate(value.items):
        for column in _columns(item, space, merger):
            if lengths is None or column is None:
                yield column
            else:
                # What lies behind the end of a list is arbitrary.
                yield np.where(lengths > position, column, column.dtype.type(0))


def _of_some_entries(value: Dicts, space: Space, merger: BringsValues) -> Iterator[Array | None]:
    for place, entry in enumerate(value.entries):
        has = presence(value, place, space, merger)
        if has is not None:
            yield has
        for column in _columns(entry, space, merger):
            # What a lane does not have is arbitrary.
            yield column if has is None or column is None else np.where(has, column, column.dtype.type(0))


def _words(column: Array) -> NDArray[np.uint64]:
    """The bits of the entries."""
    if column.dtype.itemsize == 8:
        return np.ascontiguousarray(column).view(np.uint64)
    return column.astype(np.uint64)


def _mixed(words: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """A hash of each lane's words."""
    found = words[0].copy()
    for word in words[1:]:
        found *= _ODD
        found ^= found >> np.uint64(29)
        found += word
    return found


def spread_out(value: Value, numbers: NDArray[np.intp], space: Space, rows: Rows | None) -> Value:
    """A value that holds for combinations, for the lanes that have them: the rows (None: all) of a space."""

    def placed(data: Array) -> Array:
        taken = data.take(numbers, axis=-1)
        if rows is None:
            return taken
        wide = np.zeros((*data.shape[:-1], space.size), data.dtype)
        wide[..., rows] = taken
        return wide

    def each(values: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(spread_out(one, numbers, space, rows) for one in values)

    match value:
        case Numbers():
            return Numbers(space, placed(value.data), value.tag, value.bound)
        case Mixed():
            return Mixed(space, placed(value.tags), placed(value.payload))
        case Ragged():
            return Ragged(space, placed(value.data), placed(value.counts))
        case Arrays() | Objects():
            return replace(value, space=space, data=placed(value.data), views={})
        case Lists():
            counts = None if value.lengths is None else placed(value.lengths)
            return Lists(space, each(value.items), counts, value.tuples)
        case Dicts() | Keyed() | SetOf():
            return _spread_dicts(value, each)
    return value


def _spread_dicts(value: Dicts | Keyed | SetOf, each: Callable[[Sequence[Value]], tuple[Value, ...]]) -> Value:
    if isinstance(value, SetOf):
        return SetOf(each([value.items])[0], value.frozen)
    if isinstance(value, Dicts):
        there = None if value.there is None else each(value.there)
        return Dicts(value.keys, each(value.entries), value.record, there)
    keys, entries = each((value.keys, value.entries))
    assert isinstance(keys, Lists)
    assert isinstance(entries, Lists)
    return Keyed(keys, entries)
