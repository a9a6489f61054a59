"""Further examples of DP108: wrong unit of sensitivity."""

import numpy as np

from dplint import dp


# bad: DataSynthesizer 34: the noise of probabilities on counts
@dp(epsilon="epsilon", neighbors="replace-one", domain=["a", "b"])
def table(rng, answers, epsilon):
    scale = 2 / (len(answers) * epsilon)
    return [answers.count(kind) + rng.laplace(scale=scale) for kind in ("a", "b")]


# good
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 9))
def mean(rng, values, epsilon):
    return np.mean(values) + rng.laplace(scale=9 / (len(values) * epsilon))


# bad
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 9))
def over_five(rng, values, epsilon):
    n = len(values)
    found = 0
    for value in values:
        if value > 5:
            found += 1
    return found + rng.laplace(scale=1 / (n * epsilon))


# bad
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 9))
def total(rng, values, epsilon):
    return np.sum(values) + rng.laplace(scale=9 / len(values) / epsilon)


# bad
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 9))
def histogram(rng, values, epsilon):
    counts, _ = np.histogram(values, bins=10, range=(0, 10))
    return counts + rng.laplace(scale=2 / (len(values) * epsilon), size=10)


# bad
def sensitivity(high, n):
    return high / n


@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 9))
def total(rng, values, epsilon):
    result = sum(min(value, 5) for value in values)
    return result + rng.laplace(scale=sensitivity(5, len(values)) / epsilon)


# good
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 9))
def mean(rng, values, epsilon):
    n = len(values)
    return sum(value / n for value in values) + rng.laplace(scale=9 / (n * epsilon))


# good
@dp(epsilon="epsilon", neighbors="replace-one", domain=["a", "b"])
def table(rng, answers, epsilon):
    return [answers.count(kind) + rng.laplace(scale=2 / epsilon) for kind in ("a", "b")]


# good
@dp(epsilon="epsilon", neighbors="replace-one", domain=["a", "b"])
def shares(rng, answers, epsilon):
    n = len(answers)
    return [answers.count(kind) / n + rng.laplace(scale=2 / (n * epsilon)) for kind in ("a", "b")]


# good
@dp(epsilon="epsilon", neighbors="linf")
def answers(rng, queries, epsilon):
    return [query + rng.laplace(scale=len(queries) / epsilon) for query in queries]
