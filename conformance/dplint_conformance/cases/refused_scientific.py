"""`functools.reduce`, and functions of SciPy. No interpretation follows these."""

import functools
import operator
import statistics

import numpy as np
from scipy import special


def reduced_by_an_operator(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    return functools.reduce(operator.add, noisy, 0.0), functools.reduce(operator.mul, noisy[1:], 1)


def reduced_by_a_lambda(rng, queries):
    rate = rng.random()
    found = functools.reduce(lambda total, q: total * rate + q, queries, rng.laplace())
    return found + functools.reduce(lambda a, b: a if a > b else b, [found, rate, *queries])


def reduced_without_a_start(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    return functools.reduce(max, [one for one in noisy if one > 2])


def reduced_of_a_generator(rng, queries):
    return functools.reduce(lambda a, b: a + b, (q + rng.laplace() for q in queries), 1)


def reduced_lists(rng, queries):
    parts = [[q, rng.laplace()] for q in queries]
    return functools.reduce(lambda a, b: a + b, parts, [])
