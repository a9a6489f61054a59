"""Sums, noisy max and sparse vectors of `fixtures/checkdp` on arrays of runs. Names of arguments are those there."""

# ruff: noqa: N803 - T, N and M are published names

from __future__ import annotations

import numpy as np

from benchmarks.by_hand.arrays import Bits, Floats, Integers, Queries, stopped


def partial_sum(rng: np.random.Generator, queries: Queries, epsilon: float, runs: int) -> Floats:
    """The noisy sum: (runs,)."""
    return np.sum(queries) + rng.laplace(scale=1 / epsilon, size=runs)


def bad_partial_sum(rng: np.random.Generator, queries: Queries, epsilon: float, runs: int) -> Floats:
    """The noisy sum: (runs,)."""
    return np.sum(queries) + rng.laplace(scale=1 / (2 * epsilon), size=runs)


def smart_sum(rng: np.random.Generator, queries: Queries, epsilon: float, T: int, M: int, runs: int) -> Floats:
    """Running sums: (runs, T + 1)."""
    noise = rng.laplace(scale=1 / epsilon, size=(runs, min(T + 1, len(queries))))
    return _blocks(noise, queries, M)


def bad_smart_sum(rng: np.random.Generator, queries: Queries, epsilon: float, T: int, M: int, runs: int) -> Floats:
    """Running sums; the end of a block has no noise: (runs, T + 1)."""
    noise = np.zeros((runs, min(T + 1, len(queries))))
    inside = (np.arange(noise.shape[1]) + 1) % M != 0
    noise[:, inside] = rng.laplace(scale=1 / epsilon, size=(runs, int(inside.sum())))
    return _blocks(noise, queries, M)


def _blocks(noise: Floats, queries: Queries, M: int) -> Floats:
    """Adds the answers to the noise of every output, in place."""
    block = 0.0
    for i in range(noise.shape[1]):
        block += queries[i]
        if (i + 1) % M == 0:
            noise[:, i] += block
            block = 0.0
        else:
            noise[:, i] += queries[i]
            if i > 0:
                noise[:, i] += noise[:, i - 1]
    return noise


def noisy_max(rng: np.random.Generator, queries: Queries, epsilon: float, runs: int) -> Integers:
    """Index of the largest answer: (runs,)."""
    noisy = rng.laplace(scale=2 / epsilon, size=(runs, len(queries)))
    noisy += queries
    index: Integers = np.argmax(noisy, axis=1)
    return index


def bad_noisy_max(rng: np.random.Generator, queries: Queries, epsilon: float, runs: int) -> Floats:
    """The largest answer: (runs,)."""
    noisy = rng.laplace(scale=2 / epsilon, size=(runs, len(queries)))
    noisy += queries
    return np.asarray(noisy.max(axis=1))


def svt(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, N: int, runs: int) -> Bits:
    """Bits, -1 after the end: (runs, n)."""
    threshold = T + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=4 * N / epsilon, size=(runs, len(queries)))
    noisy += queries
    return stopped(noisy >= threshold, N)


def svt_increasing(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, N: int, runs: int) -> Bits:
    """Bits, -1 after the end: (runs, n)."""
    threshold = T + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=2 * N / epsilon, size=(runs, len(queries)))
    noisy += queries
    return stopped(noisy >= threshold, N)


svt_decreasing = svt_increasing
"""The same mechanism; only its pairs are others."""


def bad_svt1(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, runs: int) -> Bits:
    """Bits: (runs, n)."""
    threshold = T + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    return (np.asarray(queries) >= threshold).view(np.int8)


def bad_svt2(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, runs: int) -> Bits:
    """Bits: (runs, n)."""
    threshold = T + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=2 / epsilon, size=(runs, len(queries)))
    noisy += queries
    return (noisy >= threshold).view(np.int8)


def bad_svt3(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, N: int, runs: int) -> Bits:
    """Bits, -1 after the end: (runs, n)."""
    threshold = T + rng.laplace(scale=4 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=4 / (3 * epsilon), size=(runs, len(queries)))
    noisy += queries
    return stopped(noisy >= threshold, N)
