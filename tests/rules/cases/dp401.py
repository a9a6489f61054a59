"""Further examples of DP401: budget overspent."""

import numpy as np

from dplint import dp


# bad: CheckDP's BadPartialSum
@dp(epsilon="epsilon", neighbors="l1", size=5)
def partial_sum(rng, queries, epsilon):
    total = 0.0
    for query in queries:
        total += query
    return total + rng.laplace(scale=1 / (2 * epsilon))


# good
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def parts(rng, ages, epsilon):
    children = sum(1 for age in ages if age < 18)
    adults = sum(1 for age in ages if age >= 18)
    return children + rng.laplace(scale=1 / epsilon), adults + rng.laplace(scale=1 / epsilon)


# bad: the whole epsilon twice, by a library that is not known
from elsewhere import tools


@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def summary(values, epsilon):
    mean = tools.mean(values, epsilon=epsilon, bounds=(0, 100))
    spread = tools.std(values, epsilon=epsilon, bounds=(0, 100))
    return {"mean": mean, "std": spread}


# bad: by helpers that cannot be read
from mylib import add_laplace


@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def counts(rng, ages, epsilon):
    young = sum(1 for age in ages if age < 40)
    return [add_laplace(rng, len(ages), 1.0, epsilon), add_laplace(rng, young, 1.0, epsilon)]


# bad: a noisy maximum whose answers may move either way needs twice the sensitivity
@dp(epsilon="epsilon", neighbors="linf")
def noisy_max(rng, queries, epsilon):
    noisy = [query + rng.laplace(scale=1 / epsilon) for query in queries]
    return noisy.index(max(noisy))


# bad
@dp(epsilon="epsilon", neighbors="l1")
def sums(rng, values, epsilon):
    share = epsilon / 2
    first = sum(values) + rng.laplace(scale=1 / share)
    second = sum(values) + rng.laplace(scale=1 / share)
    third = sum(values) + rng.laplace(scale=1 / share)
    return first, second, third


# bad
@dp(epsilon="epsilon", neighbors="l1", sensitivity=4)
def total(rng, values, epsilon):
    return sum(values) + rng.laplace(scale=2 / epsilon)


# bad: two moments of the same clipped values
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-5, 5))
def moments(rng, values, epsilon):
    kept = np.clip(values, 0, 1)
    return kept.sum() + rng.laplace(scale=1 / epsilon), (kept**2).sum() + rng.laplace(scale=1 / epsilon)


# bad
@dp(epsilon="epsilon", neighbors="linf")
def noisy_max(scores: np.ndarray, epsilon):
    return int(np.argmax(scores + np.random.laplace(0, 1 / epsilon, len(scores))))


# good
from diffprivlib import tools


@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def summary(values, epsilon):
    mean = tools.mean(values, epsilon=epsilon / 2, bounds=(0, 100))
    spread = tools.std(values, epsilon=epsilon / 2, bounds=(0, 100))
    return {"mean": mean, "std": spread}


# good: one or the other
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def either(rng, ages, epsilon, young):
    if young:
        result = sum(1 for age in ages if age < 40) + rng.laplace(scale=1 / epsilon)
    else:
        result = len(ages) + rng.laplace(scale=1 / epsilon)
    return result


# good
@dp(epsilon="2 * epsilon", neighbors="add-remove", domain=(0, 120))
def both(rng, ages, epsilon):
    young = sum(1 for age in ages if age < 40)
    return young + rng.laplace(scale=1 / epsilon), len(ages) + rng.laplace(scale=1 / epsilon)


# good: different entries of a histogram
@dp(epsilon="epsilon", neighbors="l1")
def entries(rng, counts, epsilon):
    return counts[0] + rng.laplace(scale=1 / epsilon), counts[1] + rng.laplace(scale=1 / epsilon)


# good: a mean moves less than a sum
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 1))
def mean(rng, values, epsilon):
    return sum(values) / len(values) + rng.laplace(scale=1 / (len(values) * epsilon))


# good
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-5, 5))
def moments(rng, values, epsilon):
    kept = np.clip(values, 0, 1)
    return kept.sum() + rng.laplace(scale=2 / epsilon), (kept**2).sum() + rng.laplace(scale=2 / epsilon)


# good: clipped to halves, which move by half as much
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-5, 5))
def halves(rng, values, epsilon):
    kept = np.clip(values, 0, 0.5)
    return kept.sum() + rng.laplace(scale=1 / epsilon), kept.sum() + rng.laplace(scale=1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 1))
def tenth(rng, values, epsilon):
    return sum(values) / 1000 + rng.laplace(scale=0.001 / epsilon)
