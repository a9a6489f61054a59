"""Starred arguments, and iterators that end early, all of which is used up at once."""

import builtins
import itertools
import math
from builtins import max as built_in_max
from functools import partial
from itertools import dropwhile, takewhile

import numpy as np


def columns_of_rows(rng, rows):
    noisy = [[x + rng.laplace() for x in row] for row in rows]
    return list(zip(*noisy)), [sum(c) for c in zip(*rows)], dict(enumerate([max(c) for c in zip(*noisy)]))


def columns_of_rows_of_several_lengths(rng, queries):
    rows = [queries, [rng.normal()] * int(rng.integers(4)), np.arange(4)]
    return list(zip(*rows)), len(list(zip(*rows[:0]))), tuple(zip(*rows[1:2]))


def columns_that_are_unpacked(rng, points):
    places, values = zip(*[(place, value + rng.normal()) for place, value in points])
    return places, values


def columns_that_are_not_there(rng, points):
    kept = [(place, value) for place, value in points if value + rng.normal() > 2]
    places, values = zip(*kept)
    return sum(values), places


def chained_rows(rng, queries):
    rows = [(q, q + rng.normal()) for q in queries]
    flat = list(itertools.chain.from_iterable(rows))
    halves = [item / 2 for item in itertools.chain(*rows) if item > 0]
    return flat, halves, sum(itertools.chain.from_iterable([q, rng.normal()] for q in queries))


def chained_rows_of_several_lengths(rng, queries):
    rows = [[q] * int(rng.integers(3)) for q in queries]
    longest = max(itertools.chain.from_iterable(rows), default=None)
    return longest, sorted(itertools.chain.from_iterable([rows[0], rows[1], (), list(range(int(rng.integers(3))))]))


def first_of_an_iterator(rng, queries):
    noisy = [q + rng.normal() for q in queries]
    table = {round(x): x for x in noisy}
    item = next(iter(noisy[int(rng.integers(9)) :]), None)
    return item, next(iter(table)), next(iter(table.items())), next(iter([]), "none")


def first_of_nothing(rng, queries):
    items = [q for q in queries if q + rng.normal() > 2]
    return next(iter(items))


def what_is_true(rng, queries):
    noisy = [round(q + rng.normal()) for q in queries]
    return list(filter(None, noisy)), sum(filter(None, noisy)), [n + 1 for n in filter(None, noisy)]


def builtins_by_their_module(rng, queries):
    found = [rng.normal() for _ in builtins.range(2)]
    return builtins.sum(found), built_in_max(found)
