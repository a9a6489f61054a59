"""Further examples of DP114: two values' formula for many."""

import math
import random

import numpy as np

from dplint import dp


# bad
@dp(epsilon="epsilon", neighbors="any", domain=[0, 1, 2, 3, 4])
def respond(rng, value: int, epsilon):
    if rng.random() < 1 / (1 + math.exp(-epsilon)):
        return value
    return int(rng.integers(0, 5))


# good
@dp(epsilon="epsilon", neighbors="any", domain=[False, True])
def respond(rng, value: bool, epsilon):
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    return value if rng.random() < keep else not value


# bad
@dp(epsilon="epsilon", neighbors="any", domain=[0, 1, 2, 3])
def respond(rng, value: int, epsilon):
    keep = rng.random() < np.exp(epsilon) / (np.exp(epsilon) + 1)
    return value if keep else int(rng.choice([0, 1, 2, 3]))


# bad
def probability(epsilon):
    return math.exp(epsilon) / (math.exp(epsilon) + 1)


@dp(epsilon="epsilon", neighbors="any", domain=["a", "b", "c"])
def respond(value, epsilon):
    answer = value
    if random.random() >= probability(epsilon):
        answer = random.choice(["a", "b", "c"])
    return answer


# bad
COLOURS = ["red", "green", "blue"]


@dp(epsilon=1.0, neighbors="any", domain=["red", "green", "blue"])
def respond(value):
    if random.random() < math.exp(1.0) / (1 + math.exp(1.0)):
        return value
    return random.choice(COLOURS)


# good
@dp(epsilon="epsilon", neighbors="any", domain=["yes", "no"])
def respond(value, epsilon):
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    if random.random() < keep:
        return value
    return random.choice([other for other in ["yes", "no"] if other != value])


# good
@dp(epsilon="epsilon", neighbors="any", domain=[0, 1, 2, 3, 4])
def respond(rng, value: int, epsilon):
    keep = (math.exp(epsilon) - 1) / (math.exp(epsilon) + 4)
    return value if rng.random() < keep else int(rng.integers(0, 5))


# good: each bit of a unary code is one of two
@dp(epsilon="2 * epsilon", neighbors="any", domain=[0, 1, 2, 3])
def unary(rng, value: int, epsilon):
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    bits = [1 if i == value else 0 for i in range(4)]
    return [bit if rng.random() < keep else 1 - bit for bit in bits]
