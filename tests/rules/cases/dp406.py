"""Further examples of DP406: base of the logarithm."""

import math

import numpy as np

from dplint import dp


# bad: GeoSample with the natural logarithm
@dp(epsilon="epsilon", neighbors="l1", domain=(0, 5), args={"epsilon": 0.1, "n": 5})
def truncated_geometric(rng, count: int, epsilon, n):
    k = math.ceil(math.log(2 / epsilon))
    base = 2**k + 1
    uniform = rng.integers(1, base**n + 1)
    for z in range(n):
        if base ** max(count - z, 0) * z >= uniform:
            return z
    return n


# good
@dp(epsilon="epsilon", neighbors="l1")
def rounded(rng, values, epsilon):
    grid = 2.0 ** -math.floor(math.log2(epsilon))
    return round((sum(values) + rng.laplace(scale=1 / epsilon)) / grid) * grid


# bad
@dp(epsilon="epsilon", neighbors="l1")
def rounded(rng, values, epsilon):
    bits = int(math.log(1 / epsilon))
    grid = 1 << bits
    return round((sum(values) + rng.laplace(scale=1 / epsilon)) * grid) / grid


# bad
@dp(epsilon="epsilon", neighbors="l1")
def rounded(rng, values, epsilon):
    grid = 2.0 ** -math.floor(np.log(epsilon))
    return round((sum(values) + rng.laplace(scale=1 / epsilon)) / grid) * grid


# bad
@dp(epsilon="epsilon", neighbors="l1")
def snapped(rng, values, epsilon):
    power = math.ceil(math.log(1 / epsilon))
    width = math.pow(2, power)
    return round((sum(values) + rng.laplace(scale=1 / epsilon)) / width) * width


# bad
@dp(epsilon="epsilon", neighbors="any", domain=[False, True])
def respond(rng, answer: bool, epsilon):
    half = math.log2(epsilon)
    keep = math.exp(half) / (1 + math.exp(half))
    return answer if rng.random() < keep else not answer


# good
@dp(epsilon="epsilon", neighbors="any", domain=[False, True])
def respond(rng, answer: bool, epsilon):
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    return answer if rng.random() < keep else not answer


# good: a logarithm that has nothing to do with epsilon
@dp(epsilon="epsilon", neighbors="l1")
def levels(rng, values, epsilon, width):
    depth = 2 ** math.ceil(math.log(width))
    return sum(values) + rng.laplace(scale=depth / epsilon)


# good
@dp(epsilon="epsilon", neighbors="l1")
def weights(rng, values, epsilon):
    back = math.exp(math.log(epsilon))
    return sum(values) + rng.laplace(scale=1 / back)


# good
@dp(epsilon="epsilon", neighbors="l1")
def with_base(rng, values, epsilon):
    bits = math.ceil(math.log(1 / epsilon, 2))
    return round(sum(values) + rng.laplace(scale=1 / epsilon), 2**bits)
