"""Shuffles of what somebody else holds, or what may be no list. No interpretation follows these."""

import random

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
