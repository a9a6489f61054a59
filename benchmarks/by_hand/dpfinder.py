"""The mechanisms of `fixtures/dpfinder` on arrays of runs. Names of arguments are those of the fixtures."""

# ruff: noqa: N803 - T is the published name

from __future__ import annotations

import numpy as np

from benchmarks.by_hand.arrays import Bits, Floats, Integers, Queries, redrawn, stopped_values, stopped_zeros


def above_threshold(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, runs: int) -> Bits:
    """Bits: (runs, n)."""
    threshold = T + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=2 / epsilon, size=(runs, len(queries)))
    noisy += queries
    return (noisy >= threshold).view(np.int8)


def alg1(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, c: int, runs: int) -> Bits:
    """Bits: (runs, n)."""
    threshold = T + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=4 * c / epsilon, size=(runs, len(queries)))
    noisy += queries
    return stopped_zeros(noisy >= threshold, c)


def alg2(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, c: int, runs: int) -> Bits:
    """Bits: (runs, n)."""
    thresholds = T + rng.laplace(scale=2 * c / epsilon, size=(runs, c))
    noisy = rng.laplace(scale=4 * c / epsilon, size=(runs, len(queries)))
    noisy += queries
    above, _ = redrawn(noisy, thresholds)
    return above.view(np.int8)


def alg3(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, c: int, runs: int) -> Floats:
    """Noisy answers above, else -10: (runs, n)."""
    threshold = T + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=2 * c / epsilon, size=(runs, len(queries)))
    noisy += queries
    return stopped_values(noisy >= threshold, noisy, -10.0, c, over=-10.0)


def alg4(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, c: int, runs: int) -> Bits:
    """Bits: (runs, n)."""
    threshold = T + rng.laplace(scale=4 / epsilon, size=(runs, 1))
    noisy = rng.laplace(scale=4 * c / (3 * epsilon), size=(runs, len(queries)))
    noisy += queries
    return stopped_zeros(noisy >= threshold, c)


def alg5(rng: np.random.Generator, queries: Queries, epsilon: float, T: float, runs: int) -> Bits:
    """Bits: (runs, n)."""
    threshold = T + rng.laplace(scale=2 / epsilon, size=(runs, 1))
    return (np.asarray(queries) >= threshold).view(np.int8)


def exp_mech(rng: np.random.Generator, queries: Queries, epsilon: float, runs: int) -> Integers:
    """Index of the largest answer: (runs,)."""
    noisy = rng.exponential(scale=2 / epsilon, size=(runs, len(queries)))
    noisy += queries
    index: Integers = np.argmax(noisy, axis=1)
    return index


def report_noisy_max(rng: np.random.Generator, queries: Queries, epsilon: float, runs: int) -> Integers:
    """Index of the largest answer: (runs,)."""
    noisy = rng.laplace(scale=2 / epsilon, size=(runs, len(queries)))
    noisy += queries
    index: Integers = np.argmax(noisy, axis=1)
    return index


def private_sum(rng: np.random.Generator, records: Queries, epsilon: float, runs: int) -> Floats:
    """The noisy sum: (runs,)."""
    return np.sum(records) + rng.laplace(scale=1 / epsilon, size=runs)
