"""What the twins share: arrays with a row for each run, and the stop after so many hits.

A list of bools becomes a row of int8 with -1 after its end, a list of numbers a row of floats with NaN after its end;
where such a list may also hold False, that is -inf.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Bits = npt.NDArray[np.int8]
Integers = npt.NDArray[np.int64]
Queries = Sequence[float] | Floats

OVER = -1
"""Stands in a row of bools after the end of the list."""


def stopped(above: Bools, limit: int) -> Bits:
    """The answers of a sparse vector, -1 after the `limit`-th hit. The array is reused."""
    bits = above.view(np.int8)
    count = np.zeros(len(bits), dtype=np.int8)
    for column in bits.T:
        over = count >= limit
        count += column
        column[over] = OVER
    return bits


def stopped_zeros(above: Bools, limit: int) -> Bits:
    """The same with 0 after the `limit`-th hit."""
    bits = above.view(np.int8)
    count = np.zeros(len(bits), dtype=np.int8)
    for column in bits.T:
        column[count >= limit] = 0
        count += column
    return bits


def stopped_values(above: Bools, values: Floats, below: float, limit: int, over: float = np.nan) -> Floats:
    """The value where the answer is above, else `below`; `over` after the `limit`-th hit."""
    out = np.where(above, values, below)
    hits = np.cumsum(above, axis=1, dtype=np.int8)
    hits -= above
    out[hits >= limit] = over
    return out


def released(above: Bools, queries: Queries, fresh: Floats) -> Floats:
    """The answers with fresh noise, of shape (runs, hits): each hit of a run takes the next of its draws."""
    place = np.cumsum(above, axis=1, dtype=np.int64)
    place -= 1
    np.clip(place, 0, fresh.shape[1] - 1, out=place)
    values = np.take_along_axis(fresh, place, axis=1)
    values += queries
    return values


def redrawn(noisy: Floats, thresholds: Floats) -> tuple[Bools, Bools]:
    """Hits against a threshold that is replaced after each hit, and which answers come after the last one.

    thresholds: the threshold before each of the hits of a run, of shape (runs, hits).
    """
    above = np.empty(noisy.shape, dtype=bool)
    over = np.empty(noisy.shape, dtype=bool)
    count = np.zeros(len(noisy), dtype=np.int64)
    rows = np.arange(len(noisy))
    limit = thresholds.shape[1]
    for i in range(noisy.shape[1]):
        over[:, i] = count >= limit
        above[:, i] = (noisy[:, i] >= thresholds[rows, np.minimum(count, limit - 1)]) & ~over[:, i]
        count += above[:, i]
    return above, over
