"""Further examples of DP115: arithmetic after the clip."""

import numpy as np

from dplint import dp


# bad: squares
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-100, 100))
def released(rng, values, epsilon):
    clipped = np.clip(values, -10, 10)
    return (clipped**2).sum() + rng.laplace(scale=10 / epsilon)


# bad: a constant is added to each
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-100, 100))
def released(rng, values, epsilon):
    held = [min(max(v, 0), 20) + 5 for v in values]
    return sum(held) + rng.laplace(scale=20 / epsilon)


# bad: the sum is multiplied
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-100, 100))
def released(rng, values, epsilon):
    clipped = np.clip(values, 0, 10)
    return 3 * clipped.sum() + rng.laplace(scale=10 / epsilon)


# bad: records are replaced
@dp(epsilon="epsilon", neighbors="replace-one", domain=(-100, 100))
def released(rng, values, epsilon):
    clipped = np.clip(values, 2, 8)
    return (clipped * 2).sum() + rng.laplace(scale=6 / epsilon)


# bad: beside another value
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-100, 100))
def released(rng, values, epsilon):
    clipped = np.clip(values, 0, 10)
    return (clipped * 2).sum() + rng.laplace(scale=10 / epsilon), 0


# good: noise for what comes of it
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-100, 100))
def released(rng, values, epsilon):
    clipped = np.clip(values, -10, 10)
    return (clipped**2).sum() + rng.laplace(scale=100 / epsilon)


# good: a constant moves no replaced record
@dp(epsilon="epsilon", neighbors="replace-one", domain=(-100, 100))
def released(rng, values, epsilon):
    clipped = np.clip(values, 2, 8)
    return (clipped + 5).sum() + rng.laplace(scale=6 / epsilon)


# good: a constant is added to the sum
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-100, 100))
def released(rng, values, epsilon):
    clipped = np.clip(values, 0, 10)
    return clipped.sum() + 5 + rng.laplace(scale=10 / epsilon)


# good: values become smaller
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-100, 100))
def released(rng, values, epsilon):
    clipped = np.clip(values, 0, 10)
    return (clipped / 10).sum() + rng.laplace(scale=1 / epsilon)


# good: the domain is as narrow as that
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 5))
def released(rng, values, epsilon):
    clipped = np.clip(values, -10, 10)
    return (clipped * 2).sum() + rng.laplace(scale=10 / epsilon)


# good: clipped again
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-100, 100))
def released(rng, values, epsilon):
    clipped = np.clip(np.clip(values, 0, 10) * 3, 0, 10)
    return clipped.sum() + rng.laplace(scale=10 / epsilon)
