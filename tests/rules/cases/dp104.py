"""Further examples of DP104: Gaussian noise out of its range."""

import math


from dplint import dp

import random


# bad
@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    return sum(values) + random.gauss(0, 1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return sum(values) + rng.laplace(scale=1 / epsilon)


# bad
@dp(epsilon=0.5, neighbors="add-remove", domain=(0, 1))
def mean(rng, values):
    noisy = sum(values) + rng.standard_normal() * 10
    count = len(values) + rng.standard_normal() * 10
    return noisy, count


# bad
def add_noise(rng, value, sigma):
    return value + rng.normal(0, sigma)


@dp(epsilon="epsilon", neighbors="l2")
def answers(rng, values, epsilon):
    return [add_noise(rng, value, 3 / epsilon) for value in values]


# bad
@dp(epsilon="epsilon", delta=1e-5, neighbors="l2")
def answers(rng, values, epsilon):
    sigma = math.sqrt(2 * math.log(1.25 / 1e-5)) / epsilon
    return [value + rng.normal(scale=sigma) for value in values]


# bad
@dp(epsilon="epsilon", delta=1e-5, neighbors="l2", args={"epsilon": (0.1, 2.0)})
def answers(rng, values, epsilon):
    sigma = math.sqrt(2 * math.log(1.25 / 1e-5)) / epsilon
    return [value + rng.normal(scale=sigma) for value in values]


# good
@dp(epsilon="epsilon", delta=1e-5, neighbors="l2", args={"epsilon": (0.1, 0.9)})
def answers(rng, values, epsilon):
    sigma = math.sqrt(2 * math.log(1.25 / 1e-5)) / epsilon
    return [value + rng.normal(scale=sigma) for value in values]


# good
@dp(epsilon="epsilon", delta=1e-5, neighbors="l2", args={"epsilon": 0.5})
def answers(rng, values, epsilon):
    sigma = math.sqrt(2 * math.log(1.25 / 1e-5)) / epsilon
    return [value + rng.normal(scale=sigma) for value in values]


# good: Laplace noise does the work
@dp(epsilon="epsilon", neighbors="l1")
def smoothed(rng, values, epsilon):
    return sum(values) + rng.laplace(scale=1 / epsilon) + rng.normal(scale=0.1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="l1")
def shaken(rng, values, epsilon, seed_noise):
    noisy = [value + rng.laplace(scale=1 / epsilon) for value in values]
    return sum(noisy) + rng.normal(scale=0.1 / epsilon)
