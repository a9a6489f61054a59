"""Further examples of DP501: neighbour relation mismatch."""

import numpy as np

from dplint import dp


# bad
@dp(epsilon="epsilon", neighbors="linf", size=10)
def prefix_sums(rng, queries, epsilon):
    total, sums = 0.0, []
    for query in queries:
        total += query + rng.laplace(scale=1 / epsilon)
        sums.append(total)
    return sums


# good
@dp(epsilon="epsilon", neighbors="linf")
def answers(rng, queries, epsilon):
    return [query + rng.laplace(scale=len(queries) / epsilon) for query in queries]


# bad
@dp(epsilon="epsilon", neighbors="linf", sensitivity=5)
def answers(rng, queries, epsilon):
    return [query + rng.laplace(scale=5 / epsilon) for query in queries]


# bad
@dp(epsilon="epsilon", neighbors="linf")
def answers(rng, queries, epsilon):
    return np.asarray(queries) + rng.laplace(0, 1 / epsilon, size=len(queries))


# bad
@dp(epsilon="2 * epsilon", neighbors="linf")
def answers(rng, queries, epsilon):
    noisy = []
    for i in range(len(queries)):
        noisy.append(queries[i] + rng.laplace(scale=1 / (2 * epsilon)))
    return noisy


# bad
def noisy(rng, value, sensitivity, epsilon):
    return rng.laplace(value, sensitivity / epsilon)


@dp(epsilon="epsilon", neighbors="linf")
def answers(rng, queries, epsilon):
    return [round(noisy(rng, query, 1.0, epsilon)) for query in queries]


# good
@dp(epsilon="epsilon", neighbors="linf")
def first(rng, queries, epsilon):
    return queries[0] + rng.laplace(scale=1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="linf", size=1)
def only(rng, queries, epsilon):
    return [query + rng.laplace(scale=1 / epsilon) for query in queries]


# good
@dp(epsilon="len(queries) * epsilon", neighbors="linf")
def answers(rng, queries, epsilon):
    return [query + rng.laplace(scale=1 / epsilon) for query in queries]


# good
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
def counts(rng, values, epsilon):
    return [sum(1 for v in values if v == k) + rng.laplace(scale=1 / epsilon) for k in (0, 1)]


# good
@dp(epsilon="epsilon", neighbors="linf")
def mean(rng, queries, epsilon):
    return sum(queries) / len(queries) + rng.laplace(scale=1 / epsilon)
