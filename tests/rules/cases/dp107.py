"""Further examples of DP107: duplicated operand."""

import numpy as np

from dplint import dp


# bad
def sensitivity_of(lower, upper):
    return max(abs(lower), abs(lower)) ** 2


@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
def squares(rng, values, epsilon, lower=0.0, upper=100.0):
    clipped = np.clip(values, lower, upper)
    return sum(v * v for v in clipped) + rng.laplace(scale=sensitivity_of(lower, upper) / epsilon)


# good
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def total(rng, values, epsilon, low=0.0, high=100.0):
    clipped = np.clip(values, low, high)
    return sum(clipped) + rng.laplace(scale=(high - low) / epsilon)


# bad
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def total(rng, values, epsilon, low=0.0, high=100.0):
    clipped = np.clip(values, low, low)
    return sum(clipped) + rng.laplace(scale=(high - low) / epsilon)


# bad
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def total(rng, values, epsilon, low=0.0, high=100.0):
    clipped = np.clip(values, low, high)
    return sum(clipped) + rng.laplace(scale=(high - high) / epsilon)


# bad
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-9, 9))
def total(rng, values, epsilon, bounds):
    width = np.maximum(abs(bounds[0]), abs(bounds[0]))
    return sum(values) + rng.laplace(scale=width / epsilon)


# bad
from diffprivlib import tools


@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 9))
def mean(values, epsilon, lower=0, upper=9):
    return tools.mean(values, epsilon=epsilon, bounds=(lower, lower))


# good: a square is meant
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-9, 9))
def squares(rng, values, epsilon, low=-9.0, high=9.0):
    width = max(abs(low), abs(high)) * max(abs(low), abs(high))
    return sum(v * v for v in values) + rng.laplace(scale=width / epsilon)


# good: two draws are two values
@dp(epsilon="epsilon", neighbors="l1")
def larger(rng, values, epsilon):
    noise = max(rng.laplace(scale=1 / epsilon), rng.laplace(scale=1 / epsilon))
    return sum(values) + noise


# good: not a number
@dp(epsilon="epsilon", neighbors="l1")
def numbers(rng, values, epsilon):
    kept = [0.0 if v != v else v for v in values]
    return sum(kept) + rng.laplace(scale=1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="l1")
def cells(rng, values, epsilon):
    width = max(1, 1)
    return sum(values) + rng.laplace(scale=width / epsilon)
