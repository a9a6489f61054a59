"""Decorators that keep something, and arguments that are changed before they are handed on. Nobody follows these."""

import functools
import math
from functools import wraps


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


def _rounded(function):
    """Rounds what a function gives."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return round(function(*args, **kwargs), 6)

    return wrapper


def _positive(*names, least=0):
    def decorate(function):
        @wraps(function)
        def wrapper(*args, **kwargs):
            for name in names:
                if kwargs.get(name, 1) <= least:
                    raise ValueError(f"{name} must be positive")
            return function(*args, **kwargs)

        return wrapper

    return decorate


def _twice(function):
    def both(rng, x, *rest, **options):
        first = function(rng, x, *rest, **options)
        return first + function(rng, x + len(rest), *rest, **options) + len(options)

    return both


@_rounded
def _noise(rng, scale, loc=0.0):
    return rng.laplace(loc, scale)


@_positive("scale", "more")
@_rounded
def _checked(rng, *, scale, more=1):
    return rng.laplace(scale=scale) * more


@_twice
def _shifted(rng, x, by=1.0):
    if x > 2:
        return by
    return x + rng.random() * by


@_rounded
def _mean_of(rng, xs):
    return _noise(rng, 1.0) + sum(xs) / len(xs)


def _gathered(rng, *parts, **named):
    return _total(rng, 1, *parts, **named) + len(parts)


def _total(rng, start, first, second=0.5, *rest, scale=1.0):
    return start + first * second + sum(rest) + rng.laplace(scale=scale)


def noise_behind_a_decorator(rng, queries):
    return [q + _noise(rng, 1 + q) for q in queries], _noise(rng, scale=0.5, loc=2.0)


def noise_behind_two_decorators(rng, queries):
    return [_checked(rng, scale=0.5 + q) for q in queries]


def decorator_that_raises(rng, queries):
    try:
        return _checked(rng, scale=queries[int(rng.integers(0, 5))], more=queries[int(rng.integers(0, 5))])
    except ValueError:
        return "not positive"


def wrapper_that_calls_twice(rng, queries):
    return [_shifted(rng, q, by=2.0) for q in queries], _shifted(rng, 3), _shifted(rng, 1, 0.5)


def decorated_function_within_another(rng, queries):
    return _mean_of(rng, queries)


def arguments_that_are_handed_on(rng, queries):
    first = _gathered(rng, queries[0], queries[2], rng.random(), math.pi, scale=2.0)
    return first, _gathered(rng, *[] or [], 2.0) if rng.random() < 0 else _gathered(rng, 1.0)


class _Base:
    def __init__(self, *, scale, rng=None):
        self.scale = scale
        self.rng = rng

    def noise(self):
        return self.rng.laplace(scale=self.scale)


class _Bounded:
    def __init__(self, *, lower, upper, **kwargs):
        super().__init__(**kwargs)
        self.lower, self.upper = lower, upper

    def bounded(self, x):
        return min(max(x, self.lower), self.upper)


class _BoundedNoise(_Bounded, _Base):
    def add(self, x):
        return self.bounded(x + self.noise())


def mixin_that_hands_on(rng, queries):
    noise = _BoundedNoise(lower=0.0, scale=2.0, upper=3.0, rng=rng)
    return [noise.add(q) for q in queries]
