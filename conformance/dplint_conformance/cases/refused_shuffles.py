"""Shuffles of what somebody else holds, or what may be no list. No interpretation follows these."""

import random
from random import shuffle

import numpy as np

ITEMS = [1, 2, 3]


def shuffle_of_the_data(rng, queries):
    rng.shuffle(queries)
    return queries


def shuffle_of_a_second_name(rng, queries):
    items = list(queries)
    other = items
    rng.shuffle(items)
    return other


def shuffle_of_a_list_in_a_list(rng, queries):
    items = [1, 2, 3]
    rows = [items, [4]]
    rng.shuffle(items)
    return rows


def shuffle_of_an_element(rng, queries):
    rows = [[1, 2, 3], [4]]
    rng.shuffle(rows[0])
    return rows


def shuffle_of_what_a_view_shows(rng, queries):
    items = np.array(queries)
    view = items[:2]
    rng.shuffle(items)
    return view


def shuffle_of_a_tuple(rng, queries):
    items = (1, 2, 3) if rng.random() < 0.5 else [1]
    rng.shuffle(items)
    return items


def shuffle_of_a_range(rng, queries):
    places = range(2 if rng.random() < 0.5 else 1)
    random.shuffle(places)
    return len(places)


def shuffle_of_a_list_or_a_tuple(rng, queries):
    items = [1, 2, 3]
    if rng.random() < 0.5:
        items = (1,)
    rng.shuffle(items)
    return items


def shuffle_of_what_a_helper_gives(rng, queries):
    items = _itself(queries)
    rng.shuffle(items)
    return items


def _itself(values):
    return values


def shuffle_in_a_helper(rng, queries):
    items = list(queries)
    _shuffle(rng, items)
    return items


def _shuffle(rng, values):
    rng.shuffle(values)


def shuffle_used_as_a_value(rng, queries):
    items = [1, 2, 3]
    return rng.shuffle(items), items


def shuffle_in_a_comprehension(rng, queries):
    items = [1, 2, 3]
    return [(rng.shuffle(items), items[0])[1] for _ in queries]


def shuffle_while_looping(rng, queries):
    items, found = list(queries), []
    for item in items:
        rng.shuffle(items)
        found.append(item)
    return found


def shuffle_of_rows_by_the_library(rng, queries):
    table = np.array([[1, 2], [3, 4], [5, 6]])
    random.shuffle(table)
    return table


def shuffle_along_an_axis(rng, queries):
    table = np.array([[1, 2], [3, 4]])
    rng.shuffle(table, axis=1)
    return table


def shuffle_of_the_list_of_the_module(rng, queries):
    rng.shuffle(ITEMS)
    return list(ITEMS)


def shuffle_of_rows(rng, n):
    table = np.array([[1, 2], [3, 4], [5, 6]])
    rng.shuffle(table)
    return table


def shuffle_of_the_copy_of_a_dict(rng, n):
    counts = {0: 1, 1: 2, 2: 3}
    other = counts.copy()
    rng.shuffle(other)
    return other


def shuffle_of_the_copy_of_a_table_by_the_library(rng, n):
    table = np.array([[1, 2], [3, 4], [5, 6]])
    other = table.copy()
    random.shuffle(other)
    return other


def shuffle_of_an_array_of_a_helper_by_the_library(rng, queries):
    noisy = _as_array(queries)
    random.shuffle(noisy)
    return noisy


def _as_array(values):
    return np.array(values)


def shuffle_of_a_list_in_some_runs_and_a_text_in_others(rng, queries):
    items = _either(rng, queries)
    rng.shuffle(items)
    return items


def _either(rng, values):
    return list(values) if rng.random() < 0.9 else "ab"


def shuffle_of_what_two_names_hold(rng, queries):
    items = _noisy(rng, queries)
    other = items
    rng.shuffle(items)
    return other


def _noisy(rng, values):
    return [value + rng.random() for value in values]


def shuffle_of_what_another_helper_gives(rng, queries):
    noisy = _noisy(rng, queries)
    rng.shuffle(noisy)
    return noisy


def shuffle_of_a_part_that_may_be_a_view(rng, queries):
    part = queries[1:]
    rng.shuffle(part)
    return part


def shuffle_of_the_items_of_a_loop(rng, n):
    rows = [[1, 2, 3], [4, 5]]
    for row in rows:
        rng.shuffle(row)
    return rows


def shuffle_of_what_a_local_function_reads(rng, queries):
    items = _noisy(rng, queries)

    def mixed():
        rng.shuffle(items)
        return items[0]

    return mixed(), items


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
