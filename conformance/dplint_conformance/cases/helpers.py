"""Helper functions of the same module."""

import math
import random

import numpy as np


def tuple_from_helper(rng, queries):
    best, where = _best(rng, queries)
    return where, best


def _best(rng, queries):
    best, where = queries[0] + rng.laplace(), 0
    for i in range(1, len(queries)):
        x = queries[i] + rng.laplace()
        if x > best:
            best, where = x, i
    return best, where


def helper_with_early_return(rng, queries):
    return [_level(rng, q) for q in queries]


def _level(rng, q):
    x = q + rng.laplace()
    if x < 0:
        return "negative"
    if x > 2:
        return x
    for step in (0.5, 1, 1.5):
        if x < step:
            return step


def recursive_sums(rng, queries):
    return _halved(rng, queries, 2)


def _halved(rng, queries, depth):
    if depth == 0 or len(queries) < 2:
        return [sum(queries) + rng.laplace()]
    half = len(queries) // 2
    found = _halved(rng, queries[:half], depth - 1)
    return found + _halved(rng, queries[half:], depth - 1)


def recursion_that_draws_end(rng, queries):
    return _descended(rng, queries, 0)


def _descended(rng, queries, start):
    x = queries[start] + rng.laplace()
    if x > 1 or start == len(queries) - 1:
        return x, start
    lower, place = _descended(rng, queries, start + 1)
    return lower + x, place


def mutual_recursion(rng, n):
    return _even(rng, 4)


def _even(rng, n):
    return "even" if n == 0 else _odd(rng, n - 1)


def _odd(rng, n):
    if n == 0 or rng.laplace() > 1:
        return "odd"
    return _even(rng, n - 1)


def helper_without_draws(rng, queries):
    return [_clip(q + rng.laplace(), 0, high=2) for q in queries]


def _clip(x, low, high=1):
    if x < low:
        return low
    return high if x > high else x


def helper_in_helper(rng, queries):
    total = 0.0
    for q in queries:
        total += _twice(rng, q)
    return total


def _twice(rng, q):
    first = _coin(rng)
    if first:
        return q
    second = _coin(rng)
    return q * 2 if second else _clip(q + rng.laplace(), 0)


def _coin(rng):
    return rng.random() < 0.5


def helper_that_raises(rng, queries):
    return [_checked(rng.laplace() + q) for q in queries]


def _checked(x):
    if x < -1.5:
        raise ValueError("too small")
    return math.sqrt(x + 1.5)


def helper_with_while(rng, queries):
    return _tries(rng, 0.3), _tries(rng, p=0.8)


def _tries(rng, p):
    n = 0
    while True:
        n += 1
        if rng.random() < p or n > 20:
            return n


def helper_in_condition(rng, queries):
    out = 0
    while not _coin(rng):
        out += 1
    return out if _coin(rng) else -out


def helper_changes_its_own_list(rng, n):
    return sum(_grown(rng, 3)) + sum(_grown(rng, n))


def _grown(rng, length):
    out = []
    while len(out) < length:
        out.append(rng.random())
        if out[-1] < 0.2:
            break
    return out


def helper_result_unused(rng, queries):
    _coin(rng)
    return _coin(rng)


def generator_made_if_missing(rng, queries):
    if rng is None:
        rng = np.random.default_rng()
    return rng.laplace()


def local_functions_that_call_each_other(rng, queries):
    scale = 1.0

    def noise(factor):
        return rng.laplace(scale=scale * factor)

    def noisy(q, factor=2):
        return q + noise(factor)

    clipped = lambda q: min(max(noisy(q), 0), 2)
    first = [noisy(q) for q in queries]
    scale = 3.0
    return first, [clipped(q) for q in queries]
