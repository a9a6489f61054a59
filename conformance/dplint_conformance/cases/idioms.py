"""Idioms of packages: `itertools` used up at once, elements that a mask chooses, orders by several keys."""

import itertools

import numpy as np


def pairs_of_noisy_scores(rng, queries):
    noisy = [q + rng.normal() for q in queries[:4]]
    return [a + b for a, b in itertools.combinations(noisy, 2)], list(itertools.combinations([0, 1, 2], 2))


def differences_of_neighbours(rng, queries):
    noisy = [q + rng.normal() for q in queries]
    return [b - a for a, b in itertools.pairwise(noisy)], list(itertools.pairwise([]))


def neighbours_of_noisy_length(rng, queries):
    noisy = [q + rng.normal() for q in queries if rng.random() < 0.5]
    return [a < b for a, b in itertools.pairwise(noisy)]


def all_options(rng, queries):
    options = list(itertools.product([0, 1], repeat=2))
    noisy = [rng.normal() for _ in options]
    return options[noisy.index(max(noisy))], [a * b for a, b in itertools.product(noisy[:2], queries[:2])]


def the_first_few(rng, queries):
    noisy = [q + rng.normal() for q in queries]
    return list(itertools.islice(noisy, 2)), tuple(itertools.islice(noisy, 1, 4, 2)), list(itertools.islice(noisy, 9))


def too_few_to_take(rng, queries):
    noisy = [q + rng.normal() for q in queries]
    return list(itertools.islice(noisy, int(rng.integers(-1, 2))))


def padded_pairs(rng, queries):
    noisy = [q + rng.normal() for q in queries]
    return list(itertools.zip_longest(noisy, queries[:2], fillvalue=0.0)), list(
        itertools.zip_longest(noisy[:1], [1, 2])
    )


def orders_of_three(rng, queries):
    noisy = [q + rng.normal() for q in queries[:3]]
    return [a - b for a, b in itertools.permutations(noisy, 2)], len(list(itertools.permutations(noisy)))


def negative_counts_are_zero(rng, queries):
    noisy = np.array(queries) + rng.laplace(size=len(queries))
    noisy[noisy < 0] = 0
    return noisy


def masked_in_some_runs(rng, queries):
    noisy = np.array(queries) + rng.laplace(size=len(queries))
    if rng.random() < 0.5:
        noisy[noisy > 1.5] = rng.normal()
    return noisy / max(noisy.sum(), 1.0)


def whole_numbers_by_a_mask(rng, counts):
    noisy = np.array(counts) + rng.integers(-3, 4, size=len(counts))
    noisy[noisy < 0] = 0
    return noisy, noisy * max(noisy.sum(), 1)


def a_float_by_a_mask_into_whole_numbers(rng, counts):
    noisy = np.array(counts) + rng.integers(-3, 4, size=len(counts))
    noisy[noisy < 1] = 0.5
    return noisy


def scaled_by_the_largest(rng, queries):
    noisy = np.array(queries) + rng.laplace(size=len(queries))
    return noisy / max(1.0, noisy.max()), noisy * min(noisy.min(), 0), noisy + (True if noisy[0] > 1 else 0.5)


def extremes_by_two_keys(rng, records):
    rows = [(int(rng.integers(2)), int(rng.integers(2)), number) for number, _ in enumerate(records)]
    by = max(rows, key=lambda row: (row[0], row[1])), min(rows, key=lambda row: (row[0], -row[1]))
    return by, sorted(rows, key=lambda row: (row[0], row[1]), reverse=True)


def orders_of_texts(rng, names):
    drawn = [names[int(rng.integers(3))] for _ in range(4)]
    some = [name for name in drawn if rng.random() < 0.6]
    by_name = sorted(drawn, key=lambda name: (name, 1)), max(drawn, key=lambda name: name[::-1])
    pairs = [(name, place) for place, name in enumerate(drawn)]
    return sorted(drawn), sorted(some, reverse=True), max(drawn), min(drawn), sorted(set(some)), by_name, sorted(pairs)


def orders_of_texts_and_numbers(rng, names):
    found = [name if rng.random() < 0.7 else 1 for name in names]
    return sorted(found), max(found)


def orders_by_texts_of_the_data(rng, names):
    noisy = {name: rng.normal() for name in reversed(names)}
    return sorted(noisy.items()), max((name, rng.random()) for name in names), sorted(names[::-1]), min(names)


def the_least_of_some_texts(rng, names):
    return min([name for name in names if rng.random() < 0.5])


def keys_of_several_lengths(rng, records):
    rows = [(r,) * int(rng.integers(1, 3)) for r in records[:3]]
    return sorted(rows, key=lambda row: row)


def one_of_several_tuples(rng, queries):
    places = [(0, "north"), (1, "south"), (2, None)]
    chosen = places[rng.integers(3)]
    return chosen, chosen[1], {"a": 1, "b": 2} if rng.random() < 0.5 else {"a": 3, "b": rng.normal()}
