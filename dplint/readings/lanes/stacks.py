"""Several values of one argument in one block: the first lanes have the first, the next ones the second, and so on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from dplint.readings.lanes.lane_values import Arrays, Lists, Mixed, Numbers, Uniform, Value, same, tag_of
from dplint.readings.lanes.merging import LaneMerger
from dplint.readings.lanes.spaces import Space
from dplint.runner.batch import Batch

_LONGEST = 64


@dataclass(frozen=True, slots=True)
class Stack:
    """Values of one shape, each for `lanes` lanes. Made by `stack`."""

    values: tuple[Any, ...]
    lanes: int

    def value(self, merger: LaneMerger) -> Value:
        """The argument in a block of len(values) * lanes lanes."""
        first = self.values[0]
        if isinstance(first, np.ndarray):
            table = np.stack(self.values, axis=-1)
            return Arrays(merger.root, np.repeat(table, self.lanes, axis=-1))
        return self._column(self.values, merger)

    def _column(self, column: Sequence[Any], merger: LaneMerger) -> Value:
        first = column[0]
        if isinstance(first, list | tuple):
            items = tuple(self._column(inner, merger) for inner in zip(*column, strict=True))
            return Lists(merger.root, items, None, isinstance(first, tuple))
        if all(same(first, other) for other in column[1:]):
            return Uniform(first)
        one_each = merger.implode(list(column), Space(len(column)), None)
        match one_each:
            case Numbers():
                return Numbers(merger.root, np.repeat(one_each.data, self.lanes), one_each.tag, one_each.bound)
            case Mixed():
                tags, payload = np.repeat(one_each.tags, self.lanes), np.repeat(one_each.payload, self.lanes)
                return Mixed(merger.root, tags, payload)
        return merger.implode([item for item in column for _ in range(self.lanes)], merger.root, None)

    def split(self, batch: Batch) -> list[Batch]:
        """The outputs of each value; the batch must have been placed, so that its rows are the lanes."""
        edges = np.arange(len(self.values) + 1) * self.lanes
        parts: list[list[Any]] = [[] for _ in self.values]
        for group in batch.groups:
            cuts = np.searchsorted(group.rows, edges)
            for number, (start, stop) in enumerate(pairwise(cuts.tolist())):
                if stop > start:
                    rows = group.rows[start:stop] - np.int32(edges[number])
                    kinds, values = group.kinds[start:stop], group.values[start:stop]
                    parts[number].append(replace(group, rows=rows, kinds=kinds, values=values))
        return [Batch(self.lanes, tuple(groups), batch.strings) for groups in parts]


def stack(values: Sequence[Any], lanes: int) -> Stack | None:
    """A stack of values; None if they are not scalars, arrays of scalars of one shape, or lists or tuples of one shape,
    also nested, of scalars.
    """
    first = values[0]
    if len({type(value) for value in values}) > 1:
        return None
    if isinstance(first, np.ndarray):
        alike = all(value.shape == first.shape and value.dtype == first.dtype for value in values)
        fits = first.dtype in (np.float64, np.int64) and first.ndim == 1 and first.size
        return Stack(tuple(values), lanes) if alike and fits else None
    return Stack(tuple(values), lanes) if _have_one_shape(values) else None


def _have_one_shape(values: Sequence[Any]) -> bool:
    """Whether they are scalars, or short lists or tuples whose items at each position have one shape."""
    first = values[0]
    if not isinstance(first, list | tuple):
        return all(tag_of(value) is not None for value in values)
    alike = all(type(value) is type(first) and len(value) == len(first) for value in values)
    return alike and len(first) <= _LONGEST and all(map(_have_one_shape, zip(*values, strict=True)))
