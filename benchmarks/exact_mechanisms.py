"""Mechanisms of `benchmarks.exact` that no fixture has: discrete noise, heavy tails, and loops over many records."""

from __future__ import annotations

import math

import numpy as np

from dplint import dp


@dp(epsilon="epsilon", neighbors="linf")
def geometric(rng, queries, epsilon):
    """The geometric mechanism: a difference of two geometric draws."""
    p = 1 - math.exp(-epsilon)
    return [q + rng.geometric(p) - rng.geometric(p) for q in queries]


@dp(epsilon="epsilon", neighbors="linf")
def geometric_clipped(rng, queries, epsilon):
    """One count, clipped to what is possible."""
    p = 1 - math.exp(-epsilon)
    return max(0, min(100, int(queries[0] + rng.geometric(p) - rng.geometric(p))))


@dp(epsilon="epsilon", neighbors="linf")
def geometric_noisy_max(rng, queries, epsilon):
    """The index of the largest noisy count; ties go to the first."""
    p = 1 - math.exp(-epsilon / 2)
    return int(np.argmax([q + rng.geometric(p) - rng.geometric(p) for q in queries]))


@dp(epsilon="epsilon", neighbors="linf")
def geometric_svt(rng, queries, epsilon, T):  # noqa: N803
    """Above threshold with discrete noise."""
    p = 1 - math.exp(-epsilon / 4)
    threshold = T + rng.geometric(p) - rng.geometric(p)
    for index, query in enumerate(queries):
        if query + rng.geometric(p) - rng.geometric(p) >= threshold:
            return index
    return None


@dp(epsilon="epsilon", neighbors="linf")
def cauchy(rng, queries, epsilon):
    """One answer with Cauchy noise."""
    return queries[0] + rng.standard_cauchy() / epsilon


@dp(epsilon="epsilon", neighbors="linf")
def gaussian(rng, queries, epsilon):
    """One answer with normal noise: no epsilon alone."""
    return queries[0] + rng.normal(scale=1 / epsilon)


@dp(epsilon="epsilon", neighbors="linf")
def running_max(rng, queries, epsilon):
    """The value of the largest, in a loop."""
    best = -math.inf
    for query in queries:
        noisy = query + rng.laplace(scale=2 / epsilon)
        if noisy > best:  # noqa: PLR1730
            best = noisy
    return best


@dp(epsilon="epsilon", neighbors="l1")
def randomised_count(rng, queries, epsilon):
    """How many say yes."""
    keep, count = 1 / (1 + math.exp(-epsilon)), 0
    for q in queries:
        count += q if rng.random() < keep else 1 - q
    return count
