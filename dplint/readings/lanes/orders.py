"""The order of the numbers of each lane, from tables of shape (numbers, lanes).

Few numbers are compared pair by pair, row with row: NumPy's sort goes lane by lane, which takes up to seven times as
long.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FEW = 24
MINUS_ZERO = np.iinfo(np.int64).min
"""The bits of -0.0."""


def stable_order(table: NDArray[Any]) -> NDArray[np.int64]:
    """The positions in ascending order, those of equal numbers as they stand: `np.argsort` on axis 0. Not for NaN."""
    if len(table) > _FEW:
        return np.argsort(table, axis=0, kind="stable").astype(np.int64)
    ranks = np.zeros(table.shape, np.uint8)
    for one, other in combinations(range(len(table)), 2):
        above = (table[one] > table[other]).view(np.uint8)
        ranks[one] += above
        ranks[other] += np.uint8(1) - above
    order = np.zeros(table.shape, np.uint8)
    for place, number in product(range(len(table)), range(1, len(table))):
        order[place] += (ranks[number] == place).view(np.uint8) * np.uint8(number)
    return order.astype(np.int64)


def in_order(table: NDArray[Any]) -> NDArray[Any]:
    """The numbers in ascending order, to the bit: `np.sort` on axis 0."""
    # Of 0.0 and -0.0 neither is the lesser one, and NaN is none.
    broken = table.dtype.kind == "f" and (table.view(np.int64) == MINUS_ZERO).any()
    if len(table) > _FEW or broken:
        return np.sort(table, axis=0)
    rows = list(table)
    for low, high in _network(len(rows)):
        rows[low], rows[high] = np.minimum(rows[low], rows[high]), np.maximum(rows[low], rows[high])
    if rows and rows[-1].dtype.kind == "f" and np.isnan(rows[-1]).any():
        return np.sort(table, axis=0)
    return np.array(rows, table.dtype).reshape(table.shape)


@cache
def _network(count: int) -> tuple[tuple[int, int], ...]:
    """The places that are compared, in their order (Batcher, "Sorting networks and their applications", 1968)."""
    return tuple(_merge_exchange(count))


def _merge_exchange(count: int) -> Iterator[tuple[int, int]]:
    """Knuth, The Art of Computer Programming, volume 3, 5.2.2, algorithm M."""
    top = 1 << max((count - 1).bit_length() - 1, 0)
    step = top if count > 1 else 0
    while step:
        bound, wanted, distance = top, 0, step
        while True:
            yield from ((low, low + distance) for low in range(count - distance) if low & step == wanted)
            if bound == step:
                break
            distance, bound, wanted = bound - step, bound // 2, step
        step //= 2


def distinct(table: NDArray[Any]) -> NDArray[np.bool_]:
    """In which lanes no two numbers are equal, shape (lanes,)."""
    if len(table) > _FEW:
        ordered = np.sort(table, axis=0)
        return np.asarray((ordered[1:] != ordered[:-1]).all(axis=0))
    found = np.ones(table.shape[1], np.bool_)
    for one, other in combinations(table, 2):
        found &= one != other
    return found
