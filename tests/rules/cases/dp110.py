"""Further examples of DP110: Gaussian formula with a mistake."""

import math


from dplint import dp


# bad
@dp(epsilon="epsilon", delta="delta", neighbors="l2", args={"delta": 1e-5, "sensitivity": (1.0, 4.0)})
def gaussian(rng, values, sensitivity, epsilon, delta):
    sigma = math.sqrt(2 * sensitivity * math.log(1.25 / delta)) / epsilon
    return [value + rng.normal(scale=sigma) for value in values]


# good
@dp(epsilon="epsilon", delta="delta", neighbors="l2", args={"delta": 1e-5, "sensitivity": 1.0})
def gaussian(rng, values, sensitivity, epsilon, delta):
    variance = 2 * sensitivity**2 * math.log(1.25 / delta) / epsilon**2
    return [value + rng.normal(scale=math.sqrt(variance)) for value in values]


# bad
@dp(epsilon="epsilon", delta="delta", neighbors="l2", args={"delta": 1e-5, "sensitivity": (0.1, 1.0)})
def gaussian(rng, values, sensitivity, epsilon, delta):
    sigma = sensitivity**2 * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    return [value + rng.normal(scale=sigma) for value in values]


# bad
@dp(epsilon="epsilon", delta="delta", neighbors="l2", args={"delta": 1e-5, "sensitivity": (0.1, 1.0)})
def gaussian(rng, values, sensitivity, epsilon, delta):
    return [value + rng.normal(scale=sensitivity / epsilon) for value in values]


# bad
def sigma_of(epsilon, delta):
    return math.sqrt(2 * math.sqrt(math.log(1.25 / delta))) / epsilon


@dp(epsilon="epsilon", delta="delta", neighbors="l2", args={"delta": 1e-5})
def gaussian(rng, values, epsilon, delta):
    return [value + rng.normal(scale=sigma_of(epsilon, delta)) for value in values]


# good: so many rounds of it
@dp(epsilon="epsilon", delta="delta", neighbors="l2", args={"delta": 1e-5, "rounds": 4})
def gaussian(rng, values, rounds, epsilon, delta):
    sigma = math.sqrt(2 * rounds * math.log(1.25 / delta)) / epsilon
    return [value + rng.normal(scale=sigma) for value in values]


# good: another formula, with its own constants
@dp(epsilon="epsilon", delta="delta", neighbors="l2", args={"delta": 1e-5, "c": 1.6})
def gaussian(rng, values, c, epsilon, delta):
    return [value + rng.normal(scale=c * math.sqrt(math.log(1.25 / delta)) / epsilon) for value in values]


# good
@dp(epsilon="epsilon", delta="delta", neighbors="l2", args={"delta": 1e-5, "clip": 1.0})
def gaussian(rng, values, clip, epsilon, delta):
    root = math.sqrt(math.log(1.25 / delta))
    return [value + rng.normal(scale=math.sqrt(2) * clip * root / epsilon) for value in values]


# good: delta is for what is left out
@dp(epsilon="epsilon", delta="delta", neighbors="l1", args={"delta": 1e-5, "sensitivity": 1.0})
def laplace(rng, values, sensitivity, epsilon, delta):
    return [value + rng.laplace(scale=sensitivity / epsilon) for value in values]
