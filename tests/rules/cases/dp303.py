"""Further examples of DP303: generator ignored or noise shared."""

import numpy as np

from dplint import dp


# bad: the wrapper that ignored its generator
@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    return [count + np.random.laplace(scale=1 / epsilon) for count in counts]


# good
@dp(epsilon="epsilon", neighbors="l1")
def histogram(counts, epsilon):
    return [count + np.random.laplace(scale=1 / epsilon) for count in counts]


# bad
@dp(epsilon="epsilon", neighbors="l1")
def histogram(counts, epsilon, rng=None):
    noise = np.random.laplace(0, 1 / epsilon, size=len(counts))
    return np.asarray(counts) + noise


# bad
@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    noise = rng.laplace(scale=1 / epsilon)
    noisy = []
    for count in counts:
        noisy.append(count + noise)
    return noisy


# bad: one number is broadcast to the whole vector
@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    return (np.asarray(counts) + rng.laplace(scale=1 / epsilon)).tolist()


# bad
KINDS = ["a", "b", "c"]


@dp(epsilon="epsilon", neighbors="add-remove", domain=["a", "b", "c"])
def counts(rng, answers, epsilon):
    shift = rng.laplace(scale=1 / epsilon)
    return {kind: answers.count(kind) + shift for kind in KINDS}


# good
@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    return np.asarray(counts) + rng.laplace(scale=1 / epsilon, size=len(counts))


# good
@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    noise = rng.laplace(scale=1 / epsilon, size=len(counts))
    return [count + n for count, n in zip(counts, noise)]


# good: the noise of the threshold is meant to be shared
@dp(epsilon="epsilon", neighbors="linf")
def first_above(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    for i, query in enumerate(queries):
        if query + rng.laplace(scale=4 / epsilon) >= threshold:
            return i
    return -1


# good
def draw(generator, scale):
    return generator.laplace(scale=scale)


@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return np.asarray(values).sum() + draw(rng, 1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    noise = rng.laplace(scale=1 / epsilon)
    return round(sum(values) + noise, 2)
