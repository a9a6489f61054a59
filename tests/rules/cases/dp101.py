"""Further examples of DP101: inverted scale."""

import math
import random

import numpy as np

from dplint import dp


# bad: attribution-reporting 1329: the scale of the document, written out
@dp(epsilon="epsilon", neighbors="l1")
def contributions(rng, values, epsilon):
    l1_budget = 65536
    return [value + rng.laplace(0, epsilon / l1_budget) for value in values]


# good
@dp(epsilon="epsilon", neighbors="linf")
def permute_and_flip(queries, epsilon):
    noisy = [q + random.expovariate(epsilon / 2) for q in queries]
    return noisy.index(max(noisy))


# bad: a federated client: sensitivity * epsilon / times
@dp(epsilon="eps", neighbors="l1", args={"times": (1, 10)})
def client_update(rng, weights, eps, times):
    sensitivity = 2 * 0.1
    return [w + np.random.laplace(loc=0, scale=sensitivity * eps / times) for w in weights]


# bad: through a helper, and with the noise scaled outside of the draw
def noise_scale(sensitivity, epsilon):
    return epsilon / sensitivity


@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    b = noise_scale(1.0, epsilon)
    return sum(values) + b * rng.laplace()


# bad
@dp(epsilon="2 * epsilon", delta=1e-6, neighbors="l2")
def gaussian(rng, values, epsilon):
    sigma = math.sqrt(2 * math.log(1.25 / 1e-6)) * epsilon
    return [v + rng.normal(0.0, sigma) for v in values]


# bad: expovariate takes a rate: 1 / epsilon is a scale of epsilon
@dp(epsilon="epsilon", neighbors="linf")
def permute_and_flip(queries, epsilon):
    noisy = [q + random.expovariate(2 / epsilon) for q in queries]
    return noisy.index(max(noisy))


# bad: on one path only
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon, window: int, step: int):
    scale = 1 / epsilon
    if window == 3 * step:
        scale = epsilon / 10
    return sum(values) + rng.laplace(scale=scale)


# bad
@dp(epsilon="eps1 + eps2", neighbors="l1")
def two(rng, values, eps1, eps2):
    return sum(values) + rng.laplace(scale=eps1), values[0] + rng.laplace(scale=1 / eps2)


# good
@dp(epsilon="epsilon", delta="delta", neighbors="l2", args={"delta": 1e-5})
def gaussian(rng, values, epsilon, delta):
    sigma = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    return [v + sigma * rng.standard_normal() for v in values]


# good: the claim is made in terms of the scale
@dp(epsilon="1 / scale", neighbors="l1")
def by_scale(rng, values, scale):
    return [v + rng.laplace(scale=scale) for v in values]


# good: epsilon that is a distance, not a budget
@dp(epsilon="budget", neighbors="l1")
def rounded(rng, values, budget, eps_grid=0.5):
    noisy = sum(values) + rng.laplace(scale=1 / budget)
    return round(noisy / eps_grid) * eps_grid


# good
@dp(epsilon="epsilon", neighbors="linf")
def exponential_mechanism(rng, scores, epsilon):
    weights = [math.exp(epsilon * (s - max(scores)) / 2) for s in scores]
    total = sum(weights)
    return int(rng.choice(len(scores), p=[w / total for w in weights]))


# good
@dp(epsilon="epsilon", neighbors="l1")
def halves(rng, values, epsilon):
    half = epsilon / 2
    first = sum(values) + rng.laplace(scale=1 / half)
    return first + rng.laplace(scale=2.0 * epsilon**-1)
