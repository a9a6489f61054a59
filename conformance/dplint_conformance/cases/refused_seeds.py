"""Generators with a seed that is not that of each run, or of which it is not plain which one a name holds."""

import random
from functools import cache

import numpy as np

RNG = random.Random(5)


class _Kept:
    rng = np.random.default_rng(5)

    def draw(self):
        return self.rng.random()


class _Own:
    def __init__(self, gen):
        self.rng = gen


@cache
def _cached():
    return np.random.random()


def _drawn(gen):
    return gen.random() + gen.random()


def _perhaps(made):
    if made:
        gen = np.random.default_rng(1)
    return gen.random()


def seeded_generator_of_the_module(rng, answer):
    return answer + RNG.random() + rng.random()


def seeded_generator_of_a_class(rng, answer):
    return _Kept().draw() + rng.random() + answer


def seeded_draw_before_the_seed(rng, answer):
    x = np.random.random() + rng.random()
    np.random.seed(1)
    return x + answer


def seeded_generators_of_one_name(rng, answer):
    gen = np.random.default_rng(1)
    x = gen.random() + rng.random()
    gen = np.random.default_rng(2)
    return x + gen.random() + answer


def seeded_later_under_one_name(rng, answer):
    gen = np.random.default_rng()
    x = gen.random() + rng.random()
    gen = np.random.default_rng(2)
    return x + gen.random() + answer


def seeded_generator_under_two_names(rng, answer):
    gen = np.random.default_rng(1)
    other = gen
    gen = np.random.default_rng(2)
    return other.random() + gen.random() + rng.random() + answer


def seeded_generator_in_place_of_the_own(rng, answer):
    x = rng.random()
    rng = np.random.default_rng(1)
    return x + rng.random() + answer


def seeded_generator_that_is_handed_on_as_it_is_made(rng, answer):
    return _drawn(np.random.default_rng(1)) + rng.random() + answer


def seeded_method_as_a_function(rng, answer):
    draw = np.random.default_rng(1).random
    return draw() + draw() + rng.random() + answer


def seeded_generator_of_an_earlier_call(rng, answer):
    x = _perhaps(True) + rng.random() + answer
    return x if rng.random() < 0.5 else _perhaps(False)


def seeded_object_under_two_names(rng, answer):
    kept = _Own(random.Random(9))
    for i in range(3):
        gen = random.Random(i)
        new = _Own(gen)
        if i == 0:
            kept = new
        answer += kept.rng.random() + new.rng.random()
    return answer + rng.random()


def seeded_library_behind_a_cache(rng, answer):
    np.random.seed(3)
    return _cached() + rng.random() + answer, _cached()


def seeded_with_none(rng, answer):
    none = None
    gen = np.random.default_rng(none)
    return gen.random() + rng.random() + answer
