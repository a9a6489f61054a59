"""Further examples of DP304: porous floating-point noise."""

import math

import numpy as np

from dplint import dp


# bad
@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    return [count + rng.laplace(scale=1 / epsilon) for count in counts]


# good
@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    return [round(count + rng.laplace(scale=1 / epsilon)) for count in counts]


# bad
@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    return np.asarray(counts) + rng.laplace(scale=1 / epsilon, size=len(counts))


# bad
@dp(epsilon="epsilon", delta=1e-5, neighbors="l2")
def total(rng, values, epsilon):
    return sum(values) + 5 / epsilon * rng.standard_normal()


# bad
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    noisy = rng.laplace(sum(values), 1 / epsilon)
    return max(noisy, 0.0)


# bad
@dp(epsilon="epsilon", neighbors="l1")
def both(rng, values, epsilon):
    noisy = sum(values) + rng.laplace(scale=1 / epsilon)
    return noisy, round(noisy)


# good
@dp(epsilon="epsilon", neighbors="l1", domain=(0, 100))
def geometric(rng, count: int, epsilon):
    p = 1 - math.exp(-epsilon)
    return count + int(rng.geometric(p)) - int(rng.geometric(p))


# good
@dp(epsilon="epsilon", neighbors="linf")
def best(rng, scores, epsilon):
    return int(np.argmax([score + rng.gumbel(scale=2 / epsilon) for score in scores]))


# good
@dp(epsilon="epsilon", neighbors="linf")
def first_above(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    for i, query in enumerate(queries):
        if query + rng.laplace(scale=4 / epsilon) >= threshold:
            return i
    return -1


# good
@dp(epsilon="epsilon", neighbors="l1")
def snapped(rng, values, epsilon, grid):
    return round((sum(values) + rng.laplace(scale=1 / epsilon)) / grid) * grid
