"""Functions whose results a cache keeps, and it matters."""

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
