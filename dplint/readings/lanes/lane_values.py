"""What a variable holds in many lanes at once.

What is the same in all lanes is kept once, as the Python object itself (`Uniform`), and computed with as Python does.
What differs is an array with an entry for each lane and one tag, the Python or NumPy type of the entries (`Numbers`);
scalars of several types (`Mixed`); lists whose positions are values (`Lists`); NumPy arrays of one shape (`Arrays`), or
of one dimension and several lengths (`Ragged`); dicts whose keys stand in one order (`Dicts`), or in one of its own in
each lane (`Keyed`); and, where nothing else fits, one Python object for each lane (`Objects`).

Values are immutable, although not `frozen`: that makes them three times as slow to build. What lies outside the lanes
that a value was computed for is arbitrary.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.spaces import Space, common_space, spread

Array: TypeAlias = NDArray[Any]


class Tag(IntEnum):
    """The type of a scalar, as far as it changes what operators do."""

    BOOL = 0
    INT = 1
    FLOAT = 2
    NP_BOOL = 3
    NP_INT = 4
    NP_FLOAT = 5
    NONE = 6
    TEXT = 7


NUMBERS = frozenset([Tag.BOOL, Tag.INT, Tag.FLOAT, Tag.NP_BOOL, Tag.NP_INT, Tag.NP_FLOAT])
NUMPY = frozenset([Tag.NP_BOOL, Tag.NP_INT, Tag.NP_FLOAT])
TRUTHS = frozenset([Tag.BOOL, Tag.NP_BOOL])
INTEGERS = frozenset([Tag.INT, Tag.NP_INT])
FLOATS = frozenset([Tag.FLOAT, Tag.NP_FLOAT])

DTYPES: dict[Tag, type] = {
    Tag.BOOL: np.bool_,
    Tag.INT: np.int64,
    Tag.FLOAT: np.float64,
    Tag.NP_BOOL: np.bool_,
    Tag.NP_INT: np.int64,
    Tag.NP_FLOAT: np.float64,
}
TAGS: dict[type, Tag] = {
    bool: Tag.BOOL,
    int: Tag.INT,
    float: Tag.FLOAT,
    np.bool_: Tag.NP_BOOL,
    np.int64: Tag.NP_INT,
    np.float64: Tag.NP_FLOAT,
    type(None): Tag.NONE,
    str: Tag.TEXT,
    np.str_: Tag.TEXT,
}
NP_TAGS: dict[str, Tag] = {"b": Tag.NP_BOOL, "i": Tag.NP_INT, "f": Tag.NP_FLOAT}
"""The tag of an array's elements, by the kind of its dtype."""

EXACT = 2**53
"""Integers up to here are floats, too."""
FITS = 2**62
"""Python's integers are kept in int64 while they are known to stay below this."""


@dataclass(slots=True, eq=False)
class Uniform:
    """The same object in every lane."""

    value: Any


@dataclass(slots=True, eq=False)
class Numbers:
    """A number in each lane: `data` of shape (lanes,), with the dtype of the tag.

    bound: for INT, a number that no entry exceeds in absolute value; unused for the other tags.
    """

    space: Space
    data: Array
    tag: Tag
    bound: int = 1
    views: dict[Space, Value] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Mixed:
    """A scalar in each lane: tags and payload of shape (lanes,). A text's payload is its number, None's is 0.

    Integers are at most EXACT, so that a float holds them.
    """

    space: Space
    tags: NDArray[np.uint8]
    payload: NDArray[np.float64]
    views: dict[Space, Value] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Lists:
    """A list or tuple in each lane. `items` hold the positions, each in a space of its own choice.

    counts: how many items there are, shape (lanes,) in `space`; None if there are as many as `items`, except that
    where `last` is given only those lanes have the last one. tuples: whether it is a tuple.
    """

    space: Space
    items: tuple[Value, ...]
    counts: NDArray[np.int32] | None
    tuples: bool
    last: NDArray[np.bool_] | None = None
    views: dict[Space, Value] = field(default_factory=dict)
    _counted: list[NDArray[np.int32]] = field(default_factory=list)

    @property
    def lengths(self) -> NDArray[np.int32] | None:
        """How many items there are, shape (lanes,); None if all lanes have all of them."""
        if self.last is None:
            return self.counts
        if not self._counted:
            self._counted.append(self.last + np.int32(len(self.items) - 1))
        return self._counted[0]


class Filtered(Lists):
    """A list in each lane, of those of the `parts` that it has: what a loop has appended under conditions.

    there: for each part which lanes have it, shape (lanes,) in `space`; None for all. What takes it for `Lists` sees
    the items pushed together, by `compact`, which is asked when first needed.
    """

    __slots__ = ("_compact", "_whole", "parts", "there")

    def __init__(
        self,
        space: Space,
        parts: tuple[Value, ...],
        there: tuple[NDArray[np.bool_] | None, ...],
        compact: Callable[[Filtered], Lists],
    ) -> None:
        self.space, self.tuples, self.views = space, False, {}
        self._counted: list[NDArray[np.int32]] = []
        self.parts, self.there, self._compact = parts, there, compact
        self._whole: Lists | None = None

    def brought(self, space: Space, there: tuple[NDArray[np.bool_] | None, ...]) -> Lists:
        """The lists for the lanes of another space, and which of them have which part."""
        there = tuple(None if bits is None or bits.all() else bits for bits in there)
        if all(bits is None for bits in there):
            return Lists(space, self.parts, None, tuples=False)
        return Filtered(space, self.parts, there, self._compact)

    @property
    def whole(self) -> Lists:
        """The same lists, pushed together."""
        if self._whole is None:
            self._whole = self._compact(self)
        return self._whole

    @property
    def items(self) -> tuple[Value, ...]:  # type: ignore[override]
        """The items by position."""
        return self.whole.items

    @property
    def counts(self) -> NDArray[np.int32] | None:  # type: ignore[override]
        """How many items there are."""
        return self.whole.counts

    @property
    def last(self) -> NDArray[np.bool_] | None:  # type: ignore[override]
        """As in `Lists`."""
        return self.whole.last

    @property
    def lengths(self) -> NDArray[np.int32] | None:
        """How many items there are, shape (lanes,); None if all lanes have all of them."""
        return self.whole.lengths


@dataclass(slots=True, eq=False)
class Arrays:
    """A NumPy array in each lane, all of one shape: data of shape (*shape, lanes), of dtype bool, int64 or float64."""

    space: Space
    data: Array
    views: dict[Space, Value] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of each lane's array."""
        return self.data.shape[:-1]

    @property
    def tag(self) -> Tag:
        """The type of the elements."""
        return NP_TAGS[self.data.dtype.kind]


@dataclass(slots=True, eq=False)
class Ragged:
    """A NumPy array of one dimension in each lane: data of shape (longest, lanes), of dtype bool, int64 or float64.

    counts: how long each is, shape (lanes,). What lies behind the end is arbitrary.
    """

    space: Space
    data: Array
    counts: NDArray[np.int32]
    views: dict[Space, Value] = field(default_factory=dict)

    @property
    def tag(self) -> Tag:
        """The type of the elements."""
        return NP_TAGS[self.data.dtype.kind]


@dataclass(slots=True, eq=False)
class Dicts:
    """A dict in each lane, whose keys stand in the same order. record: its class, if it is a record instead.

    there: for each key a truth value, whether a lane has it; None if all lanes have all. An entry is arbitrary in lanes
    that do not have its key.
    """

    keys: tuple[Any, ...]
    entries: tuple[Value, ...]
    record: str | None = None
    there: tuple[Value, ...] | None = None


@dataclass(slots=True, eq=False)
class Keyed:
    """A dict in each lane, of keys of its own: lists of equal lengths. Keys are scalars, see `names_a_key`."""

    keys: Lists
    entries: Lists


@dataclass(slots=True, eq=False)
class Objects:
    """A Python object in each lane: an object array of shape (lanes,). Nobody changes the objects."""

    space: Space
    data: NDArray[np.object_]
    views: dict[Space, Value] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Patched:
    """`new` in the lanes of `space`, `old` in all others: a `select` that waits until somebody looks at it."""

    space: Space
    new: Value
    old: Value
    views: dict[Space, Value] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class SliceOf:
    """A slice as an index: start, stop and step."""

    parts: tuple[Value | None, Value | None, Value | None]


@dataclass(slots=True, eq=False)
class SetOf:
    """A set that is returned: a list of its items in order, none of them twice. frozen: whether it is a frozenset."""

    items: Value
    frozen: bool


Value: TypeAlias = (
    Uniform | Numbers | Mixed | Lists | Arrays | Ragged | Dicts | Keyed | Objects | Patched | SetOf | SliceOf
)


def tag_of(value: Any) -> Tag | None:
    """The tag of a Python object; None if it is no scalar, or one that an array would not hold exactly."""
    tag = TAGS.get(type(value))
    return None if tag is Tag.INT and not -FITS <= value <= FITS else tag


def names_a_key(value: Any) -> bool:
    """Whether a key of a dict is a scalar that is equal to itself."""
    return tag_of(value) is not None and bool(value == value)  # noqa: PLR0124 - NaN is not


_WORDS: dict[int, type] = {1: np.int8, 4: np.int32, 8: np.int64}


def blend(bits: NDArray[np.bool_], new: Any, old: Any) -> Array:
    """`np.where(bits, new, old)` for two operands of one type: arrays whose last axis is the lanes, or scalars.

    Without a branch for each lane, which a mask of noise makes the processor guess wrong: four times faster.
    """
    kind = np.asarray(new).dtype
    if kind == np.bool_:
        return np.asarray((new & bits) | (old & ~bits))
    if not isinstance(new, np.ndarray) and not isinstance(old, np.ndarray):
        if new == 1 and same(float(old), 0.0):
            return bits.astype(kind)
        if old == 1 and same(float(new), 0.0):
            return (~bits).astype(kind)
    word = _WORDS[kind.itemsize]
    mask: Array = np.negative(bits.view(np.int8)).astype(word, copy=False)
    other: Array = np.asarray(old, kind).view(word)
    differ: Array = np.asarray(np.asarray(new, kind).view(word) ^ other)
    chosen = np.bitwise_and(differ, mask, out=differ if differ.shape == mask.shape else None)
    chosen ^= other
    return np.asarray(chosen).view(kind)


def same(left: Any, right: Any) -> bool:
    """Whether two scalars are the same object for every purpose."""
    if type(left) is not type(right) or type(left) not in TAGS:
        return left is right
    if isinstance(left, float):
        return bool(left == right and math.copysign(1.0, left) == math.copysign(1.0, right)) or left is right
    return bool(left == right)


def bring(data: Array, home: Space, space: Space) -> Array:
    """Data (lanes on the last axis) of one space, for the lanes of another; zeros for lanes that the first lacks."""
    if space.lies_in(home):
        return data.take(space.rows_in(home), axis=-1)
    above = common_space(home, space)
    wide = spread(data, above.size, home.rows_in(above))
    return wide if above is space else wide.take(space.rows_in(above), axis=-1)
