"""Sums and positions over the first axis of a table, in the order in which NumPy goes through one lane's array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dplint.readings.lanes.lane_values import Array

_UNROLLED = 8
_BLOCK = 128
_SMALL = 127


def pairwise_sum(rows: Sequence[Any]) -> Any:
    """What `np.add.reduce` gives for each lane's contiguous array of floats.

    NumPy adds in blocks of up to 128, eight partial sums at a time, and halves what is longer (Higham, "The accuracy of
    floating point summation", SIAM J. Sci. Comput. 14, 1993, section 3; `pairwise_sum` in NumPy's loops).
    """
    return 0.0 + _pairwise(rows)


def _pairwise(rows: Sequence[Any]) -> Any:
    count = len(rows)
    if count < _UNROLLED:
        total = rows[0]
        for row in rows[1:]:
            total = total + row
        return total
    if count > _BLOCK:
        half = count // 2 - count // 2 % _UNROLLED
        return _pairwise(rows[:half]) + _pairwise(rows[half:])
    partial = list(rows[:_UNROLLED])
    whole = count - count % _UNROLLED
    for start in range(_UNROLLED, whole, _UNROLLED):
        for offset in range(_UNROLLED):
            partial[offset] = partial[offset] + rows[start + offset]
    a, b, c, d, e, f, g, h = partial
    total = ((a + b) + (c + d)) + ((e + f) + (g + h))
    for row in rows[whole:]:
        total = total + row
    return total


def first_extreme(rows: Sequence[Any], *, largest: bool) -> tuple[Array, Array]:
    """For each lane the position of the first largest (or smallest) entry, shape (lanes,), and that entry.

    Where there is a NaN, the entry is NaN and the position has no meaning.
    """
    better, keep = (np.greater, np.maximum) if largest else (np.less, np.minimum)
    small = len(rows) <= _SMALL
    kind = np.int8 if small else np.int64
    best = rows[0]
    where = np.zeros(np.shape(rows[0]), kind)
    for position, row in enumerate(rows[1:], 1):
        # Positions grow, so the maximum of marked positions is a `where` at a fifth of the price.
        marked = better(row, best).view(np.int8).astype(kind, copy=False) * kind(position)
        np.maximum(where, marked, out=where)
        best = keep(best, row)
    return where.astype(np.int64), best
