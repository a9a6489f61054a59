"""Further examples of DP202: clipped copy unused."""

import numpy as np

from dplint import dp


# bad: smartnoise-sdk 622, in small
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 50))
def second_moment(rng, column, epsilon):
    clamped = np.clip(column, 0.0, 10.0)
    moment = sum(v * v for v in column)
    return moment + rng.laplace(scale=100.0 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 50))
def second_moment(rng, column, epsilon):
    clamped = np.clip(column, 0.0, 10.0)
    return sum(v * v for v in clamped) + rng.laplace(scale=100.0 / epsilon)


# bad
def clip_all(values, low, high):
    return [min(max(v, low), high) for v in values]


@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 1000))
def mean(rng, incomes, epsilon):
    bounded = clip_all(incomes, 0, 100)
    return sum(incomes) / len(bounded) + rng.laplace(scale=100 / (len(bounded) * epsilon))


# bad
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1000))
def total(rng, incomes, epsilon):
    clean = np.nan_to_num(incomes)
    result = 0.0
    for income in incomes:
        result += income
    return result + rng.laplace(scale=1000 / epsilon)


# bad
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1000))
def total(rng, incomes, epsilon):
    values = np.asarray(incomes)
    clipped = values.clip(0, 100)
    return values.sum() + rng.laplace(scale=100 / epsilon)


# bad
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 90))
def longest_stay(rng, stays, epsilon, cap=30):
    capped = np.minimum(stays, cap)
    trimmed = np.clip(stays, 0, cap)
    return max(stays) + rng.laplace(scale=cap / epsilon)


# good: the name is used again
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1000))
def total(rng, incomes, epsilon):
    incomes = np.clip(incomes, 0, 100)
    return sum(incomes) + rng.laplace(scale=100 / epsilon)


# good: both are used, each with its own noise
@dp(epsilon="2 * epsilon", neighbors="replace-one", domain=(0, 1000))
def both(rng, incomes, epsilon):
    clipped = np.clip(incomes, 0, 100)
    return sum(clipped) + rng.laplace(scale=100 / epsilon), sum(incomes) + rng.laplace(scale=1000 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1000))
def total(rng, incomes, epsilon):
    clipped = [min(max(i, 0), 100) for i in incomes]
    count = len(incomes)
    return sum(clipped) + rng.laplace(scale=100 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1000))
def shown(rng, incomes, epsilon):
    noisy = sum(incomes) + rng.laplace(scale=1000 / epsilon)
    clipped = max(noisy, 0)
    return clipped
