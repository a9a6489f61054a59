"""How lanes ended, as columns: the same encoding that the runner has for the outputs of plain runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.lanes import Ending, Lanes
from dplint.readings.lanes.spaces import Mask, Rows, Space
from dplint.readings.lanes.values import (
    EXACT,
    FLOATS,
    INTEGERS,
    TRUTHS,
    Arrays,
    Dicts,
    Lists,
    Mixed,
    Numbers,
    Patched,
    Tag,
    Texts,
    Uniform,
    Value,
    tag_of,
)
from dplint.runner.batch import MOST_LEAVES, Batch, Group, Kind, Leaf, Mapping, Raised, Skeleton
from dplint.runner.batch import Sequence as Listed
from dplint.runner.decode import decode_batches
from dplint.runner.encode import Columns, Mode

Kinds = NDArray[np.uint8]
Leaves = NDArray[np.float64]

_KIND_OF_TAG = np.array(
    [Kind.BOOL, Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.INT, Kind.FLOAT, Kind.NONE, Kind.STRING], np.uint8
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Outputs of one shape: which lanes of the block, and kinds and values of shape (leaves, lanes)."""

    skeleton: Skeleton
    lanes: Rows | None
    kinds: Kinds
    values: Leaves


_MOST_CODES = 1 << 15


class TooVaried(Exception):
    """The outputs have to be encoded one by one."""


def pieces_of(ending: Ending, lanes: Lanes) -> list[Piece]:
    """The outputs of one ending."""
    return [
        piece
        for value, mask in _parts(ending.value, ending.lanes, lanes)
        for piece in _pieces(value, mask, ending, lanes)
    ]


def _parts(value: Value, mask: Mask, lanes: Lanes) -> Iterator[tuple[Value, Mask]]:
    """A patched value in its parts, each in its own space: lanes that left a loop at different turns stay apart."""
    while isinstance(value, Patched):
        patch = lanes.mask(value.space, None)
        inside = lanes.both(mask, patch)
        if not lanes.never(inside):
            yield from _parts(value.new, inside, lanes)
        value, mask = value.old, lanes.inside(lanes.minus(mask, patch))
        if lanes.never(mask):
            return
    yield value, mask


def _pieces(value: Value, mask: Mask, ending: Ending, lanes: Lanes) -> list[Piece]:
    space, rows = mask.space, mask.rows()
    value = lanes.at(value, space)
    try:
        pieces = list(_encode(value, space, rows, lanes))
    except TooVaried:
        pieces = _one_by_one(lanes.explode(value, space, rows), rows, lanes.texts)
    if ending.exception is not None:
        pieces = [replace(piece, skeleton=Raised(ending.exception)) for piece in pieces]
    if space is lanes.root:
        return pieces
    return [_at_root(piece, space, lanes.root) for piece in pieces]


def _at_root(piece: Piece, space: Space, root: Space) -> Piece:
    to_root = space.rows_in(root)
    return replace(piece, lanes=to_root if piece.lanes is None else to_root[piece.lanes])


def _encode(value: Value, space: Space, rows: Rows | None, lanes: Lanes) -> Iterable[Piece]:
    """The lanes of one shape at a time."""
    lengths = list(_lengths(value, space, lanes))
    if not lengths:
        yield _alike(value, space, rows, lanes)
        return
    for chosen in _groups(lengths, rows):
        yield _alike(value, space, chosen, lanes)


def _lengths(value: Value, space: Space, lanes: Lanes) -> Iterable[NDArray[np.int32]]:
    """The lengths of all lists in a value that differ between lanes."""
    children: Sequence[Value] = ()
    if isinstance(value, Lists):
        lengths, children = value.lengths, value.items
        if lengths is not None:
            yield lengths
    elif isinstance(value, Dicts):
        children = value.entries
    for child in children:
        if isinstance(child, Lists | Dicts | Patched):
            yield from _lengths(lanes.at(child, space), space, lanes)


def _groups(lengths: Sequence[NDArray[np.int32]], rows: Rows | None) -> list[Rows]:
    """The rows, those of equal lengths together."""
    code = np.zeros(len(lengths[0]) if rows is None else len(rows), np.int64)
    for one in lengths:
        here = one if rows is None else one[rows]
        radix = int(here.max(initial=0)) + 1
        if int(code.max(initial=0)) * radix > _MOST_CODES:
            raise TooVaried
        code = code * radix + here
    # Sorting 16 bits is linear in time.
    order = np.argsort(code.astype(np.uint16), kind="stable")
    counts = np.bincount(code)
    parts = np.split(order, np.cumsum(counts[counts > 0])[:-1])
    return [part if rows is None else rows[part] for part in parts if len(part)]


def _alike(value: Value, space: Space, rows: Rows | None, lanes: Lanes) -> Piece:
    """Outputs that all have one shape."""
    match value:
        case Lists():
            items = value.items
            if value.lengths is not None:
                assert rows is not None
                items = items[: int(value.lengths[rows[0]])]
            return _list(items, "tuple" if value.tuples else "list", space, rows, lanes)
        case Arrays() if value.data.size <= MOST_LEAVES * space.size:
            return _array(value, rows)
        case Dicts():
            children = [_alike(lanes.at(entry, space), space, rows, lanes) for entry in value.entries]
            skeleton = Mapping(value.keys, tuple(child.skeleton for child in children), len(value.keys))
            return _together(skeleton, rows, children, space)
    found = _leaf(value, space, rows, lanes)
    if found is None:
        raise TooVaried
    return Piece(Leaf(), rows, found[0][np.newaxis], found[1][np.newaxis])


def _count(space: Space, rows: Rows | None) -> int:
    return space.size if rows is None else len(rows)


def _leaf(value: Value, space: Space, rows: Rows | None, lanes: Lanes) -> tuple[Kinds, Leaves] | None:
    """Kinds and values of scalars; None for anything else."""
    match value:
        case Uniform():
            tag = tag_of(value.value)
            if tag is None or (tag is Tag.INT and abs(value.value) > EXACT):
                return None
            payload = _payload(value.value, tag, lanes.texts)
            kind = Kind.NAN if np.isnan(payload) else _KIND_OF_TAG[tag]
            count = _count(space, rows)
            return np.full(count, kind, np.uint8), np.full(count, payload)
        case Numbers():
            return _numbers(value, rows)
        case Mixed():
            kinds = _KIND_OF_TAG[value.tags if rows is None else value.tags[rows]]
            values = value.payload if rows is None else value.payload[rows]
            kinds[np.isnan(values)] = Kind.NAN
            return kinds, values
    return None


def _payload(value: Any, tag: Tag, texts: Texts) -> float:
    return 0.0 if tag is Tag.NONE else float(texts.number(value)) if tag is Tag.TEXT else float(value)


def _numbers(value: Numbers, rows: Rows | None) -> tuple[Kinds, Leaves] | None:
    data = value.data if rows is None else value.data[rows]
    if value.tag in INTEGERS and data.size and (data.max() >= EXACT or data.min() <= -EXACT):
        return None
    kind = Kind.BOOL if value.tag in TRUTHS else Kind.INT if value.tag in INTEGERS else Kind.FLOAT
    kinds = np.full(len(data), kind, np.uint8)
    values = data.astype(np.float64, copy=False)
    if value.tag in FLOATS:
        missing = np.isnan(values)
        if missing.any():
            kinds[missing] = Kind.NAN
    return kinds, values


def _list(items: Sequence[Value], kind: str, space: Space, rows: Rows | None, lanes: Lanes) -> Piece:
    if len(items) > MOST_LEAVES:
        raise TooVaried
    children = [_alike(lanes.at(item, space), space, rows, lanes) for item in items]
    flat = all(child.skeleton == Leaf() for child in children)
    inner = len(items) if flat else tuple(child.skeleton for child in children)
    return _together(Listed(kind, (len(items),), inner), rows, children, space)


def _together(skeleton: Skeleton, rows: Rows | None, children: Sequence[Piece], space: Space) -> Piece:
    count = _count(space, rows)
    if not children:
        return Piece(skeleton, rows, np.empty((0, count), np.uint8), np.empty((0, count)))
    kinds = np.concatenate([child.kinds for child in children])
    return Piece(skeleton, rows, kinds, np.concatenate([child.values for child in children]))


def _array(value: Arrays, rows: Rows | None) -> Piece:
    table = value.data.reshape(-1, value.data.shape[-1])
    found = _numbers(Numbers(value.space, (table if rows is None else table[:, rows]).reshape(-1), value.tag), None)
    if found is None:
        raise TooVaried
    shape = (table.shape[0], -1)
    return Piece(Listed("array", value.shape, table.shape[0]), rows, found[0].reshape(shape), found[1].reshape(shape))


def _one_by_one(objects: list[Any], rows: Rows | None, texts: Texts) -> list[Piece]:
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
        textual = np.isin(group.kinds, (Kind.STRING, Kind.BIGINT, Kind.OTHER))
        values = group.values.copy()
        values[textual] = numbers[values[textual].astype(np.intp)]
        chosen = np.asarray(group.rows, np.intp)
        pieces.append(Piece(group.skeleton, chosen if rows is None else rows[chosen], group.kinds.T, values.T))
    return pieces


class Outputs:
    """The outputs of several blocks of lanes."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self._pieces: dict[Skeleton, list[tuple[NDArray[np.int32], Piece]]] = {}
        self.runs = 0

    def add(self, lanes: Lanes) -> None:
        """The lanes of one block; all of them have ended."""
        for ending in lanes.endings:
            for piece in pieces_of(ending, lanes):
                count = piece.values.shape[1]
                if count:
                    rows = np.arange(count) if piece.lanes is None else piece.lanes
                    numbered = (rows + self.runs).astype(np.int32)
                    self._pieces.setdefault(piece.skeleton, []).append((numbered, piece))
        self.runs += lanes.root.size

    def batch(self) -> Batch:
        """All outputs. Values of a group are laid out leaf by leaf: the transpose of a C-ordered array."""
        groups = []
        for skeleton, parts in self._pieces.items():
            rows = np.concatenate([numbered for numbered, _ in parts])
            kinds = np.concatenate([piece.kinds for _, piece in parts], axis=1)
            values = np.concatenate([piece.values for _, piece in parts], axis=1)
            if np.any(rows[1:] < rows[:-1]):
                order = np.argsort(rows, kind="stable")
                rows, kinds, values = rows[order], kinds[:, order], values[:, order]
            groups.append(Group(skeleton, rows, kinds.T, values.T))
        return Batch(self.runs, tuple(groups), tuple(self.texts.all()))


def objects_of(lanes: Lanes) -> list[tuple[str, Any]]:
    """For each lane of a block ("output", object) or ("raised", name of the exception); for tests and for a look."""
    found: list[tuple[str, Any]] = [("", None)] * lanes.root.size
    for ending in lanes.endings:
        space = ending.lanes.space
        rows = np.arange(space.size) if ending.lanes.bits is None else np.flatnonzero(ending.lanes.bits)
        at_root = rows if space is lanes.root else space.rows_in(lanes.root)[rows]
        for row, value in zip(at_root.tolist(), lanes.explode(ending.value, space, rows), strict=True):
            found[row] = ("output", value) if ending.exception is None else ("raised", ending.exception)
    return found
