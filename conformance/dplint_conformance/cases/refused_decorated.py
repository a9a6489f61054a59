"""Decorators that keep something, and arguments that are changed before they are handed on. Nobody follows these."""

import functools


def _counted(function):
    calls = []

    @functools.wraps(function)
    def wrapper(*args):
        calls.append(1)
        return function(*args) + len(calls)

    return wrapper


def _kept(function):
    kept = {}

    def wrapper(x):
        if x not in kept:
            kept[x] = function(x)
        return kept[x]

    return wrapper


def _named(function):
    def wrapper(*args):
        wrapper.calls += 1
        return function(*args)

    wrapper.calls = 0
    return wrapper


def _with_more(function):
    def wrapper(rng, **options):
        options["scale"] = options.get("scale", 1) + 1
        return function(rng, **options)

    return wrapper


def _rebound(function):
    def wrapper(*args):
        args = args[:1]
        return function(*args)

    return wrapper


_SCALE = 2.0


def _scaled(_SCALE):
    def decorate(function):
        def wrapper(rng, scale=_SCALE):
            return function(rng, scale)

        return wrapper

    return decorate


@_counted
def _one(rng):
    return rng.random()


@_kept
def _two(x):
    return x + 1


@_named
def _three(rng):
    return rng.random()


@_with_more
def _four(rng, scale=1):
    return rng.laplace(scale=scale)


@_rebound
def _five(rng, scale=1):
    return rng.laplace(scale=scale)


def decorator_that_counts(rng, queries):
    return _one(rng) + queries[0]


def decorator_that_keeps(rng, queries):
    return _two(queries[0]) + rng.random()


def decorator_with_an_attribute(rng, queries):
    return _three(rng) + queries[0]


def decorator_that_changes_arguments(rng, queries):
    return _four(rng, scale=queries[0])


def decorator_that_rebinds_arguments(rng, queries):
    return _five(rng, queries[0])


@_scaled(9.0)
def _six(rng, scale):
    return rng.laplace(scale=scale)


def decorator_that_gives_a_default(rng, queries):
    return _six(rng) + queries[0]
