"""Further examples of DP111: exponential mechanism without its 2."""

import math
import random

import numpy as np

from dplint import dp


# bad
@dp(epsilon="epsilon", neighbors="linf")
def pick(scores, epsilon):
    weights = [math.exp(epsilon * score) for score in scores]
    return random.choices(range(len(scores)), weights=weights)[0]


# good: counts go one way
@dp(epsilon="epsilon", neighbors="linf-monotone")
def pick(rng, scores, epsilon):
    scores = np.asarray(scores)
    weights = np.exp(epsilon * (scores - scores.max()))
    return rng.choice(len(scores), p=weights / weights.sum())


# bad
@dp(epsilon="epsilon", neighbors="linf")
def pick(rng, scores, epsilon):
    scores = np.asarray(scores)
    weights = np.exp(epsilon * (scores - scores.max()))
    return rng.choice(len(scores), p=weights / weights.sum())


# bad
@dp(epsilon="epsilon", neighbors="linf", sensitivity=2.0)
def pick(rng, scores, epsilon):
    weights = np.exp(epsilon * np.asarray(scores) / 2)
    return rng.choice(len(scores), p=weights / weights.sum())


# bad
def weight(score, epsilon):
    return math.exp(epsilon * score)


@dp(epsilon="epsilon", neighbors="linf")
def pick(scores, epsilon):
    return random.choices(range(len(scores)), weights=[weight(one, epsilon) for one in scores])[0]


# good
@dp(epsilon="2 * epsilon", neighbors="linf")
def pick(rng, scores, epsilon):
    scores = np.asarray(scores)
    weights = np.exp(epsilon * (scores - scores.max()))
    return rng.choice(len(scores), p=weights / weights.sum())


# good: a factor that is not known
@dp(epsilon="epsilon", neighbors="linf", args={"factor": 2})
def pick(rng, scores, factor, epsilon):
    scores = np.asarray(scores)
    weights = np.exp(epsilon * (scores - scores.max()) / factor)
    return rng.choice(len(scores), p=weights / weights.sum())


# good: a thousandth of the scores moves by little
@dp(epsilon="epsilon", neighbors="linf")
def pick(rng, scores, epsilon):
    small = np.asarray(scores) / 1000
    weights = np.exp(epsilon * (small - small.max()))
    return rng.choice(len(scores), p=weights / weights.sum())
