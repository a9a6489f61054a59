"""The sparse vectors of `fixtures/checkdp` that report values, on arrays of runs. Names are those of the fixtures."""

# ruff: noqa: N803 - T and N are published names

from __future__ import annotations

import numpy as np

from benchmarks.by_hand.arrays import Bools, Floats, Queries, released, stopped_values

MARGIN = 16.0
"""How far above the threshold an answer must be for AdaptiveSVT's first branch."""


def num_svt(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, N: int, runs: int) -> Floats:
    """Reported answers, 0 for below, NaN after the end: (runs, n)."""
    threshold = T + rng.laplace(scale=3 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=6 * N / epsilon, size=(runs, len(queries)))
    noisy += queries
    above = noisy >= threshold
    fresh = rng.laplace(scale=3 * N / epsilon, size=(runs, N))
    return stopped_values(above, released(above, queries, fresh), 0.0, N)


def gap_svt(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, N: int, runs: int) -> Floats:
    """Gaps, 0 for below, NaN after the end: (runs, n)."""
    threshold = T + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    gap = rng.laplace(scale=4 * N / epsilon, size=(runs, len(queries)))
    gap += queries
    gap -= threshold
    return stopped_values(gap >= 0, gap, 0.0, N)


def bad_gap_svt(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, N: int, runs: int) -> Floats:
    """Noisy answers above, -100 for below, NaN after the end: (runs, n)."""
    threshold = T + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=4 * N / epsilon, size=(runs, len(queries)))
    noisy += queries
    return stopped_values(noisy >= threshold, noisy, -100.0, N)


def adaptive_svt(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, N: int, runs: int) -> Floats:
    """Gaps, 0 for below, NaN after the end: (runs, n)."""
    threshold = T + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    first = rng.laplace(scale=8 * N / epsilon, size=(runs, len(queries)))
    second = rng.laplace(scale=4 * N / epsilon, size=(runs, len(queries)))
    distance = queries - threshold
    first += distance
    second += distance
    return _adaptive(first >= MARGIN, first, second, 0.0, N)


def bad_adaptive_svt(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, N: int, runs: int) -> Floats:
    """Noisy answers far above, gaps above, -100 for below, NaN after the end: (runs, n)."""
    threshold = T + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    first = rng.laplace(scale=8 * N / epsilon, size=(runs, len(queries)))
    second = rng.laplace(scale=4 * N / epsilon, size=(runs, len(queries)))
    distance = queries - threshold
    second += distance
    first += queries
    return _adaptive(first - threshold >= MARGIN, first, second, -100.0, N)


def _adaptive(far: Bools, first: Floats, second: Floats, below: float, N: int) -> Floats:
    """The first value where it is far above, else the second where that is not negative; NaN once the cost is spent."""
    above = second >= 0
    out = np.where(far, first, np.where(above, second, below))
    cost = np.where(far, np.int16(1), np.where(above, np.int16(2), np.int16(0)))
    spent = np.cumsum(cost, axis=1, dtype=np.int16)
    spent -= cost
    out[spent > 2 * N - 2] = np.nan
    return out
