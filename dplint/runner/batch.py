"""Outputs of a mechanism as columns, as the worker sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as Lookup
from collections.abc import Sequence as Strings
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from itertools import count
from math import prod
from typing import Any, TypeAlias
from typing import Literal as OneOf

import numpy as np
from numpy.typing import NDArray

from dplint.claims import Literal
from dplint.runner.views import ATTRIBUTES

Form: TypeAlias = OneOf[
    "list",
    "array",
    "tuple",
    "set",
    "frozenset",
    "dict",
    "numbered dict",
    "frame",
    "polars frame",
    "series",
    "polars series",
    "matrix",
    "tensor",
    "list of tuples",
    "list of lists",
    "list of objects",
    "tuple of objects",
    "object",
    "scalar",
]
"""How a function gets a list of numbers or records; `runner.data_forms` makes each. "scalar" is the value as it is."""

MOST_LEAVES = 4096
"""Of a longer output, this many leaves are kept; `Sequence.shape` and `Mapping.length` still tell the true length."""


class LeafKind(IntEnum):
    """What a leaf is. The value of a STRING, BIGINT or OTHER leaf is an index into the batch's strings."""

    BOOL = 0
    INT = 1
    FLOAT = 2
    NAN = 3
    STRING = 4
    NONE = 5
    BIGINT = 6
    """An integer beyond 2**53; the string is its repr, in hexadecimal if it is very long; OTHER if even longer."""
    OTHER = 7
    """Anything else; the string is an Enum's name, the repr of bytes and dates, else the name of the type."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list, tuple, set (sorted), array (in C order), Series, ... by the name of its type.

    shape: the true lengths, more than one for arrays. items: how many plain leaves are kept, or the skeletons of the
    items if not all are plain.
    """

    type: str
    shape: tuple[int, ...]
    items: int | tuple[Skeleton, ...]

    @property
    def length(self) -> int:
        """What `len` says of the output."""
        return self.shape[0]


@dataclass(frozen=True, slots=True)
class Mapping:
    """A dict, keys in order of insertion, their repr where they are not plain; `length` is the true number of keys.

    Two are the same if their keys are of the same types, too: where one says True, the other may not say 1.
    """

    keys: tuple[Literal, ...]
    children: tuple[Skeleton, ...]
    length: int
    shown: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shown", repr(self.keys))


@dataclass(frozen=True, slots=True)
class Record:
    """A dataclass, named tuple, complex number or any object with attributes: its class, and its fields."""

    name: str
    fields: tuple[str, ...]
    children: tuple[Skeleton, ...]


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception of that class, with its message: a leaf, or a text that is seen through views as well."""

    name: str
    message: Leaf | Viewed = Leaf()


@dataclass(frozen=True, slots=True)
class Viewed:
    """A value that is seen through views, by their names in `runner.views`: what each shows is a child.

    type: the name of its type. length: what `len` says of it, None if it has none, or if it is a view itself.
    is_text: the first leaf is the value itself, a text that is seen through views as well.
    """

    type: str
    length: int | None
    views: tuple[str, ...]
    children: tuple[Skeleton, ...]
    is_text: bool = False


Skeleton: TypeAlias = Leaf | Sequence | Mapping | Record | Raised | Viewed


def leaves_of(skeleton: Skeleton) -> int:
    """How many leaves an output has."""
    match skeleton:
        case Leaf():
            return 1
        case Raised(_, message):
            return leaves_of(message)
        case Viewed(children=children, is_text=is_text):
            return is_text + sum(leaves_of(child) for child in children)
        case Sequence(items=items):
            return items if isinstance(items, int) else sum(leaves_of(child) for child in items)
        case Mapping() | Record():
            return sum(leaves_of(child) for child in skeleton.children)


@dataclass(frozen=True, slots=True)
class Group:
    """The outputs of one shape. rows: which runs of the batch, ascending; kinds and values have a row for each.

    Kinds on which all outputs agree may be a view of one row; values may be bools where all leaves are.
    """

    skeleton: Skeleton
    rows: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    values: NDArray[Any]


def of_all(kinds: NDArray[np.uint8], runs: int) -> NDArray[np.uint8]:
    """The kinds of one output, shape (leaves,), for so many of them: a view of shape (leaves, runs), not written out.

    `np.broadcast_to` takes ten times as long, which blocks of lanes would notice.
    """
    column = np.ascontiguousarray(kinds)
    return np.ndarray((len(column), runs), column.dtype, column, 0, (column.itemsize, 0))


@dataclass(frozen=True, slots=True)
class Batch:
    """The outputs of one data value in one request. Every run is in exactly one group."""

    runs: int
    groups: tuple[Group, ...]
    strings: Strings[str]

    def outputs(self) -> list[object]:
        """The outputs as Python objects, in the order of the runs; for tests and for showing a few.

        Tuples come back as tuples, all other sequences as flat or nested lists, records and exceptions as tuples
        `(name, ...)`. What was cut off stays cut off.
        """
        return list(self._in_turn(_restore))

    def likenesses(self) -> list[object]:
        """The outputs as objects that an event cannot tell from the real ones: by type name, length and attributes.

        Exceptions and records are objects of classes made for it; arrays are lists with the name of their type.
        """
        return list(self.likenesses_in_turn())

    def likenesses_in_turn(self) -> Iterator[object]:
        """The same one after the other, for those who may not want them all."""
        return self._in_turn(likeness)

    def _in_turn(self, restore: Callable[[Skeleton, Iterator[Any]], object]) -> Iterator[object]:
        places = {row: (group, index) for group in self.groups for index, row in enumerate(group.rows.tolist())}
        for run in range(self.runs):
            group, index = places[run]
            leaves = zip(group.kinds[index].tolist(), group.values[index].tolist(), strict=True)
            yield restore(group.skeleton, iter([leaf_value(kind, value, self.strings) for kind, value in leaves]))


@dataclass(frozen=True, slots=True)
class DataValue:
    """One value of the data parameter: a plain value and the form that the mechanism wants, or a handle.

    form: what the runner makes of it. handle: the number of an object
    that stays in the runner, see `Pair`.
    """

    value: Literal | None
    form: Form = "list"
    handle: int | None = None


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """Run the mechanism `runs` times on each of the data values, alternating in blocks of `block` runs.

    seed: entropy and spawn key of a SeedSequence; each data value has a stream spawned from it. noise_free: every
    draw returns its centre.
    """

    datas: tuple[DataValue, ...]
    arguments: Lookup[str, Literal] = field(default_factory=dict)
    runs: int = 1
    block: int = 1000
    seed: tuple[int, tuple[int, ...]] = (0, ())
    noise_free: bool = False


_BOOL, _INT, _NONE, _BIGINT = (int(one) for one in (LeafKind.BOOL, LeafKind.INT, LeafKind.NONE, LeafKind.BIGINT))
_FLOATS = (int(LeafKind.FLOAT), int(LeafKind.NAN))


def leaf_value(kind: int, value: float, strings: Strings[str]) -> object:
    """A leaf as a Python value; `value` as in a batch with these strings."""
    # Compared by number: this is called for every leaf of every output.
    if kind in _FLOATS:
        return value
    if kind == _BOOL:
        return bool(value)
    if kind == _INT:
        return int(value)
    if kind == _NONE:
        return None
    text = strings[int(value)]
    return int(text, 0) if kind == _BIGINT else text


def _restore(skeleton: Skeleton, leaves: Iterator[Any]) -> object:
    match skeleton:
        case Leaf():
            return next(leaves)
        case Raised(name, message):
            return (name, _restore(message, leaves))
        case Sequence(kind, _, int(count)):
            return _sequence(kind, [next(leaves) for _ in range(count)])
        case Sequence(kind, _, tuple(children)):
            return _sequence(kind, [_restore(child, leaves) for child in children])
        case Mapping(keys, children):
            return {key: _restore(child, leaves) for key, child in zip(keys, children, strict=True)}
        case Record(name, _, children):
            return (name, *(_restore(child, leaves) for child in children))
        case Viewed(name, _, _, children, is_text):
            own = [next(leaves)] if is_text else []
            seen = [_restore(child, leaves) for child in children]
            return own[0] if own else (name, *seen)
    raise TypeError(f"not a skeleton: {skeleton!r}")


def _sequence(kind: str, items: list[object]) -> object:
    return tuple(items) if kind == "tuple" else items


@dataclass(eq=False, slots=True)
class Spot:
    """Stands for one leaf of all outputs of a shape, by its number. seen: what the views of a text show."""

    number: int
    seen: Lookup[str, Any] = field(default_factory=dict)


def with_spots(skeleton: Skeleton) -> Any:
    """The likeness of all outputs of a shape, with a spot for each leaf."""
    return likeness(skeleton, map(Spot, count()))


def likeness(skeleton: Skeleton, leaves: Iterator[Any]) -> object:
    """An object that an event cannot tell from the output with these leaves: see `Batch.likenesses`."""
    match skeleton:
        case Leaf():
            return next(leaves)
        case Raised(name, message):
            return _class(name, Exception)(likeness(message, leaves))
        case Sequence(kind, shape, items):
            if isinstance(items, int):
                return _array_like(kind, shape, [next(leaves) for _ in range(items)])
            return _sequence_like(kind, shape[0], [likeness(child, leaves) for child in items])
        case Mapping(keys, children, length):
            entries = {key: likeness(child, leaves) for key, child in zip(keys, children, strict=True)}
            return entries if length == len(entries) else _cut(_CutDict, "dict", length, entries)
        case Record(name, fields, children):
            record = _class(name, object)()
            for field_name, child in zip(fields, children, strict=True):
                setattr(record, field_name, likeness(child, leaves))
            return record
        case Viewed():
            return _seen_like(skeleton, leaves)
    raise TypeError(f"not a skeleton: {skeleton!r}")


def _seen_like(skeleton: Viewed, leaves: Iterator[Any]) -> object:
    text = next(leaves) if skeleton.is_text else None
    seen = {view: likeness(child, leaves) for view, child in zip(skeleton.views, skeleton.children, strict=True)}
    if skeleton.is_text:
        if isinstance(text, Spot):
            text.seen = seen
        return text
    found = _class(skeleton.type, Seen)()
    found.length = seen.pop("length", skeleton.length)
    found.seen = seen
    for view, shown in seen.items():
        # Methods are called with constants, if with anything: `output.to_dict('list')`.
        setattr(
            found,
            _CALLED.get(view, view),
            shown if view in ATTRIBUTES or view == "index" else lambda *_, shown=shown, **__: shown,
        )
    return found


_CALLED = {"columns": "to_dict", "series": "to_dict"}


class Seen:
    """A value that is known by what its views show; `length` is what `len` says of it."""

    length: Any
    seen: dict[str, Any]

    def __float__(self) -> float:
        return float(self._of("float"))

    def __str__(self) -> str:
        return str(self._of("str"))

    def __iter__(self) -> Iterator[Any]:
        return iter(self._of("list"))

    def __len__(self) -> int:
        if self.length is None:
            raise TypeError("it has no length")
        return int(self.length)

    def _of(self, view: str) -> Any:
        if view not in self.seen:
            raise TypeError(f"it is not seen through {view}")
        return self.seen[view]


def _array_like(kind: str, shape: tuple[int, ...], items: list[object]) -> object:
    """An array of several dimensions, if all of it is kept, as sequences of sequences; else its beginning."""
    if len(shape) == 1 or len(items) != prod(shape):
        return _sequence_like(kind, shape[0], items)
    width = len(items) // shape[0] if shape[0] else 0
    rows = [_array_like(kind, shape[1:], items[i * width : (i + 1) * width]) for i in range(shape[0])]
    found = _sequence_like(kind, shape[0], rows)
    found.ravel = lambda: _sequence_like(kind, len(items), items)  # type: ignore[attr-defined]
    return found


def _sequence_like(kind: str, length: int, items: list[object]) -> object:
    if length == len(items) and kind in ("list", "tuple"):
        return _sequence(kind, items)
    return _cut(_Cut, "ndarray" if kind == "array" else kind, length, items)


def _cut(base: type, name: str, length: int, items: object) -> Any:
    found = _class(name, base)(items)
    found.length = length
    return found


class _Cut(list[object]):
    """A sequence of which only the beginning was kept, or of another type than list."""

    length: int

    def __len__(self) -> int:
        return self.length


class _CutDict(dict[Literal, object]):
    """A dict of which only the first entries were kept."""

    length: int

    def __len__(self) -> int:
        return self.length


@lru_cache(maxsize=256)
def _class(name: str, base: type) -> Any:
    return type(name, (base,), {})
