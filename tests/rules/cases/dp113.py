"""Further examples of DP113: weights as replace."""

import math
import random

import numpy as np

from dplint import dp


# bad
@dp(epsilon="epsilon", neighbors="linf")
def pick(rng, scores, epsilon):
    weights = np.exp(epsilon * np.asarray(scores) / 2)
    return rng.choice(len(scores), None, list(weights / weights.sum()))


# good
@dp(epsilon="epsilon", neighbors="linf")
def pick(scores, epsilon):
    scores = np.asarray(scores)
    weights = np.exp(epsilon * (scores - scores.max()) / 2)
    return np.random.choice(len(scores), 1, True, weights / weights.sum())[0]


# bad
@dp(epsilon="epsilon", neighbors="linf", args={"probabilities": [[0.5, 0.5]]})
def pick(rng, scores, epsilon, probabilities):
    return rng.choice(2, None, probabilities)


# bad
@dp(epsilon="epsilon", neighbors="linf")
def pick(scores, epsilon):
    weights = [math.exp(epsilon * score / 2) for score in scores]
    return np.random.choice(len(scores), 1, replace=weights)[0]


# bad
def choose(options, weights):
    return np.random.choice(options, 1, weights)[0]


@dp(epsilon="epsilon", neighbors="linf")
def pick(scores, epsilon):
    return choose(range(len(scores)), [math.exp(epsilon * score / 2) for score in scores])


# good
@dp(epsilon="epsilon", neighbors="l1")
def some(rng, counts, epsilon, again: bool):
    kept = rng.choice(3, 2, again)
    return [counts[i] + rng.laplace(scale=1 / epsilon) for i in range(2)], kept


# good
@dp(epsilon="epsilon", neighbors="l1")
def some(rng, counts, epsilon):
    return rng.choice(3, 2, False), sum(counts) + rng.laplace(scale=1 / epsilon)


# good: the third argument of random.choices are sums of weights
@dp(epsilon="epsilon", neighbors="linf")
def pick(scores, epsilon):
    largest = max(scores)
    weights = [math.exp(epsilon * (score - largest) / 2) for score in scores]
    return random.choices(range(len(scores)), weights)[0]
