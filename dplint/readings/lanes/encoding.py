"""The outputs of lanes in pieces of one shape: kinds and values, leaf by leaf, in the encoding of plain runs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.lane_values import (
    EXACT,
    INTEGERS,
    TRUTHS,
    Array,
    Arrays,
    Dicts,
    Keyed,
    Lists,
    Mixed,
    Numbers,
    Patched,
    Ragged,
    SetOf,
    Tag,
    Uniform,
    Value,
    tag_of,
)
from dplint.readings.lanes.lanes import Ending, Lanes
from dplint.readings.lanes.merging import as_dicts, as_lists
from dplint.readings.lanes.objects import presence
from dplint.readings.lanes.spaces import Mask, Rows, Space
from dplint.runner.batch import MOST_LEAVES, Leaf, LeafKind, Mapping, Raised, Record, Skeleton
from dplint.runner.batch import Sequence as Listed
from dplint.runner.decode import decode_batches
from dplint.runner.encode import Columns, Mode
from dplint.runner.flatten import names_an_entry
from dplint.runner.texts import TextNumbers

Column: TypeAlias = tuple[int | NDArray[np.uint8], float | Array]
"""One leaf of many outputs: kinds and values, each one for all or one for each."""

_KIND_OF_TAG = np.array(
    [
        LeafKind.BOOL,
        LeafKind.INT,
        LeafKind.FLOAT,
        LeafKind.BOOL,
        LeafKind.INT,
        LeafKind.FLOAT,
        LeafKind.NONE,
        LeafKind.STRING,
    ],
    np.uint8,
)
_MOST_CODES = 1 << 15
_LEAST = 1000
"""Lanes of a shape on average, if shapes that differ in keys are worth being told apart."""
_MOST_KEYS = 64
"""Of dicts that are of one shape though their keys differ."""
_LEAF = Leaf()


@dataclass(frozen=True, slots=True)
class Piece:
    """Outputs of one shape. lanes: which of the space or, once it is finished, of the block; None for all."""

    skeleton: Skeleton
    lanes: Rows | None
    count: int
    leaves: tuple[Column, ...]


class TooVaried(Exception):
    """The outputs have to be encoded one by one."""


def pieces_of(ending: Ending, lanes: Lanes, *, placed: bool, together: bool = False) -> list[Piece]:
    """The outputs of one ending. Without `placed`, which lanes they belong to is left open.

    together: outputs that differ in nothing but which keys their dicts have may be of one shape, see `Mapping.some`.
    """
    pieces = []
    for value, mask in _parts(ending.value, ending.lanes, lanes):
        space = mask.space
        here = lanes.at(value, space)
        if isinstance(here, Uniform):
            found = [_uniform(here.value, mask.rows() if placed else None, mask.count_inside(), lanes.texts)]
        else:
            rows = mask.rows()
            try:
                found = list(_encode(here, space, rows, lanes, together=together))
            except TooVaried:
                found = _one_by_one(lanes.explode(here, space, rows), rows, lanes.texts)
        if ending.exception is not None:
            # As the runner calls it, which is another thing in a lambda or, up to Python 3.11, in a comprehension.
            name = "NameError" if ending.exception == "UnboundLocalError" else ending.exception
            found = [replace(piece, skeleton=Raised(name)) for piece in found]
        if placed and space is not lanes.root:
            found = [_at_root(piece, space, lanes.root) for piece in found]
        pieces += found
    return pieces


def _parts(value: Value, mask: Mask, lanes: Lanes) -> Iterator[tuple[Value, Mask]]:
    """A patched value in its parts, each in its own space: lanes that left a loop at different turns stay apart."""
    taken: list[Mask] = []
    while isinstance(value, Patched):
        patch = lanes.mask(value.space, None)
        inside = lanes.both(mask, patch)
        for other in taken:
            inside = lanes.inside(lanes.minus(inside, other))
        if not lanes.never(inside):
            yield from _parts(value.new, inside, lanes)
        taken = [other for other in taken if not other.space.lies_in(value.space)] + [patch]
        value = value.old
    for other in taken:
        mask = lanes.inside(lanes.minus(mask, other))
    if not lanes.never(mask):
        yield value, mask


def _at_root(piece: Piece, space: Space, root: Space) -> Piece:
    to_root = space.rows_in(root)
    return replace(piece, lanes=to_root if piece.lanes is None else to_root[piece.lanes])


class _Chosen:
    """Some lanes of a space, of one shape: the rows (None: all) from `start` to `stop`, of which all before come first.

    taken: the leaves that were looked at so far, from the first row on that has them. together: as for `pieces_of`.
    """

    __slots__ = ("_every", "_start", "_stop", "_taken", "count", "rows", "together")

    def __init__(
        self,
        every: Rows | None,
        start: int,
        stop: int,
        taken: dict[tuple[int, int], tuple[int, Column | None]],
        *,
        together: bool,
    ) -> None:
        self.together = together
        self.rows = every if every is None else every[start:stop]
        self.count = stop - start
        self._every, self._start, self._stop, self._taken = every, start, stop, taken

    def column(self, value: Numbers | Mixed | Arrays | Ragged, row: int = 0) -> Column | None:
        """A leaf: the numbers of a value, or of a row of an array. Shapes in turn, so that each is taken once."""
        key = id(value), row
        if key not in self._taken:
            rows = None if self._every is None else self._every[self._start :]
            if isinstance(value, Mixed):
                found: Column | None = _scalars(value, rows)
            else:
                data = value.data if isinstance(value, Numbers) else value.data.reshape(-1, value.space.size)[row]
                found = _numbers(data if rows is None else data.take(rows), value.tag)
            self._taken[key] = self._start, found
        first, column = self._taken[key]
        if column is None or (first == self._start and self._every is None):
            return column
        part = slice(self._start - first, self._stop - first)
        kinds, values = column
        return (
            kinds[part] if isinstance(kinds, np.ndarray) else kinds,
            values[part] if isinstance(values, np.ndarray) else values,
        )


def _encode(value: Value, space: Space, rows: Rows | None, lanes: Lanes, *, together: bool) -> Iterable[Piece]:
    """The lanes of one shape at a time. together: those of shapes with few lanes each may be of one."""
    lengths = list(_lengths(value, space, lanes))
    others = [one for one, of_keys in lengths if not of_keys]
    together = together and len(others) < len(lengths)
    try:
        code = _codes([one for one, _ in lengths], rows)
        together = together and code is not None and len(code) < _LEAST * int(np.count_nonzero(np.bincount(code)))
    except TooVaried:
        if not together:
            raise
    if together:
        code = _codes(others, rows)
    if code is None:
        yield _alike(value, space, _Chosen(rows, 0, _count(space, rows), {}, together=together), lanes)
        return
    every, edges = _groups(code, rows)
    taken: dict[tuple[int, int], tuple[int, Column | None]] = {}
    for start, stop in pairwise(edges):
        yield _alike(value, space, _Chosen(every, start, stop, taken, together=together), lanes)


def _lengths(value: Value, space: Space, lanes: Lanes) -> Iterable[tuple[NDArray[np.int32], bool]]:
    """The lengths of all lists in a value that differ between lanes, and who has which keys; and for each whether it is
    about keys of dicts that may be of one shape.
    """
    children: Sequence[Value] = ()
    if isinstance(value, Lists):
        lengths, children = value.lengths, value.items
        yield from () if lengths is None else ((lengths, False),)
    elif isinstance(value, Ragged):
        yield value.counts, False
    elif isinstance(value, Dicts):
        children, some = value.entries, _has_some_keys(value, space, lanes)
        bits = [presence(value, place, space, lanes) for place in range(len(value.keys) if value.there else 0)]
        yield from ((has.astype(np.int32), some) for has in bits if has is not None)
    elif isinstance(value, Keyed | SetOf):
        children = (value.items,) if isinstance(value, SetOf) else (value.keys, value.entries)
        numbers = _key_numbers(value, space, lanes) if isinstance(value, Keyed) else ()
        yield from ((one, False) for one in numbers)
    for child in children:
        if isinstance(child, Lists | Ragged | Dicts | Keyed | SetOf | Patched):
            yield from _lengths(lanes.at(child, space), space, lanes)


def _key_numbers(value: Keyed, space: Space, lanes: Lanes) -> Iterable[NDArray[np.int32]]:
    """For each place numbers of the lanes' keys, those that are equal having one."""
    keys = lanes.at(value.keys, space)
    assert isinstance(keys, Lists)
    for place, key in enumerate(keys.items):
        mixed = lanes.mixed(key, space)
        if mixed is None:
            raise TooVaried
        numbers = np.unique(mixed.payload, return_inverse=True)[1].reshape(-1) * len(Tag) + mixed.tags
        yield (numbers if keys.lengths is None else numbers * (keys.lengths > place)).astype(np.int32)


def _groups(code: NDArray[np.int64], rows: Rows | None) -> tuple[Rows, list[int]]:
    """The rows, those of equal codes together, and where these begin; the last edge is the end."""
    # Sorting 16 bits is linear in time.
    order = np.argsort(code.astype(np.uint16), kind="stable")
    counts = np.bincount(code)
    return order if rows is None else rows[order], [0, *np.cumsum(counts[counts > 0]).tolist()]


def _codes(lengths: Iterable[NDArray[np.int32]], rows: Rows | None) -> NDArray[np.int64] | None:
    """A number of 15 bits for each row, the same where lengths are equal; None where there are no lengths."""
    code = None
    for one in lengths:
        here = one if rows is None else one[rows]
        code = np.zeros(len(here), np.int64) if code is None else code
        radix = int(here.max(initial=0)) + 1
        if (int(code.max(initial=0)) + 1) * radix > _MOST_CODES:
            # Of these most do not come.
            code = np.unique(code, return_inverse=True)[1].astype(np.int64, copy=False)
            if (int(code.max(initial=0)) + 1) * radix > _MOST_CODES:
                raise TooVaried
        code = code * radix + here
    return code


def _alike(value: Value, space: Space, chosen: _Chosen, lanes: Lanes) -> Piece:
    """Outputs that all have one shape."""
    rows, count = chosen.rows, chosen.count
    match value:
        case Uniform():
            spelled = as_lists(value, space) or as_dicts(value)
            return _of_all(value.value, chosen, lanes) if spelled is None else _alike(spelled, space, chosen, lanes)
        case Lists():
            items = value.items
            if value.lengths is not None:
                assert rows is not None
                items = items[: int(value.lengths[rows[0]])]
            if len(items) > MOST_LEAVES:
                raise TooVaried
            children = [_alike(lanes.at(item, space), space, chosen, lanes) for item in items]
            flat = all(child.skeleton is _LEAF for child in children)
            inner = len(items) if flat else tuple(child.skeleton for child in children)
            listed = Listed("tuple" if value.tuples else "list", (len(items),), inner)
            return Piece(listed, rows, count, _leaves(children))
        case Arrays() if value.data.size <= MOST_LEAVES * space.size:
            columns = _array(value, math.prod(value.shape), chosen)
            return Piece(Listed("array", value.shape, len(columns)), rows, count, columns)
        case Ragged():
            assert rows is not None
            columns = _array(value, int(value.counts[rows[0]]), chosen)
            return Piece(Listed("array", (len(columns),), len(columns)), rows, count, columns)
        case Dicts() | Keyed():
            return _alike_dicts(value, space, chosen, lanes)
        case SetOf():
            piece = _alike(lanes.at(value.items, space), space, chosen, lanes)
            assert isinstance(piece.skeleton, Listed)
            return replace(piece, skeleton=replace(piece.skeleton, type="frozenset" if value.frozen else "set"))
        case Numbers() | Mixed() if (found := chosen.column(value)) is not None:
            return Piece(_LEAF, rows, count, (found,))
    raise TooVaried


def _of_all(value: Any, chosen: _Chosen, lanes: Lanes) -> Piece:
    """A scalar or an array that is the same in all lanes, beside what differs."""
    array = value if isinstance(value, np.ndarray) else None
    if array is not None and (array.ndim == 0 or array.size > MOST_LEAVES):
        raise TooVaried
    items = [value] if array is None else list(array.ravel())
    found = [_constant(item, lanes.texts) for item in items]
    leaves = tuple(leaf for leaf in found if leaf is not None)
    if len(leaves) < len(items):
        raise TooVaried
    skeleton = _LEAF if array is None else Listed("array", array.shape, len(leaves))
    return Piece(skeleton, chosen.rows, chosen.count, leaves)


def _alike_dicts(value: Dicts | Keyed, space: Space, chosen: _Chosen, lanes: Lanes) -> Piece:
    if isinstance(value, Keyed):
        # All have the keys of the first one.
        first = np.zeros(1, np.intp) if chosen.rows is None else chosen.rows[:1]
        (found,) = lanes.explode(value.keys, space, first)
        entries = lanes.at(value.entries, space)
        assert isinstance(entries, Lists)
        value = Dicts(tuple(found), entries.items[: len(found)])
    if value.record is None and not all(map(names_an_entry, value.keys)):
        raise TooVaried
    if chosen.together and _has_some_keys(value, space, lanes):
        return _some_keys(value, space, chosen, lanes)
    places = [place for place in range(len(value.keys)) if _has(value, place, space, chosen.rows, lanes)]
    children = [_alike(lanes.at(value.entries[place], space), space, chosen, lanes) for place in places]
    keys, inside = tuple(value.keys[place] for place in places), tuple(child.skeleton for child in children)
    shape = Mapping(keys, inside, len(keys)) if value.record is None else Record(value.record, keys, inside)
    return Piece(shape, chosen.rows, chosen.count, _leaves(children))


def _has_some_keys(value: Dicts, space: Space, lanes: Lanes) -> bool:
    """Whether the lanes' dicts differ in their keys, and hold numbers alone: texts may be looked into."""
    if value.there is None or value.record is not None or len(value.keys) > _MOST_KEYS:
        return False
    if all(presence(value, place, space, lanes) is None for place in range(len(value.keys))):
        return False
    return all(_is_plain(lanes.at(entry, space)) for entry in value.entries)


def _is_plain(value: Value) -> bool:
    """Whether this is a number, a truth or None in each lane."""
    match value:
        case Numbers():
            return True
        case Mixed(tags=tags):
            return not (tags == Tag.TEXT).any()
        case Uniform(value=one):
            return tag_of(one) not in (None, Tag.TEXT)
    return False


def _some_keys(value: Dicts, space: Space, chosen: _Chosen, lanes: Lanes) -> Piece:
    """Dicts of one shape, with missing entries."""
    leaves: list[Column] = []
    for place, entry in enumerate(value.entries):
        ((kinds, values),) = _alike(lanes.at(entry, space), space, chosen, lanes).leaves
        has = presence(value, place, space, lanes)
        if has is not None:
            here = has if chosen.rows is None else has[chosen.rows]
            kinds = np.where(here, kinds, np.uint8(LeafKind.MISSING)).astype(np.uint8, copy=False)
        leaves.append((kinds, values))
    shape = Mapping(value.keys, (_LEAF,) * len(leaves), len(leaves), some=True)
    return Piece(shape, chosen.rows, chosen.count, tuple(leaves))


def _has(value: Dicts, place: int, space: Space, rows: Rows | None, lanes: Lanes) -> bool:
    """Whether rows that all have the same keys have that at a place."""
    has = presence(value, place, space, lanes)
    return has is None or bool(has[0 if rows is None else rows[0]])


def _leaves(children: Iterable[Piece]) -> tuple[Column, ...]:
    found = tuple(leaf for child in children for leaf in child.leaves)
    if len(found) > MOST_LEAVES:
        raise TooVaried
    return found


def _constant(value: Any, texts: TextNumbers) -> Column | None:
    """Kind and value of a scalar; None for anything else."""
    tag = tag_of(value)
    if tag is None or (tag in INTEGERS and not -EXACT <= value <= EXACT):
        return None
    payload = _payload(value, tag, texts)
    return int(LeafKind.NAN if math.isnan(payload) else _KIND_OF_TAG[tag]), payload


def _uniform(value: Any, rows: Rows | None, count: int, texts: TextNumbers) -> Piece:
    """The same output in so many lanes."""
    leaf = _constant(value, texts)
    if leaf is not None:
        return Piece(_LEAF, rows, count, (leaf,))
    (once,) = _one_by_one([value], None, texts)
    leaves = tuple((int(kinds[0]), float(values[0])) for kinds, values in once.leaves)  # type: ignore[index]
    return Piece(once.skeleton, rows, count, leaves)


def _scalars(value: Mixed, rows: Rows | None) -> Column:
    kinds = _KIND_OF_TAG[value.tags if rows is None else value.tags.take(rows)]
    values = value.payload if rows is None else value.payload.take(rows)
    kinds[np.isnan(values)] = LeafKind.NAN
    return kinds, values


def _payload(value: Any, tag: Tag, texts: TextNumbers) -> float:
    return 0.0 if tag is Tag.NONE else float(texts.number(value)) if tag is Tag.TEXT else float(value)


def _numbers(data: Array, tag: Tag) -> Column | None:
    if tag in TRUTHS:
        return int(LeafKind.BOOL), data
    if tag in INTEGERS:
        outside = data.size and (data.max() >= EXACT or data.min() <= -EXACT)
        return None if outside else (int(LeafKind.INT), data)
    missing = np.isnan(data)
    if not missing.any():
        return int(LeafKind.FLOAT), data
    return np.where(missing, np.uint8(LeafKind.NAN), np.uint8(LeafKind.FLOAT)), data


def _count(space: Space, rows: Rows | None) -> int:
    return space.size if rows is None else len(rows)


def _array(value: Arrays | Ragged, elements: int, chosen: _Chosen) -> tuple[Column, ...]:
    found = [chosen.column(value, row) for row in range(elements)]
    columns = tuple(column for column in found if column is not None)
    if len(columns) < len(found):
        raise TooVaried
    return columns


def _one_by_one(objects: list[Any], rows: Rows | None, texts: TextNumbers) -> list[Piece]:
    """Whatever else there is, as the runner encodes it."""
    columns = Columns(Mode())
    columns.take_block(objects)
    header, buffers = columns.finish()
    # Through the wire's own form, so that there is one encoding only.
    plain = json.loads(json.dumps({"batches": [header]}))
    (batch,) = decode_batches(plain, b"".join(memoryview(b).cast("B") for b in buffers if b.nbytes))
    numbers = np.array([texts.number(text) for text in batch.strings] or [0], np.float64)
    pieces = []
    for group in batch.groups:
        textual = np.isin(group.kinds, (LeafKind.STRING, LeafKind.BIGINT, LeafKind.OTHER))
        values = group.values.copy()
        values[textual] = numbers[values[textual].astype(np.intp)]
        chosen = np.asarray(group.rows, np.intp)
        leaves: tuple[Column, ...] = tuple(zip(group.kinds.T, values.T, strict=True))
        pieces.append(Piece(group.skeleton, chosen if rows is None else rows[chosen], len(chosen), leaves))
    return pieces
