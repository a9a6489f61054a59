"""Further examples of DP208: selection by exact scores."""

import math

import numpy as np

from dplint import dp


# bad: dpsynth 35: the query with the largest error
@dp(epsilon="epsilon", neighbors="linf")
def worst_marginal(rng, errors, epsilon):
    worst = int(np.argmax(errors))
    return worst, errors[worst] + rng.laplace(scale=1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="linf")
def best(rng, scores, epsilon):
    noisy = np.asarray(scores) + rng.gumbel(scale=2 / epsilon, size=len(scores))
    return int(np.argmax(noisy))


# bad
@dp(epsilon="epsilon", neighbors="linf")
def order(rng, scores, epsilon):
    ranking = np.argsort(scores)
    noisy = sum(scores) + rng.laplace(scale=len(scores) / epsilon)
    return ranking.tolist(), noisy


# bad
@dp(epsilon="epsilon", neighbors="linf")
def weighted(rng, scores, epsilon):
    total = sum(scores)
    return int(rng.choice(len(scores), p=[s / total for s in scores])) + 0 * epsilon


# bad
@dp(epsilon="epsilon", neighbors="linf")
def best(rng, scores, epsilon, exact: bool):
    noisy = [s + rng.gumbel(scale=2 / epsilon) for s in scores]
    if exact:
        return scores.index(max(scores))
    return noisy.index(max(noisy))


# bad: a coin of another distance may fall on no side
@dp(epsilon="epsilon", neighbors="linf")
def flip(rng, scores, epsilon):
    for i in rng.permutation(len(scores)):
        if rng.random() <= math.exp(epsilon * (scores[i] - 10) / 2):
            return int(i)
    return int(np.argmax(scores))


# bad
@dp(epsilon="epsilon", neighbors="linf")
def best(rng, scores, epsilon):
    winner = max(range(len(scores)), key=lambda i: scores[i])
    noisy = rng.laplace(scale=1 / epsilon)
    return int(np.asarray(scores).argmax()), noisy


# good
@dp(epsilon="epsilon", neighbors="linf")
def exponential(rng, scores, epsilon):
    weights = np.exp(epsilon * (np.asarray(scores) - max(scores)) / 2)
    return int(rng.choice(len(scores), p=weights / weights.sum()))


# good
@dp(epsilon="epsilon", neighbors="l1")
def ranking(rng, counts, epsilon):
    noisy = [c + rng.laplace(scale=1 / epsilon) for c in counts]
    return sorted(range(len(noisy)), key=lambda i: noisy[i])


# good: the last line is never reached: the coin of the best one always falls on its side
@dp(epsilon="epsilon", neighbors="linf")
def permute_and_flip(rng, scores, epsilon):
    best = max(scores)
    for i in rng.permutation(len(scores)):
        if rng.random() <= math.exp(epsilon * (scores[i] - best) / 2):
            return int(i)
    return int(np.argmax(scores))


# good: the order of the parameters is public
@dp(epsilon="epsilon", neighbors="linf")
def weighted(rng, scores, epsilon, weights):
    first = int(np.argmax(weights))
    return first, scores[first] + rng.laplace(scale=1 / epsilon)


# good: a median that gets noise
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 10))
def middle(rng, values, epsilon):
    return sorted(values)[len(values) // 2] + rng.laplace(scale=10 / epsilon)


# good: whoever switches the noise off is promised nothing
@dp(epsilon="epsilon", neighbors="linf")
def best(rng, scores: dict, epsilon, private=True):
    if private:
        noisy = {name: score + rng.gumbel(scale=2 / epsilon) for name, score in scores.items()}
    else:
        noisy = scores
    return max(noisy, key=noisy.get)


# bad: another switch is none of noise
@dp(epsilon="epsilon", neighbors="linf")
def best_of_some(rng, scores: dict, epsilon, quick=True):
    if quick:
        noisy = scores
    else:
        noisy = {name: score + rng.gumbel(scale=2 / epsilon) for name, score in scores.items()}
    return max(noisy, key=noisy.get)
