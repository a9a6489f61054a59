"""The mechanisms of `fixtures/dpsniper` on arrays of runs. Names of arguments are those of the fixtures."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.by_hand.arrays import (
    OVER,
    Bits,
    Bools,
    Floats,
    Integers,
    Queries,
    redrawn,
    released,
    stopped,
    stopped_values,
)

FILTER_SIZE = 20
HASHES = {0: (11, 11, 18, 0), 1: (3, 10, 13, 3), 2: (11, 19, 10, 7)}
"""Bits that RAPPOR's Bloom filter has for a value; the fixture holds them for -10 to 10."""


def laplace_mechanism(rng: np.random.Generator, value: float, epsilon: float, runs: int) -> Floats:
    """The noisy number: (runs,)."""
    return value + rng.laplace(scale=1 / epsilon, size=runs)


def laplace_parallel(rng: np.random.Generator, value: float, epsilon: float, copies: int, runs: int) -> Floats:
    """The noisy copies: (runs, copies)."""
    return value + rng.laplace(scale=copies / epsilon, size=(runs, copies))


def prefix_sum(rng: np.random.Generator, queries: Queries, epsilon: float, runs: int) -> Floats:
    """Running sums: (runs, n)."""
    noisy = rng.laplace(scale=1 / epsilon, size=(runs, len(queries)))
    noisy += queries
    return np.cumsum(noisy, axis=1, out=noisy)


def truncated_geometric(rng: np.random.Generator, count: int, epsilon: float, n: int, runs: int) -> Integers:
    """Noisy counts: (runs,)."""
    k = math.ceil(math.log(2 / epsilon))
    base = 2**k + 1
    total = (2 ** (k + 1) + 1) * base ** (n - 1)
    below = [2 ** (k * (count - z)) * base ** (n - (count - z)) for z in range(count)]
    above = [total - 2 ** (k * (z - count + 1)) * base ** (n - 1 - (z - count)) for z in range(count, n)]
    cumulative = np.array([*below, *above, total], dtype=np.int64)
    return np.searchsorted(cumulative, rng.integers(1, total + 1, size=runs))


def one_time_rappor(rng: np.random.Generator, value: int, f: float, runs: int) -> Bits:
    """Reports: (runs, 20)."""
    return _permanent(rng, value, f, runs).view(np.int8)


def rappor(rng: np.random.Generator, value: int, f: float, p: float, q: float, runs: int) -> Bits:
    """Reports: (runs, 20)."""
    permanent = _permanent(rng, value, f, runs)
    coins = rng.random((runs, FILTER_SIZE))
    return np.where(permanent, coins < q, coins < p).view(np.int8)


def _permanent(rng: np.random.Generator, value: int, f: float, runs: int) -> Bools:
    """The filter of the value; a bit becomes 1 for a coin below f / 2, and 0 for one below f."""
    bits = np.zeros(FILTER_SIZE, dtype=bool)
    bits[list(HASHES[value])] = True
    coins = rng.random((runs, FILTER_SIZE))
    return (coins < f / 2) | ((coins >= f) & bits)


def svt2(rng: np.random.Generator, queries: Queries, epsilon: float, t: float, c: int, runs: int) -> Bits:
    """Answers, -1 after the end: (runs, n)."""
    thresholds = t + rng.laplace(scale=2 * c / epsilon, size=(runs, c))
    noisy = rng.laplace(scale=4 * c / epsilon, size=(runs, len(queries)))
    noisy += queries
    above, over = redrawn(noisy, thresholds)
    bits = above.view(np.int8)
    bits[over] = OVER
    return bits


def numerical_svt(rng: np.random.Generator, queries: Queries, epsilon: float, t: float, c: int, runs: int) -> Floats:
    """Reported answers, 0 for below, NaN after the end: (runs, n)."""
    threshold = t + rng.laplace(scale=3 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=6 * c / epsilon, size=(runs, len(queries)))
    noisy += queries
    above = noisy >= threshold
    fresh = rng.laplace(scale=3 * c / epsilon, size=(runs, c))
    return stopped_values(above, released(above, queries, fresh), 0.0, c)


def svt34_parallel(
    rng: np.random.Generator, queries: Queries, epsilon: float, t: float, c: int, runs: int
) -> tuple[Floats, Bits]:
    """Noisy answers above, -inf for False, NaN after the end; and answers, -1 after the end: (runs, n) each."""
    threshold = t + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=2 * c / epsilon, size=(runs, len(queries)))
    noisy += queries
    values = stopped_values(noisy >= threshold, noisy, -np.inf, c)
    threshold = t + rng.laplace(scale=4 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=4 / (3 * epsilon), size=(runs, len(queries)))
    noisy += queries
    return values, stopped(noisy >= threshold, c)
