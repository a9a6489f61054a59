"""Starred arguments, and iterators that end early, all of which is used up at once.

No interpretation follows these.
"""

import builtins
import itertools
import math
from builtins import max as built_in_max
from functools import partial
from itertools import dropwhile, takewhile

import numpy as np


def norm_of_starred_numbers(rng, queries):
    noisy = [q + rng.normal() for q in queries]
    return math.hypot(*noisy), math.hypot(*noisy[:1]), math.hypot(*noisy[:0]), math.hypot(1, *noisy[:2], 2.5)


def norm_of_odd_numbers(rng, queries):
    odd = [0.0, -0.0, math.inf, math.nan, 1e200, 1e-200, 3, True]
    picked = [odd[int(rng.integers(8))] for _ in range(3)]
    return math.hypot(*picked), math.hypot(*np.array(picked))


def ends_of_starred_numbers(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    return max(*noisy), min(*noisy, 0.5), max(-1, *noisy, 2), min(0, *[], 1)


def end_of_a_single_starred_list(rng, queries):
    rows = [[q + rng.laplace(), q] for q in queries[:1]]
    return max(*rows), min(*[queries])


def end_of_no_starred_numbers(rng, queries):
    kept = [q for q in queries if q + rng.laplace() > 2.5]
    try:
        return max(*kept)
    except TypeError:
        return -1


def end_of_few_starred_numbers(rng, queries):
    kept = [q for q in queries if q + rng.laplace() > 2.5]
    return min(*kept, -1.0)


def taken_until_one_is_small(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    head = list(takewhile(lambda v: v > 0.5, noisy))
    tail = list(itertools.dropwhile(lambda v: v > 0.5, noisy))
    return head, tail, sum(takewhile(lambda v: v < 2, queries)), sorted(dropwhile(lambda v: v > 0, queries))


def taken_by_a_name(rng, queries):
    above = lambda v, least=0.5: v > least  # noqa: E731
    high = partial(above, least=1.5)
    noisy = [q + rng.laplace() for q in queries]
    return [v * 2 for v in list(takewhile(above, noisy))], dict.fromkeys(list(dropwhile(high, noisy)))


def taken_as_they_are_drawn(rng, queries):
    head = list(takewhile(lambda v: v > 0.5, (q + rng.laplace() for q in queries if q >= 0)))
    return head, rng.random(), list(dropwhile(lambda v: v + rng.laplace() > 0.5, queries)), rng.random()


def taken_by_noise(rng, queries):
    def kept(q):
        return q + rng.laplace() > 0

    return list(takewhile(kept, queries)), rng.random()
