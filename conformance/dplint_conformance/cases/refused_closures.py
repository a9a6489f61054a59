"""Functions that a function makes for itself, and what of it they see when they are called.

No interpretation follows these.
"""

from collections import Counter
from functools import partial

import numpy as np


def partial_of_a_draw(rng, queries, epsilon):
    draw = partial(rng.laplace, scale=1 / epsilon)
    return [q + draw() for q in queries], draw(5), draw(scale=0.1)


def _moved(rng, x, by, times=1):
    return x + by * times * rng.random()


def partial_of_a_helper(rng, queries):
    by = 1
    move = partial(_moved, rng, by=by)
    by = 100
    return [move(q) for q in queries], move(1, times=3), move(1, by=by)


def partial_of_a_builtin(rng, queries):
    at_least = partial(max, rng.random())
    return [at_least(q) for q in queries]


def table_of_methods_of_a_generator(rng, queries):
    draws = {"laplace": rng.laplace, "gumbel": rng.gumbel}
    name = "gumbel" if rng.random() < 0.5 else "laplace"
    return draws["laplace"](1), draws[name](scale=2)
