"""Lists and arrays that are shuffled in place."""

import random
from random import shuffle

import numpy as np

RNG = np.random.default_rng()


def shuffled_list(rng, queries):
    out = [q + rng.normal() for q in queries]
    rng.shuffle(out)
    return out


def shuffled_list_of_places(rng, queries):
    order = list(range(len(queries)))
    rng.shuffle(order)
    return [queries[i] for i in order], order


def shuffled_twice(rng, queries):
    kept = sorted(queries)
    rng.shuffle(kept)
    first = kept[0]
    rng.shuffle(kept)
    return first, kept


def shuffled_array(rng, queries):
    noisy = np.array(queries)
    rng.shuffle(noisy)
    noisy[0] += 1
    return noisy, noisy.tolist(), noisy / 2


def shuffled_numbers_keep_their_type(rng, n):
    places = np.arange(4)
    rng.shuffle(places)
    return places, places // 2, int(places[0])


def shuffled_lists_of_lists(rng, n):
    rows = [[1, 2], [3], []]
    rng.shuffle(rows)
    return rows


def shuffled_list_of_several_lengths(rng, queries):
    kept = [q for q in queries if rng.random() < 0.5]
    rng.shuffle(kept)
    return kept


def shuffled_list_that_grows(rng, queries):
    seen = []
    for q in queries:
        seen += [q]
        rng.shuffle(seen)
    return seen


def shuffled_in_a_branch(rng, queries):
    order = [1, 2, 3]
    if rng.random() < 0.5:
        rng.shuffle(order)
    return order


def shuffled_copies_are_others(rng, queries):
    first = list(queries)
    second = list(first)
    rng.shuffle(second)
    return first, second


def shuffled_after_it_was_looked_at(rng, n):
    items = [1, 2, 3, 4]
    before = tuple(items)
    total = sum(items[:2])
    rng.shuffle(items)
    return before, total, items


def shuffled_bits(rng, bits):
    marks = [1] * 2 + [0] * len(bits)
    random.shuffle(marks)
    return marks


def shuffled_by_numpy(rng, queries):
    names = ["a", "b", "c"]
    np.random.shuffle(names)
    return names, rng.random()


def shuffled_by_an_imported_function(rng, queries):
    order = list(range(3))
    shuffle(order)
    return order


def shuffled_by_a_random_of_its_own(rng, queries):
    generator = random.Random()
    order = sorted(queries)
    generator.shuffle(order)
    return order


def shuffled_by_the_generator_of_the_module(rng, queries):
    order = np.arange(3)
    RNG.shuffle(order)
    return order


def shuffled_by_a_random_state(rng: np.random.RandomState, queries):
    order = list(queries)
    rng.shuffle(order)
    return order, rng.permutation(3)


def shuffled_in_a_helper(rng, queries):
    return _shuffled(rng, queries), _shuffled(rng, [1, 2])


def _shuffled(rng, values):
    own = list(values)
    rng.shuffle(own)
    return own


def shuffled_few(rng, queries):
    none, one = [], [rng.random()]
    rng.shuffle(none)
    rng.shuffle(one)
    return none, one


def shuffled_in_a_loop_over_a_copy(rng, queries):
    items, found = list(queries), []
    for item in list(items):
        rng.shuffle(items)
        found.append(items[0] - item)
    return found


def whole_lists_replaced_in_some_runs(rng, queries):
    kept, longer, shorter = [1, 2.5], [rng.random()], [True, None, "x"]
    if rng.random() < 0.5:
        kept[:] = [rng.random(), kept[0]]
        longer[:] = [q * 2 for q in queries]
        shorter[:] = []
    return kept, longer, shorter


def whole_arrays_replaced_in_some_runs(rng, queries):
    values = np.array([1.0, 2.0]) + rng.random()
    if rng.random() < 0.5:
        values[:] = [rng.random(), values[0]]
    counts = np.array([1, 2])
    counts[:] = [rng.random() * 3, 7]
    return values, counts


def shuffled_copy_of_the_data(rng, queries):
    order = queries.copy()
    rng.shuffle(order)
    other = queries.copy()
    random.shuffle(other)
    return order, other, queries


def shuffled_copy_of_an_array(rng, queries):
    noisy = np.array(queries) + rng.normal()
    order = noisy.copy()
    rng.shuffle(order)
    return noisy, order


def shuffled_copy_of_rows(rng, rows):
    order = rows.copy()
    rng.shuffle(order)
    return order, rows


def shuffled_where_there_is_something(rng, queries):
    items = None
    if rng.random() < 0.5:
        items = [q * rng.random() for q in queries]
    if items is not None:
        rng.shuffle(items)
    return items


def shuffled_list_that_is_put_together(rng, queries):
    items, other = [], 0
    for query in queries:
        items = items + [query + rng.random()]
        rng.shuffle(items)
        other = items[-1]
    return items, other
