"""`functools.reduce`, and functions of SciPy."""

import functools
import operator
import statistics

import numpy as np
from scipy import special


def special_functions(rng, queries):
    x = rng.laplace()
    return special.expit(x), special.logit(rng.random()), special.erf(x), special.logsumexp([x, *queries])


def special_functions_of_arrays(rng, queries):
    a = np.asarray(queries) + rng.laplace(size=len(queries))
    return special.softmax(a), special.expit(a), special.logsumexp(a), special.erf(a)


def operators_by_their_names(rng, queries):
    noisy = operator.add(queries[0], rng.laplace())
    return operator.sub(noisy, 1), operator.truediv(operator.mul(noisy, 2), 3), operator.or_(2, len(queries))


def quantiles_of_a_list(rng, values):
    noisy = [v + rng.normal() for v in values]
    low, middle, high = statistics.quantiles(noisy, n=4)
    return low, high - middle, statistics.quantiles(values, n=3, method="inclusive")


def least_squares(rng, queries):
    lower = np.tril(np.ones((3, 3)))
    found, *_ = np.linalg.lstsq(lower, np.array(queries[:3]) + rng.laplace(size=3), rcond=None)
    return found, np.linalg.lstsq(lower, np.ones(3), rcond=None)[2]


def grid_of_two_axes(rng, queries):
    x, y = np.meshgrid(np.arange(2), np.array(queries[:2]))
    return float((x * y).sum() + rng.laplace()), x.shape
