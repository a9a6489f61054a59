"""Functions as values: in tables, in lists, under names, as arguments."""

import math

import numpy as np


def _applied(function, rng, values):
    noisy = [v + rng.normal() for v in values]
    if rng.random() < 0.5:
        return function(noisy)
    return [function([v]) for v in noisy]


def function_as_an_argument(rng, queries):
    offset = rng.random()
    return (
        _applied(sum, rng, queries),
        _applied(lambda xs: xs[0] + offset, rng, queries),
        _applied(np.mean, rng, queries),
    )


def function_under_another_name(rng, queries):
    smallest = min
    return smallest(queries) + rng.normal()


class _Releasing:
    def __init__(self, function, rng):
        self.noisy = function(1.0) + rng.normal()

    def map(self, function):
        return [function(self.noisy), function(2.0)]


def functions_that_methods_are_given(rng, queries):
    k = queries[0]
    return _Releasing(math.exp, rng).map(lambda x: x + k)
