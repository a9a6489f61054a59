"""Further examples of DP106: degenerate scale."""

import math

import numpy as np

from dplint import dp


# bad: DP-Auditorium's private_mean, in other words
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
def mean(rng, values, epsilon):
    count = len(values) + rng.laplace(scale=2 / epsilon)
    scale = max(1e-12, 2 / (epsilon * count))
    return sum(values) / count + rng.laplace(scale=scale)


# good
@dp(epsilon=1.0, neighbors="l1")
def fixed(rng, counts):
    return [c + rng.laplace(scale=1.0) for c in counts]


# bad
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return sum(values) + rng.laplace(0.0, 0.0)


# bad
NOISE = 0.5


@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon, strict=True):
    if epsilon > 100:
        raise ValueError(epsilon)
    return [c + rng.laplace(scale=NOISE) for c in counts]


# bad
@dp(epsilon="epsilon", delta=1e-5, neighbors="l2")
def gaussian(rng, values, epsilon):
    noise = 0.1 * rng.standard_normal(len(values))
    return np.asarray(values) + noise


# bad
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon, k):
    sensitivity = 1 - 1
    return sum(values) + rng.laplace(scale=sensitivity / epsilon)


# good: jitter on what has noise already
@dp(epsilon="epsilon", neighbors="l1")
def jittered(rng, counts, epsilon):
    noisy = [c + rng.laplace(scale=1 / epsilon) for c in counts]
    return [n + rng.normal(0, 0.01) for n in noisy]


# good
@dp(epsilon="epsilon", neighbors="l1")
def jittered_before(rng, counts, epsilon):
    shaken = [c + rng.normal(0, 0.01) for c in counts]
    return [s + rng.laplace(scale=1 / epsilon) for s in shaken]


# good
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
def mean(rng, values, epsilon):
    count = max(len(values) + rng.laplace(scale=2 / epsilon), 1.0)
    return (sum(values) + rng.laplace(scale=2 / epsilon)) / count


# good
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return sum(values) + rng.laplace(scale=max(1 / epsilon, 1e-12))


# good
@dp(epsilon="epsilon", neighbors="replace-one", domain=(2, 8))
def total(rng, values, epsilon, lower=2.0, upper=8.0):
    return sum(np.clip(values, lower, upper)) + rng.laplace(scale=(upper - lower) / epsilon)


# good: what is not below 0 need not be 0
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 1))
def least(rng, rows, epsilon, low=0.0, high=1.0):
    width = max(high - low, 0.0)
    return min(max(min(rows, default=low), low), high) + rng.laplace(scale=width / epsilon)


# bad: what is not above 0 is none
@dp(epsilon="epsilon", neighbors="linf")
def none_above(rng, answers, epsilon):
    return [answer + rng.laplace(scale=min(epsilon, 0.0)) for answer in answers]


# bad: no noise at all where epsilon is above 1
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon, sensitivity=1):
    scale = sensitivity // epsilon
    return sum(values) + rng.laplace(0, scale)


# bad
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return sum(values) + rng.laplace(0, int(1 / epsilon))


# good: at least 1, where that pays for what neighbours move
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return sum(values) + rng.laplace(0, max(1 / epsilon, 1 // epsilon))


# good: a whole number that is never too small
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return sum(values) + rng.laplace(0, math.ceil(1 / epsilon))
