"""Lambdas and `functools.partial` under names, with defaults, and functions that are defaults of others.

No interpretation follows these.
"""

from functools import partial

import numpy as np


def _clipped(x, low=-1.0, high=2.0, end=min):
    return end(max(x, low), high)


def partial_within_a_lambda(rng, queries):
    noise = partial(rng.laplace, 0, 1 + len(queries))
    scaled = lambda x, times=2.0: times * (x + noise())  # noqa: E731
    return list(map(scaled, queries)), [scaled(q, times=1.0) for q in queries], scaled(0, -1)


def partial_of_a_function_of_the_module(rng, queries):
    low = partial(_clipped, high=1.0)
    return [low(q + rng.normal()) for q in queries], list(map(low, queries))
