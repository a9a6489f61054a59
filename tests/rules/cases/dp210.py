"""Further examples of DP210: NaN and infinity."""

import math
import random

import numpy as np

from dplint import dp


# bad
@dp(epsilon="epsilon", neighbors="linf")
def best(rng, scores, epsilon):
    weights = np.array([math.e ** (epsilon * score / 2) for score in scores])
    return int(rng.choice(len(scores), p=weights / weights.sum()))


# good
@dp(epsilon="epsilon", neighbors="linf")
def best(rng, scores, epsilon):
    exponents = epsilon * np.asarray(scores) / 2
    weights = np.exp(exponents - np.max(exponents))
    return int(rng.choice(len(scores), p=weights / weights.sum()))


# bad: diffprivlib 107: weights that are all zero
@dp(epsilon="epsilon", neighbors="linf")
def best(scores, epsilon):
    weights = [math.exp(epsilon * score / 2) for score in scores]
    total = sum(weights)
    return random.choices(range(len(scores)), weights=[w / total for w in weights])[0]


# bad
@dp(epsilon="epsilon", neighbors="linf")
def best(rng, scores, epsilon):
    p = np.exp(np.asarray(scores) * epsilon)
    p = p / np.sum(p)
    return int(rng.choice(np.arange(len(scores)), p=p))


# bad
def probabilities(scores, epsilon):
    weights = np.exp(0.5 * epsilon * np.array(scores))
    return weights / weights.sum()


@dp(epsilon="epsilon", neighbors="linf")
def best(rng, scores, epsilon):
    return int(rng.choice(len(scores), p=probabilities(scores, epsilon)))


# bad
@dp(epsilon="epsilon", neighbors="linf")
def worst(rng, errors, epsilon):
    weights = np.exp(-epsilon * np.abs(errors) / 2)
    return int(rng.choice(len(errors), p=weights / np.sum(weights)))


# bad: asked for: NaN passes through clip
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return sum(np.clip(values, 0, 1)) + rng.laplace(scale=1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="linf")
def best(rng, scores, epsilon):
    noisy = np.asarray(scores) + rng.gumbel(scale=2 / epsilon, size=len(scores))
    return int(np.argmax(noisy))


# good: scores that are bounded
@dp(epsilon="epsilon", neighbors="linf", domain=(0, 10))
def best(rng, scores, epsilon):
    weights = np.exp(epsilon * np.asarray(scores) / 2)
    return int(rng.choice(len(scores), p=weights / weights.sum()))


# good
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return sum(np.clip(np.nan_to_num(values), 0, 1)) + rng.laplace(scale=1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="any", domain=[False, True])
def respond(rng, answer: bool, epsilon):
    keep = np.exp(epsilon) / (1 + np.exp(epsilon))
    return answer if rng.random() < keep else not answer
