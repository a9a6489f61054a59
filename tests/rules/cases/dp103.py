"""Further examples of DP103: noise not scaled by releases."""

import numpy as np

from dplint import dp


# bad: Lee and Clifton 2014
@dp(epsilon="epsilon", neighbors="linf", args={"N": (1, 5)})
def sparse(rng, queries, epsilon, T, N):
    threshold = T + rng.laplace(scale=4 / epsilon)
    out, count = [], 0
    for q in queries:
        if q + rng.laplace(scale=4 / (3 * epsilon)) >= threshold:
            out.append(True)
            count += 1
            if count >= N:
                break
        else:
            out.append(False)
    return out


# good
@dp(epsilon="epsilon", neighbors="linf", args={"N": (1, 5)})
def sparse(rng, queries, epsilon, T, N):
    threshold = T + rng.laplace(scale=2 / epsilon)
    out, count = [], 0
    for q in queries:
        if q + rng.laplace(scale=4 * N / epsilon) >= threshold:
            out.append(True)
            count += 1
            if count >= N:
                break
        else:
            out.append(False)
    return out


# bad: a release for each dimension, all with the whole budget
@dp(epsilon="epsilon", neighbors="linf")
def marginals(rng, answers, epsilon):
    noisy = np.asarray(answers) + rng.laplace(scale=2 / epsilon, size=len(answers))
    return noisy.tolist()


# bad
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 1))
def repeated_mean(rng, values, epsilon):
    answers = []
    for _ in range(10):
        answers.append(sum(values) + rng.laplace(scale=1 / epsilon))
    return answers


# bad
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
def rounds(rng, values, epsilon, rounds):
    for _ in range(rounds):
        yield len(values) + rng.laplace(scale=1 / epsilon)


# bad
def noisy(rng, value, epsilon):
    return value + rng.laplace(scale=1 / epsilon)


@dp(epsilon="epsilon", neighbors="l1")
def copies(rng, value: float, epsilon, k):
    return [noisy(rng, value, epsilon) for _ in range(k)]


# good
@dp(epsilon="epsilon", neighbors="linf")
def marginals(rng, answers, epsilon):
    noisy = np.asarray(answers) + rng.laplace(scale=len(answers) / epsilon, size=len(answers))
    return noisy.tolist()


# good: disjoint parts compose in parallel
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 99))
def decades(rng, ages, epsilon):
    out = []
    for k in range(10):
        out.append(sum(1 for age in ages if age // 10 == k) + rng.laplace(scale=1 / epsilon))
    return out


# good
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 1))
def repeated_mean(rng, values, epsilon):
    return [sum(values) + rng.laplace(scale=10 / epsilon) for _ in range(10)]


# good: the claim counts the releases itself
@dp(epsilon="k * epsilon", neighbors="l1")
def copies(rng, value: float, epsilon, k):
    return [value + rng.laplace(scale=1 / epsilon) for _ in range(k)]


# good
@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    return [c + rng.laplace(scale=1 / epsilon) for c in counts]
