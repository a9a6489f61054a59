"""Further examples of DP207: maximum instead of index."""

import math

import numpy as np

from dplint import dp


# bad: StatDP's v1b and v2b
@dp(epsilon="epsilon", neighbors="linf")
def largest(rng, queries, epsilon):
    noisy = []
    for query in queries:
        noisy.append(query + rng.exponential(scale=2 / epsilon))
    return max(noisy)


# good
@dp(epsilon="epsilon", neighbors="linf", size=5)
def running(rng, queries, epsilon):
    best, winner = -math.inf, 0
    for i, query in enumerate(queries):
        noisy = query + rng.laplace(scale=2 / epsilon)
        if noisy > best:
            best, winner = noisy, i
    return winner


# bad
@dp(epsilon="epsilon", neighbors="linf")
def largest(rng, queries, epsilon):
    noisy = np.asarray(queries) + rng.laplace(scale=2 / epsilon, size=len(queries))
    return float(np.max(noisy))


# bad: a running maximum
@dp(epsilon="epsilon", neighbors="linf", size=5)
def running(rng, queries, epsilon):
    best = -math.inf
    for query in queries:
        noisy = query + rng.laplace(scale=2 / epsilon)
        if noisy > best:
            best = noisy
    return best


# bad
@dp(epsilon="epsilon", neighbors="linf")
def top_three(rng, queries, epsilon):
    noisy = [query + rng.laplace(scale=2 / epsilon) for query in queries]
    return sorted(noisy)[-3:]


# bad
@dp(epsilon="epsilon", neighbors="linf")
def winner_and_value(rng, queries, epsilon):
    noisy = np.array([query + rng.gumbel(scale=2 / epsilon) for query in queries])
    return int(noisy.argmax()), float(noisy.max())


# bad
@dp(epsilon="epsilon", neighbors="linf")
def by_index(rng, queries, epsilon):
    noisy = [query + rng.laplace(scale=2 / epsilon) for query in queries]
    return noisy[int(np.argmax(noisy))]


# good: the noise pays for all values
@dp(epsilon="epsilon", neighbors="linf")
def largest(rng, queries, epsilon):
    return max([query + rng.laplace(scale=len(queries) / epsilon) for query in queries])


# good: one answer moves
@dp(epsilon="epsilon", neighbors="l1")
def largest_count(rng, counts, epsilon):
    return max([count + rng.laplace(scale=1 / epsilon) for count in counts])


# good: two values, clamped
@dp(epsilon="epsilon", neighbors="linf")
def total(rng, queries, epsilon):
    return max(0.0, queries[0] + rng.laplace(scale=2 / epsilon))


# good
@dp(epsilon="len(queries) * epsilon / 2", neighbors="linf")
def largest(rng, queries, epsilon):
    return max([query + rng.laplace(scale=2 / epsilon) for query in queries])


# good
@dp(epsilon="epsilon", neighbors="linf", size=2)
def larger_of_two(rng, queries, epsilon):
    return max([query + rng.laplace(scale=2 / epsilon) for query in queries])
