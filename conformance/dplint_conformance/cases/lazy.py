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


def zipped_behind_names(rng, names):
    return dict(zip(names, (rng.random() * i for i in range(5)))), rng.random()


def zipped_with_fewer(rng, names):
    return list(zip(names, range(9), (rng.random() * i for i in range(2)))), rng.random()


def numbered_in_a_loop(rng, queries):
    out = []
    for i, noisy in enumerate(q + rng.laplace() for q in queries):
        out.append((i, noisy * rng.random()))
        if noisy > 2.5:
            break
    return out, rng.random()


def zipped_in_a_loop(rng, queries, names):
    out = []
    for name, noisy in zip(names, (q + len(out) * rng.laplace() for q in queries)):
        out.append((name, noisy, rng.random()))
    return out, rng.random()


def unpacked_from_a_generator(rng, queries):
    a, b, *_ = queries
    first, second = (q + rng.random() for q in (a, b))
    return second, first


def unpacked_from_too_many(rng, queries):
    first, second = (q for q in queries if q + rng.random() > 1.7)
    return second, first


def first_that_is_large(rng, queries):
    return next(i for i, q in enumerate(queries) if q + rng.random() > 2.7)


def first_within_an_expression(rng, queries):
    return 10 * next((q for q in queries if q + rng.random() > 2.5), 7) + rng.random()


def first_with_a_default_that_draws(rng, queries):
    return next((q for q in queries if q + rng.random() > 3.5), rng.random()), rng.random()


def first_in_a_loop(rng, queries):
    return [next((j for j in range(i, 9) if rng.random() < 0.4), -1) for i in range(3)]


def list_in_the_midst_of_what_extends(rng, queries):
    out = [0.0]
    out.extend(q + rng.random() for q in queries)
    return [out[-1], *(x + rng.random() for x in out)]
