"""Further examples of DP503: batch factor."""

import math

import numpy as np

from dplint import dp


# bad: TF-privacy 620: the gradient of a microbatch is clipped, and the noise is for a record that comes or goes
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-100, 100), size=[8])
def step(rng, gradients, epsilon, bound=1.0, size=4):
    total = 0.0
    for start in range(0, len(gradients), size):
        total += np.clip(np.mean(gradients[start : start + size]), -bound, bound)
    return total + rng.laplace(scale=bound / epsilon)


# good: the average is clipped, and the noise is as wide as the clip
@dp(epsilon="epsilon", neighbors="replace-one", domain=(-50, 50))
def average(rng, values, epsilon):
    return np.clip(sum(values) / len(values), -5, 5) + rng.laplace(scale=10 / epsilon)


# bad: the same with Gaussian noise and a norm
@dp(epsilon="epsilon", delta=1e-5, neighbors="add-remove", domain=(-100, 100), size=[8])
def step(rng, gradients, epsilon, bound=1.0, multiplier=4.0):
    total = 0.0
    for batch in np.array_split(gradients, 4):
        average = np.mean(batch, axis=0)
        total += average * min(1.0, bound / np.linalg.norm(average))
    return total + rng.normal(scale=multiplier * bound) + 0 / epsilon


# bad: Tramèr et al.: each layer's averaged gradient is clipped, and the noise is divided by the size of the batch
def clipped(value, bound):
    return value / max(1.0, np.linalg.norm(value) / bound)


@dp(epsilon="epsilon", delta=1e-5, neighbors="replace-one", domain=(-100, 100), size=[8])
def layer(rng, gradients, epsilon, delta=1e-5, bound=1.0):
    average = clipped(np.mean(gradients, axis=0), bound)
    sigma = 2 * bound / len(gradients) * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    return average + rng.normal(scale=sigma)


# bad: vectors, whose norm may be larger than any coordinate
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 1), size=[8])
def direction(rng, gradients, epsilon, bound=1.0):
    average = np.mean(gradients, axis=0)
    average = average * min(1.0, bound / np.linalg.norm(average))
    return average + rng.laplace(scale=2 * bound / (len(gradients) * epsilon))


# bad: caamas 36: the sum of all updates is clipped, not that of each client
@dp(epsilon="epsilon", neighbors="replace-one", domain=(-50, 50))
def merge(rng, updates, epsilon, clients=10):
    total = 0.0
    for update in updates:
        total += update
    merged = max(-1.0, min(1.0, total / clients))
    return merged + rng.laplace(scale=2 / (clients * epsilon))


# bad: the bound where the width is needed
@dp(epsilon="epsilon", neighbors="replace-one", domain=(-50, 50))
def average(rng, values, epsilon):
    return np.clip(sum(values) / len(values), -5, 5) + rng.laplace(scale=5 / epsilon)


# bad
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1000), size=[6])
def totals(rng, values, epsilon):
    pairs = np.array_split(values, 3)
    capped = [np.clip(np.mean(pair), 0, 10) for pair in pairs]
    return sum(capped) / 3 + rng.laplace(scale=10 / (3 * len(values) * epsilon))


# good: each record is clipped before
@dp(epsilon="epsilon", neighbors="replace-one", domain=(-100, 100))
def gradient(rng, gradients, epsilon, bound=1.0):
    total = 0.0
    for one in gradients:
        total += max(-bound, min(bound, one))
    return total / len(gradients) + rng.laplace(scale=2 * bound / (len(gradients) * epsilon))


# good: the clip does nothing: the domain lies within it
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 1))
def share(rng, values, epsilon):
    return np.clip(np.mean(values), 0, 1) + rng.laplace(scale=1 / (len(values) * epsilon))


# good: clipped twice: first each of them
@dp(epsilon="epsilon", neighbors="replace-one", domain=(-50, 50))
def average(rng, values, epsilon):
    clipped = np.clip(values, -5, 5)
    return np.clip(np.mean(clipped), -5, 5) + rng.laplace(scale=10 / (len(values) * epsilon))


# good: the mean over the entries of one record is clipped
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-50, 50))
def total(rng, rows, epsilon, bound=1.0):
    parts = [np.clip(np.mean(row), -bound, bound) for row in rows]
    return sum(parts) + rng.laplace(scale=bound / epsilon)


# good: microbatches, and the noise knows of them
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-100, 100), size=[8])
def step(rng, gradients, epsilon, bound=1.0):
    total = 0.0
    for batch in np.array_split(gradients, 4):
        total += np.clip(np.mean(batch), -bound, bound)
    return total + rng.laplace(scale=2 * bound / epsilon)


# good: the noisy average is clipped afterwards
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 10))
def average(rng, values, epsilon):
    noisy = np.mean(values) + rng.laplace(scale=10 / (len(values) * epsilon))
    return np.clip(noisy, 0, 5)


# good: answers that may move by one each, wherever they are clipped
@dp(epsilon="epsilon", neighbors="l1")
def average(rng, answers, epsilon, bound=1.0):
    return np.clip(np.mean(answers), -bound, bound) + rng.laplace(scale=1 / (len(answers) * epsilon))
