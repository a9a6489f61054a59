"""The mechanisms of `fixtures/statdp` on arrays of runs. Names of arguments are those of the fixtures."""

# ruff: noqa: N803 - T and N are published names

from __future__ import annotations

import numpy as np

from benchmarks.by_hand.arrays import Bits, Floats, Integers, Queries, stopped, stopped_values


def noisy_max_v1a(rng: np.random.Generator, queries: Queries, epsilon: float, runs: int) -> Integers:
    """Index of the largest answer after Laplace noise: (runs,)."""
    noisy = rng.laplace(scale=2 / epsilon, size=(runs, len(queries)))
    noisy += queries
    index: Integers = np.argmax(noisy, axis=1)
    return index


def noisy_max_v1b(rng: np.random.Generator, queries: Queries, epsilon: float, runs: int) -> Floats:
    """The largest answer after Laplace noise: (runs,)."""
    noisy = rng.laplace(scale=2 / epsilon, size=(runs, len(queries)))
    noisy += queries
    return np.asarray(noisy.max(axis=1))


def noisy_max_v2a(rng: np.random.Generator, queries: Queries, epsilon: float, runs: int) -> Integers:
    """Index of the largest answer after exponential noise: (runs,)."""
    noisy = rng.exponential(scale=2 / epsilon, size=(runs, len(queries)))
    noisy += queries
    index: Integers = np.argmax(noisy, axis=1)
    return index


def noisy_max_v2b(rng: np.random.Generator, queries: Queries, epsilon: float, runs: int) -> Floats:
    """The largest answer after exponential noise: (runs,)."""
    noisy = rng.exponential(scale=2 / epsilon, size=(runs, len(queries)))
    noisy += queries
    return np.asarray(noisy.max(axis=1))


def histogram(rng: np.random.Generator, counts: Queries, epsilon: float, runs: int) -> Floats:
    """Noisy counts: (runs, n)."""
    noisy = rng.laplace(scale=1 / epsilon, size=(runs, len(counts)))
    noisy += counts
    return noisy


def histogram_eps(rng: np.random.Generator, counts: Queries, epsilon: float, runs: int) -> Floats:
    """Noisy counts: (runs, n)."""
    noisy = rng.laplace(scale=epsilon, size=(runs, len(counts)))
    noisy += counts
    return noisy


def svt(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, N: int, runs: int) -> Bits:
    """Answers, -1 after the end: (runs, n)."""
    threshold = T + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=4 * N / epsilon, size=(runs, len(queries)))
    noisy += queries
    return stopped(noisy >= threshold, N)


def isvt1(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, runs: int) -> Bits:
    """Answers: (runs, n)."""
    threshold = T + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    return (np.asarray(queries) >= threshold).view(np.int8)


def isvt2(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, runs: int) -> Bits:
    """Answers: (runs, n)."""
    threshold = T + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=2 / epsilon, size=(runs, len(queries)))
    noisy += queries
    return (noisy >= threshold).view(np.int8)


def isvt3(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, N: int, runs: int) -> Bits:
    """Answers, -1 after the end: (runs, n)."""
    threshold = T + rng.laplace(scale=4 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=4 / (3 * epsilon), size=(runs, len(queries)))
    noisy += queries
    return stopped(noisy > threshold, N)


def isvt4(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, N: int, runs: int) -> Floats:
    """Noisy answers above, -inf for False, NaN after the end: (runs, n)."""
    threshold = T + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=2 * N / epsilon, size=(runs, len(queries)))
    noisy += queries
    return stopped_values(noisy > threshold, noisy, -np.inf, N)
