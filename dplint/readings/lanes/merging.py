"""Bringing values from one space to another, and merging two into one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.keys import all_alike, common_order
from dplint.readings.lanes.lane_values import (
    DTYPES,
    EXACT,
    INTEGERS,
    NUMBERS,
    TRUTHS,
    Arrays,
    Dicts,
    Filtered,
    Keyed,
    Lists,
    Mixed,
    Numbers,
    Objects,
    Patched,
    Ragged,
    SetOf,
    SliceOf,
    Tag,
    Uniform,
    Value,
    blend,
    bring,
    names_a_key,
    same,
    tag_of,
)
from dplint.readings.lanes.objects import explode, implode, presence
from dplint.readings.lanes.spaces import Bits, Mask, MaskAlgebra, Space
from dplint.runner.texts import TextNumbers

_EVERYWHERE = frozenset([Uniform, Dicts, Keyed, SetOf, SliceOf])
"""Values that belong to no space."""
_DIMENSIONS = 2
"""Of the data of arrays of one dimension."""
_TRUE, _FALSE = Uniform(True), Uniform(False)
_NOTHING = Uniform(None), _FALSE
_SHORT = 64
"""Items of a list or dict that is taken apart to be merged with another one."""


class LaneMerger(MaskAlgebra):
    """The lanes of one block and what can be done with values of any kind."""

    def __init__(self, lanes: int, texts: TextNumbers) -> None:
        super().__init__(lanes)
        self.texts = texts

    # one value in another space

    def at(self, value: Value, space: Space) -> Value:
        """The value for the lanes of a space; never a `Patched`."""
        # Asked for some dozen times in each step of a program: by the type, which is faster than `isinstance`.
        kind = type(value)
        if kind in _EVERYWHERE:
            return value
        if value.space is space and kind is not Patched:  # type: ignore[union-attr]
            return value
        found = value.views.get(space)  # type: ignore[union-attr]
        if found is None:
            found = value.views[space] = self._brought(value, space)  # type: ignore[union-attr, arg-type]
        return found

    def _brought(self, value: Numbers | Mixed | Lists | Arrays | Ragged | Objects | Patched, space: Space) -> Value:
        above = value.views.get(space.parent) if space.parent is not None else None
        if isinstance(above, Numbers | Mixed | Lists | Arrays | Ragged | Objects) and above.space is space.parent:
            # One step down from where it was looked at last.
            value = above
        home = value.space
        match value:
            case Numbers():
                return Numbers(space, bring(value.data, home, space), value.tag, value.bound)
            case Arrays():
                return Arrays(space, bring(value.data, home, space))
            case Ragged():
                return evened(Ragged(space, bring(value.data, home, space), bring(value.counts, home, space)))
            case Mixed():
                return unmixed(Mixed(space, bring(value.tags, home, space), bring(value.payload, home, space)))
            case Objects():
                return Objects(space, bring(value.data, home, space))
            case Lists():
                return _brought_lists(value, space)
            case Patched():
                if space.lies_in(home):
                    return self.at(value.new, space)
                bits = Mask(home, None).within(space)
                return self.merge(space, bits, self.at(value.new, space), self.at(value.old, space))

    # two values

    def select(self, mask: Mask, new: Value, old: Value) -> Value:
        """`new` in the lanes of the mask, `old` in the others."""
        if mask is self.everywhere() or new is old:
            return new
        if mask is self.nowhere():
            return old
        if isinstance(new, Uniform) and isinstance(old, Uniform) and same(new.value, old.value):
            return new
        if mask.outside:
            return self.select(self.negate(mask), old, new)
        space = mask.space
        if mask.bits is not None:
            new = self.merge(space, mask.bits, self.at(new, space), self.at(old, space))
        if space is self.root:
            return new
        while isinstance(old, Patched) and old.space.lies_in(space):
            old = old.old
        return Patched(space, new, old)

    def merge(self, space: Space, bits: Bits | None, new: Value, old: Value) -> Value:
        """Both at `space`: new where the bits are set, old elsewhere."""
        if bits is None or new is old:
            return new
        new, old = self.at(new, space), self.at(old, space)
        if isinstance(new, Uniform) and isinstance(old, Uniform) and same(new.value, old.value):
            return new
        merged = self._merged(space, bits, new, old)
        return self._merged_objects(space, bits, new, old) if merged is None else merged

    def _merged(self, space: Space, bits: Bits, new: Value, old: Value) -> Value | None:
        """Two values of the same kind; None if they are not."""
        first = plain(new)
        second = None if first is None else plain(old)
        if first is not None and second is not None and first[1] is second[1]:
            data = merged_data(bits, first[0], second[0], first[1])
            return Numbers(space, data, first[1], max(first[2], second[2]))
        if any(isinstance(one, Lists) or _is_short(one, list, tuple) for one in (new, old)):
            return self._merged_lists(space, bits, new, old)
        if any(isinstance(one, Dicts | Keyed) or _is_short(one, dict) for one in (new, old)):
            found = self._merged_dicts(space, bits, as_dicts(new), as_dicts(old))
            return self._merged_keyed(space, bits, new, old) if found is None else found
        if isinstance(new, SetOf) and isinstance(old, SetOf) and new.frozen == old.frozen:
            return SetOf(self.merge(space, bits, new.items, old.items), new.frozen)
        if isinstance(new, Arrays | Ragged) and isinstance(old, Arrays | Ragged):
            return _merged_arrays(space, bits, new, old)
        left, right = self.mixed(new, space), self.mixed(old, space)
        if left is None or right is None:
            return None
        return Mixed(space, blend(bits, left.tags, right.tags), blend(bits, left.payload, right.payload))

    def _each(self, space: Space, bits: Bits, new: tuple[Value, ...], old: tuple[Value, ...]) -> tuple[Value, ...]:
        return tuple(
            a if a is b else self.merge(space, bits, self.at(a, space), self.at(b, space))
            for a, b in zip(new, old, strict=True)
        )

    def _merged_lists(self, space: Space, bits: Bits, new: Value, old: Value) -> Lists | None:
        a, b = as_lists(new, space), as_lists(old, space)
        if a is None or b is None or a.tuples is not b.tuples:
            return None
        common = min(len(a.items), len(b.items))
        items = self._each(space, bits, a.items[:common], b.items[:common])
        rest = a.items[common:] or b.items[common:]
        lengths: NDArray[np.int32] | None = None
        if a.lengths is not None or b.lengths is not None or rest:
            first = len(a.items) if a.lengths is None else a.lengths
            second = len(b.items) if b.lengths is None else b.lengths
            lengths = blend(bits, np.asarray(first, np.int32), np.asarray(second, np.int32))
        return trimmed(Lists(space, (*items, *rest), lengths, a.tuples))

    def _merged_dicts(self, space: Space, bits: Bits, new: Dicts | None, old: Dicts | None) -> Dicts | None:
        """Dicts whose keys stand in an order that both sides have; records of one class."""
        if new is None or old is None or new.record != old.record:
            return None
        if new.there is None and old.there is None and all_alike(new.keys, old.keys):
            return Dicts(new.keys, self._each(space, bits, new.entries, old.entries), new.record)
        keys = common_order([new.keys, old.keys]) if new.record is None else None
        if keys is None or len(keys) > _SHORT:
            return None
        sides = [dict(zip(one.keys, zip(one.entries, there_of(one), strict=True), strict=True)) for one in (new, old)]
        entries, there = [], []
        for key in keys:
            (one, one_there), (other, other_there) = (
                side.get(key, (sides[1 - number].get(key, _NOTHING)[0], _FALSE)) for number, side in enumerate(sides)
            )
            entries.append(self.merge(space, bits, one, other))
            there.append(self.merge(space, bits, one_there, other_there))
        return known_keys(Dicts(keys, tuple(entries), None, tuple(there)))

    def _merged_keyed(self, space: Space, bits: Bits, new: Value, old: Value) -> Keyed | None:
        a, b = self.as_keyed(new, space), self.as_keyed(old, space)
        if a is None or b is None:
            return None
        keys = self._merged_lists(space, bits, self.at(a.keys, space), self.at(b.keys, space))
        entries = self._merged_lists(space, bits, self.at(a.entries, space), self.at(b.entries, space))
        return None if keys is None or entries is None else Keyed(keys, entries)

    def as_keyed(self, value: Value, space: Space) -> Keyed | None:
        """Short dicts as `Keyed`; None for anything else, and where a key is no scalar."""
        if isinstance(value, Keyed):
            return value
        dicts = as_dicts(value)
        if dicts is None or dicts.record is not None or len(dicts.keys) > _SHORT:
            return None
        if not all(map(names_a_key, dicts.keys)):
            return None
        keys = entries = Lists(space, (), None, tuples=False)
        for place in reversed(range(len(dicts.keys))):
            has = presence(dicts, place, space, self)
            keys = self._before(space, has, Uniform(dicts.keys[place]), keys)
            entries = self._before(space, has, dicts.entries[place], entries)
        return Keyed(keys, entries)

    def _before(self, space: Space, has: Bits | None, item: Value, rest: Lists) -> Lists:
        """The lists with one more item in front, in the lanes that have it."""
        more = None if rest.lengths is None else rest.lengths + np.int32(1)
        longer = Lists(space, (item, *rest.items), more, tuples=False)
        found = longer if has is None else self._merged_lists(space, has, longer, rest)
        assert found is not None
        return found

    def _merged_objects(self, space: Space, bits: Bits, new: Value, old: Value) -> Value:
        data = np.empty(space.size, np.object_)
        for value, where in ((new, bits), (old, ~bits)):
            rows = np.flatnonzero(where)
            fill(data, rows, self.explode(value, space, rows))
        return Objects(space, data)

    def mixed(self, value: Value, space: Space) -> Mixed | None:
        """A scalar of any kind as a Mixed; None if it is something else."""
        value = self.at(value, space)
        if isinstance(value, Mixed):
            return value
        if isinstance(value, Numbers):
            if beyond(value.data, value.tag, value.bound):
                return None
            tags = np.full(space.size, value.tag, np.uint8)
            return Mixed(space, tags, value.data.astype(np.float64))
        if not isinstance(value, Uniform):
            return None
        tag = tag_of(value.value)
        if tag is None or (tag in INTEGERS and not -EXACT <= value.value <= EXACT):
            return None
        payload = 0.0 if tag is Tag.NONE else self.texts.number(value.value) if tag is Tag.TEXT else value.value
        return Mixed(space, np.full(space.size, tag, np.uint8), np.full(space.size, payload, np.float64))

    # Python objects

    def explode(self, value: Value, space: Space, rows: NDArray[np.intp] | None) -> list[Any]:
        """The value as Python objects in some lanes of a space. Objects may be shared between lanes."""
        return explode(self.at(value, space), space, rows, self)

    def implode(self, objects: list[Any], space: Space, rows: NDArray[np.intp] | None) -> Value:
        """A value that holds these objects in some lanes of a space."""
        return implode(objects, space, rows, self.texts)


def _brought_lists(value: Lists, space: Space) -> Lists:
    home = value.space
    if isinstance(value, Filtered):
        return value.brought(space, tuple(None if bits is None else bring(bits, home, space) for bits in value.there))
    counts = None if value.counts is None else bring(value.counts, home, space)
    last = None if value.last is None else bring(value.last, home, space)
    return trimmed(Lists(space, value.items, counts, value.tuples, last))


def fill(data: NDArray[np.object_], rows: NDArray[np.intp], objects: list[Any]) -> None:
    """Put objects into an object array; NumPy must not take lists for rows."""
    for row, item in zip(rows.tolist(), objects, strict=True):
        data[row] = item


def plain(value: Value) -> tuple[Any, Tag, int] | None:
    """Data (an array, or one Python number), tag and bound of a number; None for anything else."""
    kind = type(value)  # asked for everywhere: faster than `isinstance`
    if kind is Numbers:
        return value.data, value.tag, value.bound  # type: ignore[union-attr]
    if kind is Uniform:
        inner = value.value  # type: ignore[union-attr]
        tag = tag_of(inner)
        if tag is not None and tag in NUMBERS:
            return inner, tag, abs(inner) if tag is Tag.INT else 1
    return None


def _merged_arrays(space: Space, bits: Bits, new: Arrays | Ragged, old: Arrays | Ragged) -> Value | None:
    if new.data.dtype != old.data.dtype or new.data.ndim != old.data.ndim:
        return None
    if isinstance(new, Arrays) and isinstance(old, Arrays) and new.shape == old.shape:
        return Arrays(space, blend(bits, new.data, old.data))
    if new.data.ndim != _DIMENSIONS:
        return None
    longest = max(len(new.data), len(old.data))
    one, other = (np.pad(side.data, ((0, longest - len(side.data)), (0, 0))) for side in (new, old))
    return evened(Ragged(space, blend(bits, one, other), blend(bits, counts_of(new), counts_of(old))))


def counts_of(value: Arrays | Ragged) -> NDArray[np.int32]:
    """How long the arrays of one dimension are, shape (lanes,)."""
    return value.counts if isinstance(value, Ragged) else np.full(value.space.size, len(value.data), np.int32)


def evened(value: Ragged) -> Arrays | Ragged:
    """The same arrays, without positions that no lane has; as `Arrays` if all are equally long."""
    if not len(value.counts):
        return value
    longest = int(value.counts.max())
    data = value.data[:longest]
    return Arrays(value.space, data) if value.counts.min() == longest else Ragged(value.space, data, value.counts)


def beyond(data: Any, tag: Tag, bound: int) -> bool:
    """Whether there are integers among numbers that a float does not hold. The bound is of Python's only."""
    if tag not in INTEGERS or (tag is Tag.INT and bound <= EXACT):
        return False
    return bool(np.size(data)) and not -EXACT <= int(np.min(data)) <= int(np.max(data)) <= EXACT


def merged_data(bits: Bits, new: Any, old: Any, tag: Tag) -> NDArray[Any]:
    """New where the bits are set, with short cuts for truth values."""
    if tag in TRUTHS and not isinstance(new, np.ndarray):
        if isinstance(old, np.ndarray):
            return np.asarray(bits | old if new else old & ~bits)
        return bits if new else ~bits
    return blend(bits, new, old)


def _is_short(value: Value, *types: type) -> bool:
    """Whether a value is the same in all lanes, of one of these types, and not so long that objects are better."""
    return isinstance(value, Uniform) and type(value.value) in types and len(value.value) <= _SHORT


def as_lists(value: Value, space: Space) -> Lists | None:
    """A list or tuple as `Lists`; None for anything else."""
    if isinstance(value, Lists):
        return value
    if isinstance(value, Uniform) and type(value.value) in (list, tuple):
        items = tuple(Uniform(item) for item in value.value)
        return Lists(space, items, None, isinstance(value.value, tuple))
    return None


def as_dicts(value: Value) -> Dicts | None:
    """A dict as `Dicts`; None for anything else, also for types derived from dict."""
    if isinstance(value, Uniform) and type(value.value) is dict:
        return Dicts(tuple(value.value), tuple(Uniform(entry) for entry in value.value.values()))
    return value if isinstance(value, Dicts) else None


def there_of(value: Dicts) -> tuple[Value, ...]:
    """For each key of dicts whether a lane has it."""
    return (_TRUE,) * len(value.keys) if value.there is None else value.there


def known_keys(value: Dicts) -> Dicts:
    """The same dicts, without keys that no lane has."""
    there = there_of(value)
    kept = [place for place, one in enumerate(there) if not (isinstance(one, Uniform) and not one.value)]
    if all(isinstance(there[place], Uniform) for place in kept):
        return Dicts(tuple(value.keys[n] for n in kept), tuple(value.entries[n] for n in kept), value.record)
    if len(kept) == len(there):
        return value
    keys, entries, there = (tuple(row[n] for n in kept) for row in (value.keys, value.entries, there))
    return Dicts(keys, entries, value.record, there)


def gathered(value: Value) -> Value:
    """A list, tuple, dict or empty array that is the same in all lanes, as one object; anything else as it is."""
    match value:
        case Arrays() if 0 in value.shape:
            return Uniform(np.zeros(value.shape, value.data.dtype))
        case Lists(counts=None, last=None):
            items = [gathered(item) for item in value.items]
            if all(isinstance(item, Uniform) for item in items):
                held = [item.value for item in items if isinstance(item, Uniform)]
                return Uniform(tuple(held) if value.tuples else held)
        case Dicts(record=None, there=None):
            entries = [gathered(entry) for entry in value.entries]
            if all(isinstance(entry, Uniform) for entry in entries):
                values = [entry.value for entry in entries if isinstance(entry, Uniform)]
                return Uniform(dict(zip(value.keys, values, strict=True)))
    return value


def is_of_data(*values: Value) -> bool:
    """Whether all are the same in all lanes: what comes of them Python says once, and it is the same again."""
    return all(isinstance(gathered(value), Uniform) for value in values)


def trimmed(value: Lists) -> Lists:
    """The same lists, without positions that no lane has, and without lengths if all are equal."""
    if value.lengths is None or not len(value.lengths):
        return value
    longest = int(value.lengths.max())
    items = value.items[:longest]
    return Lists(value.space, items, None if longest == value.lengths.min() else value.lengths, value.tuples)


def unmixed(value: Mixed) -> Value:
    """The same scalars, as `Numbers` or None if all lanes have the same type; texts stay as they are."""
    if not len(value.tags) or value.tags[0] == Tag.TEXT or (value.tags != value.tags[0]).any():
        return value
    tag = Tag(int(value.tags[0]))
    if tag is Tag.NONE:
        return Uniform(None)
    data: NDArray[Any] = value.payload.astype(DTYPES[tag], copy=False)
    return Numbers(value.space, data, tag, largest(data) if tag is Tag.INT else 1)


def largest(integers: NDArray[np.int64]) -> int:
    """A bound of integers, at least 1."""
    return max(abs(int(integers.max(initial=1))), abs(int(integers.min(initial=1))))
