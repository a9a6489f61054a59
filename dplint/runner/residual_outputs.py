"""The outputs of runs of a residual program as a batch of columns. Part of the worker."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dplint.runner.batch import Batch, Group, Skeleton, of_all
from dplint.runner.flatten import BOOL, FLOAT, INT, LEAF, MOST_TEXT, NAN, NONE, STRING, TEXTUAL, Flattener, Strings
from dplint.runner.residual import NotResidual
from dplint.runner.residual_tree import Output
from dplint.runner.texts import TextNumbers
from dplint.tracing import paths as of_lanes
from dplint.tracing.lanes import PerLane, each_once, tracer
from dplint.tracing.paths import ARRAY, EXACT
from dplint.tracing.recording import Values

_KINDS = np.array([BOOL, INT, FLOAT, FLOAT, NONE], np.uint8)
"""The kinds of leaves of the types that a value by lane may mix, in their order in `tracing.kinds`."""
assert of_lanes.BOOL == 0
assert of_lanes.NONE == 4
_Columns = list[tuple[Any, Any]]
"""Of each leaf the kinds and the values, arrays by lane or one for all."""
_Pieces = dict[Skeleton, list[tuple[NDArray[Any], _Columns]]]
"""By the form of outputs the lanes and columns of each path."""


class NoColumn(Exception):
    """What an output holds is no column of numbers of known kinds."""


class ResidualOutputs:
    """The outputs of some blocks of so many runs that are made together, one after the other in the lanes.

    placed: whether runs keep the numbers of their lanes; else they are numbered as they come, as runs are exchangeable.
    """

    def __init__(self, texts: TextNumbers, runs: int, blocks: int = 1, *, placed: bool = False) -> None:
        self._texts, self._runs, self._placed = texts, runs, placed
        self._pieces: list[_Pieces] = [{} for _ in range(blocks)]

    def take(self, output: Output, values: Values) -> None:
        """The end of a path. Raises NotResidual."""
        columns: _Columns = []
        try:
            for first, second in output.leaves:
                if isinstance(second, int):
                    columns += self._by_lane(values.values[first], second)
                elif first in TEXTUAL:
                    columns.append((first, float(self._texts.number(second))))
                else:
                    columns.append((first, float.fromhex(second)))
        except NoColumn:
            raise NotResidual("its outputs are objects of many kinds") from None
        lanes = tracer.lanes
        if len(self._pieces) == 1:
            self._pieces[0].setdefault(output.skeleton, []).append((lanes, columns))
            return
        for number, (start, stop) in enumerate(pairwise(self.edges(lanes))):
            if start < stop:
                own = [(_part(kind, start, stop), _part(value, start, stop)) for kind, value in columns]
                pieces = self._pieces[number].setdefault(output.skeleton, [])
                pieces.append((lanes[start:stop] - number * self._runs, own))

    def edges(self, lanes: NDArray[Any]) -> list[int]:
        """Where among these lanes, which are in order, each block begins, and the end of the last one."""
        begins = np.arange(len(self._pieces) + 1) * self._runs
        edges: list[int] = np.searchsorted(lanes, begins).tolist()
        return edges

    def _by_lane(self, value: PerLane, count: int) -> _Columns:
        if value.form == ARRAY:
            rows = tracer.rows(value)
            flat = np.moveaxis(rows.reshape(len(rows), -1), 1, 0)
            return [_column_of(PerLane(column)) for column in flat[:count]]
        if value.kinds is None and tracer.raw(value).dtype == object:
            return [self._objects(value)]
        return [_column_of(value)]

    def _objects(self, value: PerLane) -> tuple[Any, Any]:
        """Texts and large numbers."""
        items, codes = each_once(tracer.raw(value))
        if set(map(type, items)) == {str} and max(map(len, items)) <= MOST_TEXT:
            numbers = np.fromiter(map(self._texts.number, items), np.float64, len(items))
            return STRING, numbers if codes is None else numbers[codes]
        items = tracer.items(value)
        strings = Strings()
        single = Flattener(strings)
        kinds, numbers = np.empty(tracer.count, np.uint8), np.empty(tracer.count)
        for lane, item in enumerate(items):
            if single.take(item) != LEAF:
                raise NoColumn
            kinds[lane], numbers[lane] = single.kinds[0], single.values[0]
        textual = np.isin(kinds, TEXTUAL)
        own = np.array([self._texts.number(text) for text in strings.all()], np.float64)
        if textual.any():
            numbers[textual] = own[numbers[textual].astype(np.intp)]
        return kinds, numbers

    def batches(self) -> tuple[Batch, ...]:
        """All outputs, block by block."""
        return tuple(map(self._batch, self._pieces))

    def _batch(self, of_block: _Pieces) -> Batch:
        """Values of a group are laid out leaf by leaf: the transpose of a C-ordered array."""
        groups, numbered = [], 0
        for skeleton, pieces in of_block.items():
            total = sum(len(lanes) for lanes, _ in pieces)
            kinds, values = _table(pieces, total)
            rows: NDArray[np.int32] = np.arange(numbered, numbered + total, dtype=np.int32)
            if self._placed:
                rows = np.concatenate([lanes for lanes, _ in pieces]).astype(np.int32)
                order = np.argsort(rows, kind="stable")
                rows, values = rows[order], values[:, order]
                kinds = kinds[:, order] if kinds.strides[1] else kinds
            groups.append(Group(skeleton, rows, kinds.T, values.T))
            numbered += total
        return Batch(self._runs, tuple(groups), self._texts.texts)


def _column_of(value: PerLane) -> tuple[Any, Any]:
    """The kinds of a number by lane, one for all where they agree, and the values. Raises NoColumn."""
    rows = tracer.raw(value)
    if value.kinds is not None:
        kinds = _KINDS[value.kinds]
        rows = np.where(value.kinds == of_lanes.NONE, 0.0, rows) + 0.0  # whole numbers have no zero with a sign
        return np.where(np.isnan(rows) & (kinds == FLOAT), NAN, kinds).astype(np.uint8), rows
    kind = rows.dtype.kind
    if kind == "b":
        return BOOL, rows
    if kind in "iu":
        if rows.size and max(abs(int(rows.max())), abs(int(rows.min()))) > EXACT:
            raise NoColumn
        return INT, rows
    if kind != "f":
        raise NoColumn
    nan = np.isnan(rows)
    return (np.where(nan, NAN, FLOAT).astype(np.uint8) if nan.any() else FLOAT), rows


def _part(column: Any, start: int, stop: int) -> Any:
    return column[start:stop] if isinstance(column, np.ndarray) else column


def _table(pieces: list[tuple[NDArray[Any], _Columns]], total: int) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """Kinds and values of all leaves, a row for each: kinds are a view of one column where all outputs agree."""
    leaves = len(pieces[0][1])
    common = [
        {column[leaf][0] if isinstance(column[leaf][0], int) else -1 for _, column in pieces} for leaf in range(leaves)
    ]
    constant = all(len(kinds) == 1 and -1 not in kinds for kinds in common)
    kinds: NDArray[np.uint8] = np.empty((leaves, total), np.uint8)
    if constant:
        kinds = of_all(np.array([next(iter(kind)) for kind in common], np.uint8), total)
    bools = constant and all(kind == {BOOL} for kind in common)
    if len(pieces) == 1 and leaves == 1 and constant:
        alone = pieces[0][1][0][1]
        if isinstance(alone, np.ndarray) and alone.dtype == (np.bool_ if bools else np.float64):
            return kinds, alone[np.newaxis]
    values: NDArray[Any] = np.empty((leaves, total), np.bool_ if bools else np.float64)
    start = 0
    for lanes, columns in pieces:
        stop = start + len(lanes)
        for leaf, (kind, value) in enumerate(columns):
            values[leaf, start:stop] = value
            if not constant:
                kinds[leaf, start:stop] = kind
        start = stop
    return kinds, values
