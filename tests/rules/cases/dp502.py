"""Further examples of DP502: sensitivity of a difference."""

import math

import numpy as np

from dplint import dp


# bad: mbi 65: a difference of two errors
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9))
def worst_cell(rng, values, epsilon, models):
    noisy = []
    for model in models:
        before = sum(1 for v in values if v > model)
        after = sum(1 for v in values if v < model)
        noisy.append(abs(before - after) + rng.gumbel(scale=2 / epsilon))
    return noisy.index(max(noisy))


# good
KINDS = ["a", "b", "c"]


@dp(epsilon="epsilon", neighbors="replace-one", domain=["a", "b", "c"])
def commonest(rng, answers, epsilon):
    return int(np.argmax([answers.count(k) + rng.gumbel(scale=2 / epsilon) for k in KINDS]))


# bad
KINDS = ["a", "b", "c"]


@dp(epsilon="epsilon", neighbors="replace-one", domain=["a", "b", "c"])
def gains(rng, answers, epsilon):
    best, winner = -math.inf, None
    for kind in KINDS:
        score = answers.count(kind) - answers.count("c") + rng.laplace(scale=2 / epsilon)
        if score > best:
            best, winner = score, kind
    return winner


# bad
KINDS = ["a", "b", "c"]


@dp(epsilon="epsilon", neighbors="add-remove", domain=["a", "b", "c"])
def gains(rng, answers, epsilon):
    scores = [-(answers.count(k) - answers.count("a")) + rng.gumbel(scale=1 / epsilon) for k in KINDS]
    return int(np.argmax(scores))


# bad
def score(answers, kind):
    return float(answers.count(kind) - answers.count("a"))


@dp(epsilon="epsilon", neighbors="replace-one", domain=["a", "b", "c"])
def gains(rng, answers, epsilon, kinds):
    return int(np.argmax([score(answers, k) + rng.gumbel(scale=2 / epsilon) for k in kinds]))


# bad
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 9))
def cut(rng, values, epsilon):
    noisy = []
    for k in range(9):
        above = np.count_nonzero(np.asarray(values) > k)
        noisy.append(above - np.count_nonzero(np.asarray(values) <= k) + rng.exponential(scale=2 / epsilon))
    return int(np.argmax(noisy))


# good: from a public number
@dp(epsilon="epsilon", neighbors="add-remove", domain=["a", "b", "c"])
def gains(rng, answers, epsilon, kinds, expected):
    return int(np.argmax([abs(answers.count(k) - expected) + rng.gumbel(scale=2 / epsilon) for k in kinds]))


# good
@dp(epsilon="epsilon", neighbors="replace-one", domain=["a", "b", "c"])
def gains(rng, answers, epsilon, kinds):
    scores = [answers.count(k) - answers.count("a") + rng.gumbel(scale=4 / epsilon) for k in kinds]
    return int(np.argmax(scores))


# good: a difference that is released has a budget of its own
@dp(epsilon="epsilon", neighbors="add-remove", domain=["a", "b"])
def lead(rng, answers, epsilon):
    return answers.count("a") - answers.count("b") + rng.laplace(scale=1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="linf")
def best(rng, scores, epsilon, baseline):
    return int(np.argmax([s - baseline + rng.gumbel(scale=2 / epsilon) for s in scores]))
