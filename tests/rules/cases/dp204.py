"""Further examples of DP204: private size as public."""

from dplint import dp


# bad: Opacus 571: the expected batch size comes from the data
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
def step(rng, gradients, epsilon):
    batch = len(gradients)
    noisy = sum(gradients) + rng.laplace(scale=1 / epsilon)
    return noisy / batch


# good
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def mean(rng, values, epsilon):
    n = len(values)
    return sum(values) / n + rng.laplace(scale=100 / (n * epsilon))


# bad
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
def mean(rng, values, epsilon):
    n = len(values)
    return sum(values) / n + rng.laplace(scale=100 / (n * epsilon))


# bad
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
def both(rng, values, epsilon):
    return sum(values) + rng.laplace(scale=1 / epsilon), len(values)


# bad
import pandas as pd


@dp(epsilon="epsilon", neighbors="add-remove", data="df", domain={"age": (0, 120)})
def mean_age(rng, df: pd.DataFrame, epsilon):
    return (df["age"].sum() + rng.laplace(scale=120 / epsilon)) / df.shape[0]


# bad
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
def shares(rng, values, epsilon):
    total = 0
    for value in values:
        total += 1
    noisy = sum(values) + rng.laplace(scale=1 / epsilon)
    return noisy / len(values)


# good
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
def count(rng, values, epsilon):
    return len(values) + rng.laplace(scale=1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
def step(rng, gradients, epsilon, expected_batch=64):
    return (sum(gradients) + rng.laplace(scale=1 / epsilon)) / expected_batch


# good
@dp(epsilon="epsilon", neighbors="linf")
def answers(rng, queries, epsilon):
    return [q + rng.laplace(scale=len(queries) / epsilon) for q in queries], len(queries)


# good
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
def over(rng, values, epsilon):
    found = 0
    for value in values:
        if value > 50:
            found += 1
    return found + rng.laplace(scale=1 / epsilon)
