"""Further examples of DP209: side output."""

import logging

import numpy as np

from dplint import dp


# bad
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    logging.info("exact sum %s", sum(values))
    return sum(values) + rng.laplace(scale=1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    noisy = sum(values) + rng.laplace(scale=1 / epsilon)
    logging.info("noisy sum %s of %d values", noisy, len(values))
    return noisy


# bad
logger = logging.getLogger(__name__)


@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    exact = sum(values)
    logger.debug(f"exact: {exact}")
    return exact + rng.laplace(scale=1 / epsilon)


# bad: k-means keeps the exact labels on the model
class Model:
    @dp(epsilon="epsilon", neighbors="l1")
    def fit(self, rng, values, epsilon):
        self.labels_ = [v > 3 for v in values]
        self.total_ = sum(values) + rng.laplace(scale=1 / epsilon)
        return self.total_


# bad
@dp(epsilon="epsilon", neighbors="l1")
def checked(rng, values, epsilon):
    noisy = sum(values) + rng.laplace(scale=1 / epsilon)
    if noisy > 1000:
        raise ValueError(f"too large: {values}")
    return noisy


# bad
import pickle


@dp(epsilon="epsilon", neighbors="l1")
def cached(rng, values, epsilon, file):
    pickle.dump(values, file)
    return sum(values) + rng.laplace(scale=1 / epsilon)


# bad
def report(values):
    print("largest", max(values))


@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    report(values)
    return sum(values) + rng.laplace(scale=1 / epsilon)


# good
class Model:
    @dp(epsilon="epsilon", neighbors="l1")
    def fit(self, rng, values, epsilon):
        self.epsilon = epsilon
        self.total_ = sum(values) + rng.laplace(scale=1 / epsilon)
        return self.total_


# good
@dp(epsilon="epsilon", neighbors="l1")
def checked(rng, values, epsilon):
    if epsilon <= 0:
        raise ValueError(f"epsilon is {epsilon}")
    return sum(values) + rng.laplace(scale=1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="l1")
def kept(rng, values, epsilon):
    state = {}
    state["exact"] = sum(values)
    return state["exact"] + rng.laplace(scale=1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="l1")
def named(rng, values, epsilon):
    print("releasing a sum with epsilon", epsilon, type(values), isinstance(values, list))
    return sum(values) + rng.laplace(scale=1 / epsilon)


# good: the number of columns, the types of columns and what an unknown function keeps the length of
@dp(epsilon="epsilon", neighbors="replace-one", domain={"age": (0, 120)})
def fit(rng, rows, epsilon, logger, encoder):
    encoded = encoder.apply(rows, "age")
    logger.info("%s columns of %s", rows.shape[1], rows.dtypes)
    logger.info("delta %s", 1 / len(encoded))
    return np.sum(np.clip(rows["age"], 0, 120)) + rng.laplace(scale=120 / epsilon)
