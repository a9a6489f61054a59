"""Functions that a function makes for itself, and what of it they see when they are called.

No interpretation follows these.
"""

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


def methods_of_a_generator_as_values(rng, queries):
    draw = rng.laplace
    other = np.random.normal
    return draw(queries[0]), draw(scale=2, size=2), other(1)


def ranges(rng, queries):
    n = int(rng.integers(4))
    places = range(n)
    evens = range(0, n, 2)
    listed = [queries[i] for i in places]
    return listed, len(places), 2 in places, sum(evens), sorted(range(n), reverse=True), len(range(n))


def closure_handed_on_where_a_name_is_another(rng, queries):
    q = rng.random()

    def moved(k):
        return k + q

    def applied(function, k):
        return function(k)

    return [applied(moved, 1) + q for q in queries], [applied(lambda k: k * q, 2) for q in queries]
