"""Further examples of DP112: scale as centre."""

import math


from dplint import dp

import numpy as np


# bad
@dp(epsilon="epsilon", neighbors="l1", args={"sensitivity": 1.0})
def histogram(counts, sensitivity, epsilon):
    return np.asarray(counts) + np.random.laplace(sensitivity / epsilon, size=len(counts))


# good
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return rng.laplace(sum(values), 1 / epsilon)


# bad
@dp(epsilon="epsilon", delta=1e-5, neighbors="l2")
def total(rng, values, epsilon):
    sigma = math.sqrt(2 * math.log(1.25 / 1e-5)) / epsilon
    return sum(values) + rng.normal(loc=sigma)


# bad
def noise(rng, scale):
    return rng.laplace(scale)


@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return sum(values) + noise(rng, 2 / epsilon)


# bad
@dp(epsilon=0.5, neighbors="l1", args={"scale": 2.0})
def total(rng, values, scale):
    return sum(values) + rng.laplace(scale)


# good: a shift, so that few answers are too small
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return sum(values) + rng.laplace(5 / epsilon, 1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return sum(values) + rng.laplace() / epsilon


# good
@dp(epsilon=1.0, neighbors="l1")
def total(rng, values):
    return sum(values) + rng.laplace(0.0)
