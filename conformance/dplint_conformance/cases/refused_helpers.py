"""Helper functions of the same module. No interpretation follows these."""

import math
import random

import numpy as np


def _positive(**named):
    for name, value in named.items():
        if value <= 0:
            raise ValueError(f"{name} is {value}")


def _summed(rng, *parts, scale=1.0, **more):
    return sum(parts) + rng.laplace(scale=scale) + len(more), parts, more


def helper_that_gathers_keywords(rng, queries, epsilon):
    _positive(epsilon=epsilon, x=rng.normal() + 1)
    return _summed(rng, 1, queries[0], rng.random()), _summed(rng, scale=2), _summed(rng, 1, a=rng.random(), b=2)


class _Base(Exception):
    pass


class _TooSmall(_Base, ValueError):
    def __init__(self, name, value, most=1):
        super().__init__(f"{name} must be positive, got {value / most}")
        self.name = name


def exception_with_a_constructor(rng, queries):
    x = rng.normal()
    if x < 0:
        raise _TooSmall("x", x)
    if x > 1:
        raise _TooSmall("x", value=x, most=int(x) - 1)
    return x


def exception_with_a_constructor_caught(rng, queries):
    out = []
    for q in queries:
        try:
            if rng.random() < 0.5:
                raise _TooSmall("q", q)
            out.append(q)
        except _Base:
            out.append(-1)
        except ValueError:
            out.append(-2)
    try:
        raise _TooSmall("q", 1)
    except ValueError:
        return out
