"""Operators of objects, names that are given several of them, and functions that give objects or functions."""

from collections import Counter


def _sampler(rng, scale):
    half = scale / 2

    def sample(x):
        return x + rng.laplace(scale=half)

    return sample


def function_of_a_function(rng, queries):
    sample = _sampler(rng, 1.0)
    return [sample(q) for q in queries]


def functions_of_a_function(rng, queries):
    narrow = _sampler(rng, 1.0)
    wide = _sampler(rng, scale=100.0)
    return [narrow(q) + wide(q) for q in queries]


def counter_in_a_closure(rng, queries):
    counts = Counter([int(rng.integers(2))])

    def asked(key):
        return counts[key]

    return asked(0), asked(7)


class _Scaled:
    factor = 2.0

    def scale(self, x):
        return x * self.factor

    def describe(self):
        return "scaled"


class _Shifted:
    factor = 100.0

    def __init__(self, shift):
        self.shift = shift

    def shifted(self, x):
        return x + self.shift

    def describe(self):
        return "shifted"


class _Both(_Scaled, _Shifted):
    def __init__(self, shift):
        super().__init__(shift)
        self.asked = 0

    def add(self, x, rng):
        self.asked += 1
        return self.scale(self.shifted(x)) + rng.random()

    def describe(self):
        return super().describe() + " both"


def object_of_two_base_classes(rng, queries):
    both = _Both(rng.random())
    return [both.add(q, rng) for q in queries], both.asked, both.describe(), both.factor
