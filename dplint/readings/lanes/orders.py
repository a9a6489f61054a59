"""The order of the numbers of each lane, from tables of shape (numbers, lanes).

Few numbers are compared pair by pair, row with row: NumPy's sort goes lane by lane, which takes up to seven times as
long.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FEW = 24


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


def distinct(table: NDArray[Any]) -> NDArray[np.bool_]:
    """In which lanes no two numbers are equal, shape (lanes,)."""
    if len(table) > _FEW:
        ordered = np.sort(table, axis=0)
        return np.asarray((ordered[1:] != ordered[:-1]).all(axis=0))
    found = np.ones(table.shape[1], np.bool_)
    for one, other in combinations(table, 2):
        found &= one != other
    return found
