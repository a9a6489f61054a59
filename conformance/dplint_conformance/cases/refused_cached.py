"""Functions whose results a cache keeps, and it matters."""

import functools
import math
from functools import cache, lru_cache


@cache
def _steps(n):
    return [i * 2 for i in range(n)]


@lru_cache
def _noisy(rng, n):
    return n + rng.random()


def list_that_is_kept_is_changed(rng, records):
    steps = _steps(3)
    steps.append(rng.random())
    return len(steps)


def draws_that_are_kept(rng, records):
    return _noisy(rng, 1) - _noisy(rng, 1) + rng.random()


@lru_cache(maxsize=None)
def _harmonic(n):
    return sum(1.0 / i for i in range(1, n + 1))


@functools.cache
def _weights(n, power=1.0):
    total = _harmonic(n)
    return tuple(1.0 / (i**power * total) for i in range(1, n + 1))


@lru_cache
def _scale(epsilon, kind="laplace"):
    if epsilon <= 0:
        raise ValueError("epsilon must be positive")
    return 1 / epsilon if kind == "laplace" else math.sqrt(2) / epsilon


@cache
def _fibonacci(n):
    return n if n < 2 else _fibonacci(n - 1) + _fibonacci(n - 2)


def numbers_that_are_kept(rng, queries):
    return _harmonic(len(queries)) + rng.random(), _harmonic(3), _harmonic(int(rng.integers(5)))


def tuple_that_is_kept(rng, queries):
    return [q + rng.laplace(scale=w) for q, w in zip(queries, _weights(len(queries)))], _weights(2, 2.0)


def raises_each_time(rng, queries, epsilon):
    return _scale(epsilon) + rng.laplace(scale=_scale(rng.integers(2) - 0.5 if rng.random() < 0.5 else 2.0, "normal"))


def recursion_that_is_kept(rng, records):
    return _fibonacci(5) + rng.integers(3)


def list_that_is_kept_is_looked_at(rng, records):
    return [s + rng.random() for s in _steps(3)], sum(_steps(4)), list(_steps(2)) + [1]


@cache
def _total(values, start=0):
    return sum(values) + start


def lists_cannot_be_kept(rng, queries):
    return _total(queries) if rng.random() < 0.5 else _total((1, 2), start=rng.integers(3))


def tuples_of_lists_cannot_be_kept(rng, queries):
    key = (1, 2) if rng.random() < 0.5 else (queries, 1)
    return _total(key)
