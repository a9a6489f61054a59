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


class _Noisy:
    def __init__(self, epsilon, scale_of=lambda epsilon: 1 / epsilon):
        self.scale = scale_of(epsilon)

    def one(self, rng, x, shape=lambda x, times=2: x * times):
        return shape(x) + rng.laplace(scale=self.scale)

    def with_this(self, rng, x, noise=lambda rng, scale: rng.normal(scale=scale)):
        return x + noise(rng, self.scale)


def _shifted(x, by=1.0):
    return x + by


def _applied(rng, xs, step=_shifted, key=lambda x: -x):
    return [step(x) for x in sorted(xs, key=key)] + [rng.random()]


def filtered_by_a_name(rng, queries, threshold):
    above = lambda q: q > threshold  # noqa: E731
    noisy = [q + rng.normal() for q in queries]
    return list(filter(above, noisy)), sum(map(above, noisy)), [q for q in filter(above, noisy)]


def filtered_by_a_function_of_the_module(rng, queries):
    return list(filter(_shifted, [q - 1 for q in queries])), list(map(_clipped, [q + rng.normal() for q in queries]))


def functions_as_defaults(rng, queries):
    return _applied(rng, queries), _applied(rng, queries, key=lambda x: x), _applied(rng, queries, _clipped)


def functions_as_defaults_of_methods(rng, queries, epsilon):
    noisy = _Noisy(epsilon)
    return [noisy.one(rng, q) for q in queries], noisy.one(rng, 1, shape=abs), noisy.with_this(rng, 1.0)


def function_as_default_of_a_constructor(rng, queries, epsilon):
    noisy = _Noisy(epsilon, scale_of=lambda epsilon: np.round(2 / epsilon))
    return noisy.one(rng, queries[0]), noisy.with_this(rng, 2.0, lambda rng, scale: scale)


scale = 100.0
