"""Settings that may be something else where they are looked at. No interpretation follows these."""

from dataclasses import dataclass


@dataclass
class _Settings:
    scale: float = 2.0
    rounding: int = 1

    def __bool__(self):
        return self.scale > 1


def _scaled(rng, settings=None):
    settings = settings or _Settings(3.0)
    return rng.random() * settings.scale


def settings_in_some_runs(rng, queries, settings=None):
    if rng.random() < 0.5:
        settings = _Settings()
    return settings is None or rng.laplace(scale=settings.scale)


def settings_that_may_be_false(rng, queries):
    return _scaled(rng, _Settings(0.5))


def settings_that_are_looked_at_before(rng, queries, settings=None):
    seen = [settings]
    settings = settings or _Settings()
    return seen, rng.laplace(scale=settings.scale)


def settings_that_are_given_something_else_before(rng, queries, settings=None):
    if rng.random() < 0.5:
        settings = queries
    settings = settings or _Settings(3.0)
    return settings if settings is queries else rng.laplace(scale=settings.scale)


def _twice(rng, settings=None):
    if rng.random() < 0.5:
        settings = 4.0
    settings = settings or _Settings(3.0)
    return settings if settings == 4.0 else rng.laplace(scale=settings.scale)


def settings_of_a_helper_that_are_something_else(rng, queries):
    return _twice(rng)


def _rounded(rng, x, settings=None):
    settings = settings or _Settings()
    return round(x + rng.random() * settings.scale, settings.rounding)


def _with_block(rng, x, settings=None):
    if settings is None:
        settings = _Settings(3.0)
    return x + rng.random() * settings.scale


def settings_of_a_helper(rng, queries):
    own = _Settings(rounding=3)
    return [_rounded(rng, q) for q in queries], _rounded(rng, 1.0, own), _with_block(rng, 2.0), _with_block(rng, 1, own)


def settings_that_are_made_if_none(rng, queries, settings=None):
    total = sum(queries)
    if settings is None:
        rounding = 1 + int(total > 100)
        settings = _Settings(rounding=rounding)
    settings.scale = total
    return round(total + rng.laplace(scale=settings.scale), settings.rounding)
