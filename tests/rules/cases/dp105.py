"""Further examples of DP105: formula of another mechanism."""

import math


from dplint import dp

import numpy as np


# bad
@dp(epsilon="epsilon", delta="delta", neighbors="l1", args={"delta": 1e-6})
def histogram(rng, counts, epsilon, delta):
    scale = np.sqrt(2 * np.log(1.25 / delta)) / epsilon
    return [count + rng.laplace(scale=scale) for count in counts]


# good
@dp(epsilon="epsilon", delta=1e-6, neighbors="l2", args={"epsilon": (0.1, 0.9)})
def answers(rng, values, epsilon):
    sigma = np.sqrt(2 * np.log(1.25 / 1e-6)) / epsilon
    return [value + rng.normal(scale=sigma) for value in values]


# bad
@dp(epsilon="epsilon", delta=1e-9, neighbors="l2", sensitivity=3.0)
def answers(rng, values, epsilon):
    return [value + rng.normal(0, 3.0 / epsilon) for value in values]


# bad
def scale_of(sensitivity, epsilon):
    return sensitivity / epsilon


@dp(epsilon="epsilon", delta=1e-5, neighbors="l2")
def total(rng, values, epsilon):
    return sum(values) + rng.normal(scale=scale_of(1.0, epsilon))


# bad
@dp(epsilon="2 * epsilon", delta=1e-5, neighbors="l2")
def total(rng, value: float, epsilon):
    return value + rng.standard_normal() / epsilon


# bad
def sigma(epsilon, delta):
    return math.sqrt(2 * math.log(1.25 / delta)) / epsilon


@dp(epsilon="epsilon", delta=1e-6, neighbors="l1")
def total(rng, values, epsilon):
    return rng.laplace(sum(values), sigma(epsilon, 1e-6))


# good
@dp(epsilon="epsilon", delta=1e-6, neighbors="l1")
def histogram(rng, counts, epsilon):
    return [count + rng.laplace(scale=1 / epsilon) for count in counts]


# good: much noise, whatever formula it came from
@dp(epsilon="epsilon", delta=1e-6, neighbors="l2")
def answers(rng, values, epsilon):
    return [value + rng.normal(scale=50 / epsilon) for value in values]


# good: a mean moves by less than the claim's sensitivity
@dp(epsilon="epsilon", delta=1e-6, neighbors="l2")
def mean(rng, values, epsilon):
    return sum(values) / 1000 + rng.normal(scale=1 / epsilon)


# good
@dp(epsilon="epsilon", delta=0.3, neighbors="l2")
def loose(rng, value: float, epsilon):
    return value + rng.normal(scale=3 / epsilon)
