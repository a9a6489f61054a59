"""Indexing and changing lists, tuples, dicts and arrays on lanes; None where only Python knows how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dplint.readings.lanes.arithmetic import Operand, Result, operand
from dplint.readings.lanes.dicts import get_entry, mapping, set_entry
from dplint.readings.lanes.dicts import update as update_dicts
from dplint.readings.lanes.lane_values import (
    NP_TAGS,
    Arrays,
    Filtered,
    Lists,
    Numbers,
    Ragged,
    SliceOf,
    Tag,
    Uniform,
    Value,
    blend,
)
from dplint.readings.lanes.merging import LaneMerger, as_lists, trimmed
from dplint.readings.lanes.places import chosen, everywhere, filtered, kept, looked_up, met, removed, replaced
from dplint.readings.lanes.searching import METHODS as SEARCHING
from dplint.readings.lanes.sorting import KNOWN as ORDERING
from dplint.readings.lanes.spaces import Bits, Mask, Space

_INDICES = frozenset([Tag.BOOL, Tag.INT, Tag.NP_INT])
"""What a list takes as an index; NumPy's bools it refuses."""
_POSITIONS = 64
"""A position that differs between lanes is looked for among at most so many."""


def subscript(merger: LaneMerger, value: Value, index: Value, active: Mask) -> Result | None:
    """`value[index]`."""
    space = active.space
    value, index = merger.at(value, space), merger.at(index, space)
    if isinstance(index, SliceOf) or (isinstance(index, Uniform) and isinstance(index.value, slice)):
        return _sliced(value, index)
    if (dicts := mapping(value)) is not None:
        return get_entry(merger, dicts, index, active)
    if isinstance(value, Arrays):
        return _of_array(value, index, active)
    if isinstance(value, Ragged):
        return _of_ragged(merger, value, index, active)
    if isinstance(value, Uniform) and isinstance(value.value, np.ndarray):
        return _of_uniform_array(value.value, index, active)
    where = operand(index, active.bits)
    if where is None or where.tag not in _INDICES:
        return None
    if isinstance(value, Uniform) and isinstance(where.data, np.ndarray):
        return _of_table(merger, value.value, where, active)
    lists = as_lists(value, space)
    if lists is None or not lists.items:
        return None
    return _of_lists(merger, lists, where, active)


def _sliced(value: Value, index: Value) -> Result | None:
    cut = _cut(index)
    if cut is None:
        return None
    if isinstance(value, Lists) and value.lengths is None:
        return Result(Lists(value.space, value.items[cut], None, value.tuples))
    if isinstance(value, Arrays):
        return Result(Arrays(value.space, value.data[cut]))
    return None


def _cut(index: Value) -> slice | None:
    """A slice that is the same in all lanes, and such as Python takes."""
    if isinstance(index, Uniform) and isinstance(index.value, slice):
        parts: list[Any] = [index.value.start, index.value.stop, index.value.step]
    elif isinstance(index, SliceOf) and all(part is None or isinstance(part, Uniform) for part in index.parts):
        parts = [part.value if isinstance(part, Uniform) else None for part in index.parts]
    else:
        return None
    if parts[2] == 0 or any(not isinstance(part, int | np.integer | None) for part in parts):
        return None
    return slice(*parts)


def _positions(where: Operand, length: Any, active: Mask) -> tuple[Any, Bits | None]:
    """Positions from the front, and the active lanes in which there is no such position."""
    position = where.data.astype(np.int64, copy=False) if isinstance(where.data, np.ndarray) else int(where.data)
    if isinstance(position, np.ndarray) and position.size and position.min() >= 0 and position.max() < np.min(length):
        return position, None
    position = np.where(np.less(position, 0), position + length, position)
    failed = np.broadcast_to((position < 0) | (position >= length), (active.space.size,))
    if active.bits is not None:
        failed = failed & active.bits
    return position, failed if failed.any() else None


def _of_table(merger: LaneMerger, table: Any, where: Operand, active: Mask) -> Result | None:
    """From a list or tuple that is the same in all lanes."""
    if type(table) not in (list, tuple) or not table:
        return None
    position, failed = _positions(where, len(table), active)
    return Result(looked_up(merger, table, position, active.space), failed, alike=True)


def _of_lists(merger: LaneMerger, lists: Lists, where: Operand, active: Mask) -> Result | None:
    space, count = active.space, len(lists.items)
    length = count if lists.lengths is None else lists.lengths
    if lists.lengths is None and not isinstance(where.data, np.ndarray):
        found = int(where.data)
        if -count <= found < count:
            return Result(merger.at(lists.items[found], space))
        return Result(Uniform(None), everywhere(active), alike=True)
    if count > _POSITIONS:
        return None
    position, failed = _positions(where, length, active)
    return Result(chosen(merger, lists.items, np.broadcast_to(position, (space.size,)), active), failed, alike=True)


def _of_array(value: Arrays, index: Value, active: Mask) -> Result | None:
    length = value.shape[0]
    where = operand(index, active.bits)
    if where is not None and where.tag in (Tag.INT, Tag.NP_INT):
        position, failed = _positions(where, length, active)
        if not isinstance(where.data, np.ndarray):
            return Result(_element(value.data[int(where.data)], active)) if failed is None else _refused(failed)
        safe = np.clip(position, 0, length - 1)
        picked = np.take_along_axis(value.data, _to_axis(safe, value.data.ndim), axis=0)[0]
        return Result(_element(picked, active), failed)
    if isinstance(index, Uniform) and isinstance(index.value, tuple) and _inside(index.value, value.shape):
        return Result(_element(value.data[index.value], active))
    if isinstance(index, Uniform) and _are_inside(index.value, length):
        return Result(Arrays(active.space, value.data[np.array(index.value)]))
    if isinstance(index, Arrays) and index.tag is Tag.NP_BOOL and index.shape == value.shape and len(value.shape) == 1:
        return Result(kept(value.data, index))
    if isinstance(index, Arrays) and index.tag is Tag.NP_INT and len(index.shape) == len(value.shape) == 1:
        inside = (index.data >= -length) & (index.data < length)
        if inside.all():
            return Result(Arrays(active.space, np.take_along_axis(value.data, index.data % length, axis=0)))
    return None


def _of_ragged(merger: LaneMerger, value: Ragged, index: Value, active: Mask) -> Result | None:
    where = operand(index, active.bits)
    if where is None or where.tag not in (Tag.INT, Tag.NP_INT) or not len(value.data):
        return None
    position, failed = _positions(where, value.counts, active)
    items = [Numbers(value.space, row, value.tag) for row in value.data]
    return Result(chosen(merger, items, position, active), failed)


def _inside(index: tuple[Any, ...], shape: tuple[int, ...]) -> bool:
    return len(index) == len(shape) and all(
        type(one) is int and -size <= one < size for one, size in zip(index, shape, strict=True)
    )


def _are_inside(index: Any, length: int) -> bool:
    """Whether it is a list of positions."""
    return (
        isinstance(index, list) and bool(index) and all(type(one) is int and -length <= one < length for one in index)
    )


def _refused(failed: Bits) -> Result:
    return Result(Uniform(None), failed)


def _to_axis(position: Any, dimensions: int) -> Any:
    return position.reshape((1,) * (dimensions - 1) + position.shape)


def _element(data: Any, active: Mask) -> Value:
    if data.ndim == 1:
        return Numbers(active.space, data, NP_TAGS[data.dtype.kind])
    return Arrays(active.space, data)


def _of_uniform_array(value: Any, index: Value, active: Mask) -> Result | None:
    where = operand(index, active.bits)
    if value.dtype.kind not in NP_TAGS or not value.ndim:
        return None
    if isinstance(index, Arrays) and index.tag is Tag.NP_BOOL and index.shape == value.shape:
        return Result(kept(np.repeat(value[:, np.newaxis], active.space.size, axis=1), index))
    if isinstance(index, Arrays) and index.tag is Tag.NP_INT and value.ndim == 1:
        inside = (index.data >= -len(value)) & (index.data < len(value))
        return Result(Arrays(active.space, value[index.data])) if inside.all() else None
    if where is None or where.tag not in (Tag.INT, Tag.NP_INT) or value.dtype.itemsize not in (1, 8):
        return None
    position, failed = _positions(where, len(value), active)
    if not len(value):
        return _refused(everywhere(active))
    picked = value[np.clip(position, 0, len(value) - 1)]
    return Result(_element(np.ascontiguousarray(np.moveaxis(picked, 0, -1)), active), failed)


def set_item(merger: LaneMerger, value: Value, index: Value, item: Value, active: Mask) -> Result | None:
    """What the container becomes in the active lanes' space after `value[index] = item`."""
    space = active.space
    value, index = merger.at(value, space), merger.at(index, space)
    if _cut(index) == slice(None):
        new = _whole(value, merger, item, space)
        return None if new is None else Result(merger.merge(space, active.bits, new, value))
    if (dicts := mapping(value)) is not None:
        return set_entry(merger, dicts, index, item, active)
    if isinstance(value, Uniform) and isinstance(value.value, np.ndarray):
        spread = value.value
        if spread.ndim != 1 or spread.dtype not in (np.float64, np.int64, np.bool_):
            return None
        value = Arrays(space, np.repeat(spread[:, np.newaxis], space.size, axis=1))
    if isinstance(value, Arrays):
        return _set_element(merger, value, index, item, active)
    lists = as_lists(value, space)
    where = operand(index, active.bits)
    if lists is None or lists.tuples or where is None or where.tag not in _INDICES or len(lists.items) > _POSITIONS:
        return None
    position, failed = _positions(where, len(lists.items) if lists.lengths is None else lists.lengths, active)
    items = replaced(merger, lists.items, position, item, active)
    return Result(Lists(space, items, lists.lengths, tuples=False), failed, alike=True)


def _whole(value: Value, merger: LaneMerger, item: Value, space: Space) -> Value | None:
    """What a list becomes by `value[:] = item`, or an array of numbers by a list of as many."""
    given = as_lists(merger.at(item, space), space)
    if given is None or (isinstance(value, Uniform) and isinstance(value.value, np.ndarray)):
        return None
    if isinstance(value, Arrays):
        numbers = [operand(merger.at(one, space), None) for one in given.items]
        known = [np.asarray(one.data) for one in numbers if one is not None]
        if given.lengths is not None or not len(known) == len(numbers) == len(value.data) or len(value.shape) != 1:
            return None
        if any(one.dtype != value.data.dtype for one in known):
            return None
        return Arrays(space, np.array([np.broadcast_to(one, space.size) for one in known]))
    lists = as_lists(value, space)
    if lists is None or lists.tuples:
        return None
    return Lists(space, given.items, given.lengths, tuples=False)


def _set_element(merger: LaneMerger, value: Arrays, index: Value, item: Value, active: Mask) -> Result | None:
    where, new = operand(index, active.bits), operand(merger.at(item, active.space), None)
    if isinstance(index, Arrays) and index.tag is Tag.NP_BOOL and new is not None:
        return _set_masked(value, index, new, active)
    if where is None or where.tag not in (Tag.INT, Tag.NP_INT) or new is None or len(value.shape) != 1:
        return None
    given = np.asarray(new.data)
    if given.dtype.kind == "f" and value.data.dtype.kind != "f":
        return None
    position, failed = _positions(where, value.shape[0], active)
    data = value.data.copy()
    for p in np.unique(position).tolist():
        if 0 <= p < len(data):
            bits = met(active.bits, position == p if np.ndim(position) else None)
            np.copyto(data[p], given.astype(data.dtype), where=True if bits is None else bits)
    return Result(Arrays(active.space, data), failed)


def _set_masked(value: Arrays, where: Arrays, new: Operand, active: Mask) -> Result | None:
    """`x[x < 0] = 0` of an array of one dimension."""
    given = np.asarray(new.data)
    if where.shape != value.shape or len(value.shape) != 1:
        return None
    if given.dtype.kind == "f" and value.data.dtype.kind != "f":
        return None
    bits = where.data if active.bits is None else where.data & active.bits
    return Result(Arrays(active.space, blend(bits, given.astype(value.data.dtype), value.data)))


def append(merger: LaneMerger, value: Lists, item: Value, active: Mask) -> Lists:
    """The lists, at the active lanes' space, with one more item in the active lanes."""
    space, bits = active.space, active.bits
    is_filtered = isinstance(value, Filtered)
    if not is_filtered and value.counts is None and value.last is None:
        # In other lanes the new position does not exist, so what it holds there is of no account.
        return Lists(space, (*value.items, item), None, tuples=False, last=bits)
    if not is_filtered and value.last is not None and bits is not None and not (value.last & bits).any():
        # The two sides of an `if`: together they may well have it all.
        last = value.last | bits
        merged = _over(merger, space, bits, item, value.items[-1])
        return Lists(space, (*value.items[:-1], merged), None, tuples=False, last=None if last.all() else last)
    if is_filtered or value.counts is None:
        found = _filtered(merger, value, item, active)
        if found is not None:
            return found
    lengths = value.lengths
    assert lengths is not None
    where = lengths if bits is None else lengths[bits]
    items = list(value.items)
    for p in range(int(where.min()), int(where.max()) + 1):
        if p == len(items):
            items.append(item)
        else:
            items[p] = _over(merger, space, met(bits, lengths == p), item, items[p])
    longer = lengths + 1 if bits is None else lengths + bits
    return trimmed(Lists(space, tuple(items), longer.astype(np.int32, copy=False), tuples=False))


def _filtered(merger: LaneMerger, value: Lists, item: Value, active: Mask) -> Lists | None:
    """The lists with one more part; None where they have many."""
    if isinstance(value, Filtered):
        parts, there = value.parts, value.there
    else:
        parts, there = value.items, (*(None for _ in value.items[1:]), value.last)
    if len(parts) >= _POSITIONS:
        return None
    before, bits = there[-1], active.bits
    if before is not None and bits is not None and (before ^ bits).all():
        # The two sides of an `if`.
        merged = _over(merger, active.space, bits, item, parts[-1])
        return filtered(merger, active.space, (*parts[:-1], merged), (*there[:-1], None))
    return filtered(merger, active.space, (*parts, item), (*there, bits))


def _over(merger: LaneMerger, space: Space, bits: Bits | None, new: Value, old: Value) -> Value:
    return merger.merge(space, bits, merger.at(new, space), merger.at(old, space))


def update(merger: LaneMerger, value: Value, method: str, arguments: Sequence[Value], active: Mask) -> Result | None:
    """The container in the active lanes' space after a method that changes it; `+=` of a list is `extend`."""
    space = active.space
    if (dicts := mapping(merger.at(value, space))) is not None:
        return update_dicts(merger, dicts, method, arguments, active)
    value, arguments = merger.at(value, space), [merger.at(argument, space) for argument in arguments]
    if method in ("pop", "remove") and all(isinstance(one, Uniform) for one in (value, *arguments)):
        return None  # Python's result is the same in all lanes, too
    lists = as_lists(value, space)
    if lists is None or lists.tuples:
        return None
    if method == "pop" and len(arguments) <= 1:
        return _popped(merger, lists, arguments[0] if arguments else Uniform(-1), active)
    if method == "remove" and len(arguments) == 1:
        return _without(merger, lists, arguments[0], active)
    return _update_lists(merger, lists, method, arguments, active)


def _update_lists(
    merger: LaneMerger, lists: Lists, method: str, arguments: Sequence[Value], active: Mask
) -> Result | None:
    space = active.space
    if method == "append" and len(arguments) == 1:
        return Result(append(merger, lists, arguments[0], active))
    if method == "extend" and len(arguments) == 1:
        more = as_lists(merger.at(arguments[0], space), space)
        if more is None or more.lengths is not None:
            return None
        for item in more.items:
            lists = append(merger, lists, item, active)
        return Result(lists)
    if active.bits is not None or lists.lengths is not None:
        return None
    if method == "reverse" and not arguments:
        return Result(Lists(space, lists.items[::-1], None, tuples=False))
    if method == "sort" and not arguments:
        return ORDERING["sorted"](merger, (lists,), {}, active)
    if method == "clear" and not arguments:
        return Result(Lists(space, (), None, tuples=False))
    if method == "insert" and isinstance(arguments[0], Uniform) and type(arguments[0].value) is int:
        items = list(lists.items)
        items.insert(arguments[0].value, arguments[1])
        return Result(Lists(space, tuple(items), None, tuples=False))
    return None


def _popped(merger: LaneMerger, lists: Lists, index: Value, active: Mask) -> Result | None:
    """`del xs[i]`, and `xs.pop(i)` whose item has been taken before."""
    where = operand(merger.at(index, active.space), active.bits)
    if where is None or where.tag not in _INDICES or not 0 < len(lists.items) <= _POSITIONS:
        return None
    position, failed = _positions(where, len(lists.items) if lists.lengths is None else lists.lengths, active)
    return Result(removed(merger, lists, position, active), failed)


def _without(merger: LaneMerger, lists: Lists, item: Value, active: Mask) -> Result | None:
    """`xs.remove(item)`: the first that is equal."""
    found = SEARCHING["index"](merger, (lists, item), {}, active) if lists.items else None
    if found is None or not isinstance(found.value, Numbers):
        return None
    return Result(removed(merger, lists, found.value.data, active), found.failed)


def joined(merger: LaneMerger, left: Value, right: Value, active: Mask) -> Result | None:
    """`left + right` of two lists or two tuples."""
    space = active.space
    a, b = as_lists(merger.at(left, space), space), as_lists(merger.at(right, space), space)
    if a is None or b is None or a.tuples is not b.tuples or a.lengths is not None or b.lengths is not None:
        return None
    return Result(Lists(space, (*a.items, *b.items), None, a.tuples))


def repeated(merger: LaneMerger, left: Value, right: Value, active: Mask) -> Result | None:
    """`[x] * n`."""
    lists = as_lists(merger.at(left, active.space), active.space)
    if lists is None or lists.lengths is not None or not isinstance(right, Uniform) or type(right.value) is not int:
        return None
    return Result(Lists(active.space, lists.items * right.value, None, lists.tuples))
