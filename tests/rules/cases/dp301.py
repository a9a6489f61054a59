"""Further examples of DP301: insecure generator."""

import math
import random

import numpy as np

from dplint import dp


# bad
@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    return sum(values) + random.gauss(0, 1) * random.expovariate(epsilon)


# good
@dp(epsilon="epsilon", neighbors="any", domain=[False, True])
def respond(answer: bool, epsilon):
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    return answer if random.SystemRandom().random() < keep else not answer


# bad
@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    rng = np.random.default_rng()
    return sum(values) + rng.laplace(scale=1 / epsilon)


# bad
@dp(epsilon="epsilon", neighbors="any", domain=[False, True])
def respond(answer: bool, epsilon):
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    return answer if random.random() < keep else not answer


# bad
def noise(epsilon):
    return np.random.RandomState().laplace(scale=1 / epsilon)


@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    return sum(values) + noise(epsilon)


# bad
from scipy import stats


@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    return sum(values) + stats.laplace.rvs(scale=1 / epsilon)


# good
from diffprivlib.mechanisms import Laplace


@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    return Laplace(epsilon=epsilon, sensitivity=1).randomise(sum(values))


# good
import secrets


@dp(epsilon="epsilon", neighbors="any", domain=[0, 1])
def respond(answer: int, epsilon):
    coin = secrets.randbelow(1000)
    return answer if coin < 1000 * math.exp(epsilon) / (1 + math.exp(epsilon)) else 1 - answer


# good
@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon, random_state=None):
    rng = random.SystemRandom()
    return sum(values) + rng.gauss(0, 1) * rng.expovariate(epsilon)


# good: what hides nothing: the order of batches, a choice of examples, the input of a generative model
@dp(epsilon="epsilon", neighbors="l1")
def totals(rng, values, epsilon, model, known):
    order = np.random.permutation(10)
    shown = np.random.choice(known, 3, replace=False)
    images = model.forward(np.random.normal(size=(8, 4)))
    return [values[i] + rng.laplace(scale=1 / epsilon) for i in order], shown, images


# good: a random one of several mechanisms
@dp(epsilon="epsilon", neighbors="l1")
def one_of_them(rng, values, epsilon, size=3):
    which = random.randrange(size)
    return which, values[which] + rng.laplace(scale=1 / epsilon)
