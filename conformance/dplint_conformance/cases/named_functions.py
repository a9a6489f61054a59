"""Lambdas and `functools.partial` under names, with defaults, and functions that are defaults of others."""

from functools import partial

import numpy as np


class _Noisy:
    def __init__(self, epsilon, scale_of=lambda epsilon: 1 / epsilon):
        self.scale = scale_of(epsilon)

    def one(self, rng, x, shape=lambda x, times=2: x * times):
        return shape(x) + rng.laplace(scale=self.scale)

    def with_this(self, rng, x, noise=lambda rng, scale: rng.normal(scale=scale)):
        return x + noise(rng, self.scale)


def _shifted(x, by=1.0):
    return x + by


def _clipped(x, low=-1.0, high=2.0, end=min):
    return end(max(x, low), high)


def _applied(rng, xs, step=_shifted, key=lambda x: -x):
    return [step(x) for x in sorted(xs, key=key)] + [rng.random()]


def lambda_with_a_negative_default(rng, queries):
    down = lambda x, by=-1: x * by + rng.random()  # noqa: E731
    return [down(q) for q in queries], down(by=2, x=1)


def filtered_by_a_name(rng, queries, threshold):
    above = lambda q: q > threshold  # noqa: E731
    noisy = [q + rng.normal() for q in queries]
    return list(filter(above, noisy)), sum(map(above, noisy)), [q for q in filter(above, noisy)]


def filtered_by_noise_under_a_name(rng, queries):
    def kept(q):
        return q + rng.laplace() > 1

    return list(filter(kept, queries))


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


def default_that_is_what_a_variable_was(rng, queries):
    scale = rng.random()
    scaled = lambda x, by=scale: x * by  # noqa: E731
    scale = 2.0
    return scaled(3.0), scale


def default_of_a_function_that_is_what_a_variable_was(rng, queries):
    if queries:
        scale = rng.random()

        def scaled(x, by=scale):
            return x * by

        scale = 2.0
        return scaled(3.0), scale
    return None


def defaults_that_the_loop_gives(rng, queries):
    found = []
    for i, q in enumerate(queries):
        noisy = lambda x, i=i, q=q + rng.random(): x * i + q  # noqa: E731
        i = q = -1
        found.append((noisy(1.0), noisy(2.0, q=0.0), noisy(1, 2)))
    return found


def generator_as_a_default(rng, queries):
    first = queries[0]

    def noisy(x, source=rng, by=first):
        return x + by * source.laplace()

    first = 100.0
    return [noisy(q) for q in queries], noisy(1, by=2), first


def list_as_a_default(rng, queries):
    least = min(queries)
    count = lambda x, among=[least, rng.random()]: sum(x > one for one in among)  # noqa: E731
    return [count(q) for q in queries], count(0.5, [1]), count(rng.random())


def local_function_with_the_default_of_a_variable(rng, queries):
    scale = rng.random()

    def scaled(k, by=scale):
        return k * by

    scale = 2.0
    return scaled(queries[0])
