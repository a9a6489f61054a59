"""Iterators under a name that the next statement uses up: what they draw, they draw there."""

import itertools


def accumulated_within_a_list(rng, queries):
    return list(itertools.accumulate(q + rng.random() for q in queries)), tuple(
        itertools.pairwise(q + rng.random() for q in queries)
    )


def numbered_within_a_dict(rng, queries):
    noisy = dict(enumerate(q + rng.laplace() for q in queries))
    return max(noisy, key=noisy.get), noisy


def numbered_from_one(rng, queries):
    return list(enumerate((q + rng.laplace() for q in queries if q), 1)), rng.random()


def unpacked_from_a_generator(rng, queries):
    a, b, *_ = queries
    first, second = (q + rng.random() for q in (a, b))
    return second, first


def unpacked_from_too_many(rng, queries):
    first, second = (q for q in queries if q + rng.random() > 1.7)
    return second, first


def first_within_an_expression(rng, queries):
    return 10 * next((q for q in queries if q + rng.random() > 2.5), 7) + rng.random()


def first_with_a_default_that_draws(rng, queries):
    return next((q for q in queries if q + rng.random() > 3.5), rng.random()), rng.random()


def first_in_a_loop(rng, queries):
    return [next((j for j in range(i, 9) if rng.random() < 0.4), -1) for i in range(3)]
