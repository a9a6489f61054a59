"""Further examples of DP499: rounded epsilon."""

import math

import numpy as np

from dplint import dp


# bad
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    spent = math.ceil(epsilon)
    return sum(values) + rng.laplace(scale=1 / spent)


# bad
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return sum(values) + rng.laplace(scale=2 / round(2 * epsilon))


# bad
def nice(epsilon):
    return round(epsilon, 2)


@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return sum(values) + rng.laplace(scale=1 / nice(epsilon))


# bad
@dp(epsilon="epsilon", neighbors="l1")
def cells(rng, values, epsilon):
    return [value + rng.laplace(scale=1 / np.ceil(epsilon)) for value in values]


# good
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return round(sum(values) + rng.laplace(scale=1 / epsilon))


# good
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return math.ceil(sum(values) + rng.laplace(scale=1 / epsilon))


# good
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon, digits=2):
    return round(sum(values) + rng.laplace(scale=1 / epsilon), round(digits))


# good
@dp(epsilon="epsilon", neighbors="l1")
def cells(rng, values, epsilon):
    return [value + rng.laplace(scale=1 / epsilon) for value in values]
