"""Generators with a seed, whose numbers are the same in every run, beside noise. No interpretation follows these."""

import random

import numpy as np

SIGNS = np.random.RandomState(4).choice([-1.0, 1.0], size=5)


class _Noise:
    def __init__(self, seed, scale):
        self.rng = np.random.default_rng(seed)
        self.scale = scale

    def add(self, x):
        return x + self.rng.laplace(scale=self.scale)


def _hashed(item, buckets):
    place = random.Random(item)
    return place.randrange(buckets), place.random()


def _added(gen, x):
    return x + gen.normal()


def seeded_order_of_the_data(rng, queries):
    order = np.random.default_rng(7).permutation(len(queries))
    return [queries[i] + rng.laplace() for i in order]


def seeded_split(rng, queries):
    own = list(queries)
    random.Random(3).shuffle(own)
    return sum(own[:2]) + rng.laplace(), sum(own[2:])


def seeded_projection(rng, queries):
    gen = np.random.default_rng(5)
    directions = gen.normal(size=(2, len(queries)))
    shifts = gen.uniform(0, 1, size=2)
    return directions @ np.array(queries) + shifts + rng.laplace(size=2)


def seeded_hashes(rng, names):
    table = [0.0] * 4
    for name in names:
        place, weight = _hashed(name, 4)
        table[place] += weight
    return [x + rng.laplace() for x in table]


def seeded_generator_in_each_turn(rng, queries):
    out = []
    for i, q in enumerate(queries):
        gen = np.random.default_rng(i)
        out.append(q + gen.random() + rng.random())
    return out


def seeded_noise_of_two_objects(rng, answer):
    one = _Noise(3, 1.0)
    two = _Noise(3, 2.0)
    return one.add(answer), two.add(answer), one.add(rng.laplace() > 0)


def seeded_generator_handed_on(rng, answer):
    gen = np.random.RandomState(1)
    x = _added(gen, answer) + _added(gen, rng.laplace())
    return x, gen.rand(2), gen.randint(0, 9)


def seeded_by_an_argument(rng, answer, k):
    gen = random.Random(k)
    return gen.gauss(0, 1), gen.random() < answer, gen.sample([1, 2, 3], 2), rng.random()


def seeded_library(rng, answer):
    np.random.seed(0)
    x = np.random.laplace(answer, 2.0)
    random.seed("key")
    return x + np.random.rand(), random.random(), random.choice(["a", "b"]), rng.random()


def seeded_library_once_more(rng, answer):
    found = []
    for seed in (1, 2, 1):
        np.random.seed(seed)
        found.append(np.random.normal() + answer)
    return found, rng.random()


def seeded_signs_of_the_module(rng, queries):
    return float(np.sum(SIGNS * np.array(queries))) + rng.laplace()


def seeded_lambda(rng, answer):
    gen = np.random.default_rng(2)
    jitter = lambda x: x + gen.random()  # noqa: E731
    return jitter(answer), jitter(rng.random()), [np.random.default_rng(i).integers(10) for i in range(3)]


def seeded_wrongly(rng, answer):
    if rng.random() < 0.5:
        return answer
    gen = np.random.default_rng(-1)
    return gen.random()


def seeded_until_some_have_raised(rng, answer):
    gen = np.random.default_rng(4)
    first = gen.random()
    if rng.random() < 0.5:
        raise ValueError
    return answer, first, gen.random()


def seeded_in_some_runs(rng, answer):
    gen = np.random.default_rng(4)
    if rng.random() < 0.5:
        answer += gen.random()
    return answer + gen.random()


def seeded_as_often_as_chance_says(rng, answer):
    gen = random.Random(4)
    while rng.random() < 0.5:
        answer += gen.random()
    return answer + gen.random()


def seeded_around_noise(rng, answer):
    gen = np.random.default_rng(4)
    return gen.laplace(answer + rng.laplace())


def seeded_order_of_noise(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    return np.random.default_rng(4).permutation(noisy)
