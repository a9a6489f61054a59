"""Further examples of DP109: width as sensitivity."""

import numpy as np

from dplint import dp


# bad: k-means: the sum of a cluster
@dp(epsilon="epsilon", neighbors="add-remove", domain=(50, 90))
def cluster_sum(rng, points, epsilon, low, high):
    members = [p for p in points if p > 70]
    return sum(members) + rng.laplace(scale=(high - low) / epsilon)


# good
@dp(epsilon="epsilon", neighbors="add-remove", domain=(10, 20))
def total(rng, values, epsilon, lower=10, upper=20):
    return sum(np.clip(values, lower, upper)) + rng.laplace(scale=max(abs(lower), abs(upper)) / epsilon)


# bad
LOWEST, HIGHEST = 100.0, 101.0


@dp(epsilon="epsilon", neighbors="add-remove", domain=(100, 101))
def total(rng, values, epsilon):
    return sum(values) + rng.laplace(scale=2 * (101.0 - 100.0) / epsilon)


# bad
@dp(epsilon="epsilon", neighbors="add-remove", domain=(10, 20))
def total(rng, values, epsilon, bounds=(10, 20), low=10, high=20):
    result = 0.0
    for value in values:
        result += min(max(value, low), high)
    return result + rng.laplace(scale=(high - low) / epsilon)


# bad
def range_of(lower, upper):
    return upper - lower


@dp(epsilon="epsilon", neighbors="add-remove", domain=(10, 20))
def total(rng, values, epsilon, lower=10, upper=20):
    return np.clip(values, lower, upper).sum() + rng.laplace(scale=range_of(lower, upper) / epsilon)


# bad
@dp(epsilon="epsilon", delta=1e-5, neighbors="add-remove", domain=(-5, 5))
def total(rng, values, epsilon, a=-5, b=-1):
    sigma = (b - a) * 4.8 / epsilon
    return sum(values) + rng.normal(scale=sigma)


# good: from zero the width is the larger bound
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 20))
def total(rng, values, epsilon, lower=0, upper=20):
    return sum(np.clip(values, lower, upper)) + rng.laplace(scale=(upper - lower) / epsilon)


# good
@dp(epsilon="epsilon", neighbors="replace-one", domain=(10, 20))
def total(rng, values, epsilon, lower=10, upper=20):
    return sum(np.clip(values, lower, upper)) + rng.laplace(scale=(upper - lower) / epsilon)


# good: every value is taken relative to the lower bound
@dp(epsilon="epsilon", neighbors="add-remove", domain=(10, 20))
def count(rng, values, epsilon, lower=10, upper=20):
    return sum(1 for value in values if value > lower) + rng.laplace(scale=(upper - lower) / epsilon)


# good
@dp(epsilon="epsilon", neighbors="add-remove", domain=(10, 20))
def largest(rng, values, epsilon, lower=10, upper=20):
    return max(values, default=lower) + rng.laplace(scale=(upper - lower) / epsilon)
