"""Further examples of DP102: scale and variance mixed up."""

import math

import numpy as np

from dplint import dp


# bad
@dp(epsilon="epsilon", delta="delta", neighbors="l2", args={"delta": 1e-5})
def gaussian(rng, values, epsilon, delta):
    variance = 2 * math.log(1.25 / delta) / epsilon**2
    return [v + rng.normal(0, variance) for v in values]


# good
@dp(epsilon="epsilon", delta=1e-5, neighbors="l2")
def gaussian(rng, values, epsilon):
    variance = 2 * math.log(1.25 / 1e-5) / epsilon**2
    return [v + rng.normal(scale=math.sqrt(variance)) for v in values]


# bad
@dp(epsilon="epsilon", delta=1e-5, neighbors="l2")
def gaussian(rng, values, epsilon):
    sigma = math.sqrt(2 * math.log(1.25 / 1e-5)) / epsilon
    return [v + rng.normal(scale=math.sqrt(sigma)) for v in values]


# bad
@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    return [c + rng.laplace(scale=2 / epsilon**2) for c in counts]


# bad
def sigma_squared(epsilon, delta):
    return 2 * math.log(1.25 / delta) / (epsilon * epsilon)


@dp(epsilon="epsilon", delta=1e-5, neighbors="l2")
def gaussian(rng, values, epsilon):
    return np.asarray(values) + rng.normal(0.0, sigma_squared(epsilon, 1e-5), size=len(values))


# bad
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return sum(values) + (1 / epsilon) ** 0.5 * rng.laplace()


# good
@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    return [c + rng.laplace(scale=math.sqrt(1 / epsilon**2)) for c in counts]


# good: zero-concentrated privacy has a root of its own
@dp(epsilon="rho + 2 * sqrt(rho * log(1 / delta))", delta="delta", neighbors="l2", args={"delta": 1e-5})
def gaussian(rng, values, rho, delta):
    return [v + rng.normal(scale=math.sqrt(1 / (2 * rho))) for v in values]


# good
@dp(epsilon="epsilon", delta=1e-5, neighbors="l2")
def gaussian(rng, values, epsilon):
    sigma = math.sqrt(2 * math.log(1.25 / 1e-5)) / epsilon
    return [v + sigma * rng.standard_normal() for v in values]


# good
@dp(epsilon="epsilon", neighbors="l1")
def flat(rng, counts, epsilon):
    return [c + rng.laplace(scale=epsilon**-1) for c in counts]
