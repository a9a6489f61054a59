"""How lanes ended: as a batch of columns, or as Python objects."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.encoding import Piece, pieces_of
from dplint.readings.lanes.lanes import Lanes
from dplint.runner.batch import Batch, Group, Skeleton
from dplint.runner.texts import TextNumbers


class Outputs:
    """The outputs of several blocks of lanes.

    placed: whether the runs of the batch keep the order of the lanes. They are exchangeable, so by default they are
    numbered as they come: those of one shape together.
    """

    def __init__(self, texts: TextNumbers, *, placed: bool = False) -> None:
        self.texts = texts
        self._placed = placed
        self._pieces: dict[Skeleton, list[tuple[int, Piece]]] = {}
        self.runs = 0

    def add(self, lanes: Lanes) -> None:
        """The lanes of one block; all of them have ended."""
        for ending in lanes.endings:
            for piece in pieces_of(ending, lanes, placed=self._placed):
                if piece.count:
                    self._pieces.setdefault(piece.skeleton, []).append((self.runs, piece))
        self.runs += lanes.root.size

    def batch(self) -> Batch:
        """All outputs. Values of a group are laid out leaf by leaf: the transpose of a C-ordered array."""
        groups = []
        numbered = 0
        for skeleton, parts in self._pieces.items():
            total = sum(piece.count for _, piece in parts)
            leaves = len(parts[0][1].leaves)
            kinds, values = np.empty((leaves, total), np.uint8), _alone(parts)
            copied = values is None
            if values is None:
                values = np.empty((leaves, total))
            rows = np.arange(numbered, numbered + total, dtype=np.int32)
            start = 0
            for before, piece in parts:
                stop = start + piece.count
                for leaf, (kind, value) in enumerate(piece.leaves):
                    kinds[leaf, start:stop] = kind
                    if copied:
                        values[leaf, start:stop] = value
                if self._placed:
                    rows[start:stop] = (np.arange(piece.count) if piece.lanes is None else piece.lanes) + before
                start = stop
            if self._placed:
                order = np.argsort(rows, kind="stable")
                rows, kinds, values = rows[order], kinds[:, order], values[:, order]
            groups.append(Group(skeleton, rows, kinds.T, values.T))
            numbered += total
        return Batch(self.runs, tuple(groups), self.texts.texts)


def _alone(parts: list[tuple[int, Piece]]) -> NDArray[np.float64] | None:
    """The values of outputs that are one float each, as they came out of the program, shape (1, n); else None."""
    if len(parts) > 1 or len(parts[0][1].leaves) != 1:
        return None
    value = parts[0][1].leaves[0][1]
    return value[None] if isinstance(value, np.ndarray) and value.dtype == np.float64 else None


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
