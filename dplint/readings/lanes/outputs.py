"""How lanes ended: as a batch of columns, or as Python objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.encoding import Piece, pieces_of
from dplint.readings.lanes.lanes import Lanes
from dplint.runner.batch import Batch, Group, LeafKind, Skeleton, of_all
from dplint.runner.texts import TextNumbers

_Scalar = TypeVar("_Scalar", np.uint8, np.float64, np.bool_)
_FIRST = np.arange(1 << 18, dtype=np.int32)
_FIRST.flags.writeable = False


class Outputs:
    """The outputs of several blocks of lanes.

    placed: whether the runs of the batch keep the order of the lanes. They are exchangeable, so by default they are
    numbered as they come: those of one shape together. together: as for `pieces_of`.
    """

    def __init__(self, texts: TextNumbers, *, placed: bool = False, together: bool = False) -> None:
        self.texts = texts
        self._placed, self._together = placed, together
        self._pieces: dict[Skeleton, list[tuple[int, Piece]]] = {}
        self.runs = 0

    def add(self, lanes: Lanes) -> None:
        """The lanes of one block; all of them have ended."""
        for ending in lanes.endings:
            for piece in pieces_of(ending, lanes, placed=self._placed, together=self._together):
                if piece.count:
                    self._pieces.setdefault(piece.skeleton, []).append((self.runs, piece))
        self.runs += lanes.root.size

    def batch(self) -> Batch:
        """All outputs. Values of a group are laid out leaf by leaf: the transpose of a C-ordered array."""
        groups = []
        numbered = 0
        for skeleton, parts in self._pieces.items():
            total = sum(piece.count for _, piece in parts)
            kinds = _kinds([piece for _, piece in parts], total)
            values = _values([piece for _, piece in parts], total, kinds)
            rows = _consecutive(numbered, numbered + total)
            if self._placed:
                rows = np.concatenate([_places(before, piece) for before, piece in parts])
                if (rows[1:] < rows[:-1]).any():
                    order = np.argsort(rows, kind="stable")
                    rows, values = rows[order], values[:, order]
                    kinds = kinds[:, order] if kinds.strides[1] else kinds
            groups.append(Group(skeleton, rows, kinds.T, values.T))
            numbered += total
        return Batch(self.runs, tuple(groups), self.texts.texts)


def _consecutive(start: int, stop: int) -> NDArray[np.int32]:
    """The numbers from `start` to `stop`, which cannot be written to."""
    return _FIRST[start:stop] if stop <= len(_FIRST) else np.arange(start, stop, dtype=np.int32)


def _places(before: int, piece: Piece) -> NDArray[np.int32]:
    """The runs that a piece is of, where so many were made before its block."""
    rows = np.arange(piece.count) if piece.lanes is None else piece.lanes
    return (rows + before).astype(np.int32)


def _kinds(pieces: Sequence[Piece], total: int) -> NDArray[np.uint8]:
    """The kinds of all leaves, shape (leaves, total): a view of one column where all outputs agree."""
    first, *others = [[kind for kind, _ in piece.leaves] for piece in pieces]
    if all(isinstance(kind, int) for kind in first) and all(
        isinstance(kind, int) and kind == common for row in others for kind, common in zip(row, first, strict=True)
    ):
        return of_all(np.array(first, np.uint8), total)
    return _filled([first, *others], pieces, np.empty((len(first), total), np.uint8))


def _values(pieces: Sequence[Piece], total: int, kinds: NDArray[np.uint8]) -> NDArray[np.float64] | NDArray[np.bool_]:
    """The values of all leaves, shape (leaves, total): bools where all of them are, else floats; as they came out of
    the program where outputs are one array.
    """
    columns = [[value for _, value in piece.leaves] for piece in pieces]
    dtype = np.dtype(np.float64 if kinds.strides[1] or (kinds[:, :1] != int(LeafKind.BOOL)).any() else np.bool_)
    if len(columns) == 1 and len(columns[0]) == 1:
        (alone,) = columns[0]
        if isinstance(alone, np.ndarray) and alone.dtype == dtype:
            return alone[np.newaxis]
    return _filled(columns, pieces, np.empty((len(kinds), total), dtype))


def _filled(columns: Sequence[Sequence[Any]], pieces: Sequence[Piece], table: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """The leaves of all pieces, one piece after the other, put into a table."""
    start = 0
    for row, piece in zip(columns, pieces, strict=True):
        stop = start + piece.count
        for leaf, one in enumerate(row):
            table[leaf, start:stop] = one
        start = stop
    return table


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
