"""Questions about the type of a value, or the class of an object. No interpretation follows these."""

import abc
import math

import numpy as np


class _Noise(abc.ABC):
    limits = (0, 5)

    def __init__(self, scale):
        if type(self) is _Noise:
            raise TypeError("abstract")
        self.scale = scale

    def name(self):
        return type(self).__name__, self.__class__.__name__

    def clip(self, x):
        return min(max(x, self.limits[0]), self.limits[1])


class _Laplace(_Noise):
    def add(self, rng, x):
        return self.clip(x + rng.laplace(scale=self.scale))


class _Wide(_Laplace):
    limits = (-9, 9)


def class_of_an_object(rng, queries):
    noise = _Laplace(2.0)
    wide = _Wide(1.0)
    return noise.name(), wide.name(), noise.add(rng, queries[0]), wide.add(rng, 0), isinstance(wide, _Laplace)


def object_is_no_number(rng, queries):
    noise = _Wide(rng.random())
    flags = (isinstance(noise, (int, float)), isinstance(noise, (_Wide, str)), type(noise) is _Laplace)
    return flags, type(noise) != _Noise, noise.scale


def exact_types_of_values(rng, queries):
    x = [1, 2.5, True, "a", None, [1], (1,)][int(rng.integers(0, 7))]
    y = rng.random() if rng.random() < 0.5 else float(rng.random())
    exact = (type(x) is int, type(x) == float, type(x) in (bool, str), type(x) is not list, type(x) not in (int, tuple))
    return exact, type(y) is float, type(queries) is list


def _checked(x):
    if type(x) not in (int, float):
        raise TypeError("a number")
    return x


def exact_type_is_checked(rng, queries):
    return [_checked(q) + 1 for q in queries[: int(rng.integers(1, 4))]], _checked(1 if rng.random() < 0.5 else "1")


def type_of_what_is_drawn(rng, queries):
    out = []
    for q in queries:
        if type(rng.laplace()) in (int, float):
            out.append(q)
        if type(1 if rng.random() < 0.5 else q) is float and type(rng.integers(3)) != int:
            out.append(len(out))
    return out
