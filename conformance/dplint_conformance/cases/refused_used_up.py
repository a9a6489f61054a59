"""Starred arguments, and iterators that end early, all of which is used up at once.

No interpretation follows these.
"""

import itertools
import math
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
