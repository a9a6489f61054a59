"""Changes of arrays that something else holds too, or may hold as far as the lowering sees."""

import random
from collections import Counter

import numpy as np


def view_of_an_array_set(rng, queries):
    a = np.zeros(4)
    b = a[1:]
    b[0] = rng.random()
    return a


def array_set_under_a_view(rng, queries):
    a = np.zeros(4)
    b = a[1:]
    a[1] = rng.random()
    return b


def array_augmented_under_a_view(rng, queries):
    a = np.zeros(4)
    b = a[::2]
    a += rng.random()
    return b


def array_under_asarray(rng, queries):
    a = np.zeros(4)
    b = np.asarray(a)
    b += rng.random()
    return a


def array_alias_augmented(rng, queries):
    a = rng.laplace(size=3)
    b = a
    b *= 2
    return a


def array_alias_in_a_list(rng, queries):
    total = np.zeros(2)
    out = []
    for _ in range(3):
        total += rng.laplace(size=2)
        out.append(total)
    return out


def array_row_set(rng, rows):
    a = np.array(rows)
    row = a[int(rng.integers(3))]
    row[0] = 9.0
    return a


def array_augmented_under_a_row(rng, rows):
    a = np.array(rows)
    row = a[1]
    a += rng.random()
    return row


def array_set_under_a_row(rng, rows):
    a = np.array(rows)
    row = a[1]
    a[1] = rng.random()
    return row


def array_augmented_under_a_column(rng, rows):
    a = np.array(rows)
    column = a[:, 0]
    a += rng.random()
    return column


def array_rows_set_while_looping(rng, rows):
    a = np.array(rows)
    out = []
    for i, row in enumerate(a):
        a[i] = rng.random()
        out.append(row.sum())
    return out


def array_augmented_alone(rng, rows):
    a = np.zeros((3, 2))
    a += rng.laplace(size=(3, 2))
    return a


def array_augmented_by_mask(rng, queries):
    a = np.array(queries)
    a[a > 1] += rng.random()
    return a


def array_clipped_in_place(rng, n):
    a = rng.normal(size=3)
    b = a
    np.clip(a, 0, 1, out=a)
    return b


def array_cleaned_in_place(rng, n):
    a = np.log(rng.normal(size=3))
    b = a
    np.nan_to_num(a, copy=False)
    return b


def array_sorted_under_a_view(rng, n):
    a = rng.normal(size=3)
    b = a.reshape(3)
    a.sort()
    return b


def row_that_somebody_holds(rng, queries):
    table = [[0, 0], [0, 0]]
    row = table[0]
    table[0][0] = rng.normal()
    return row


def rows_that_are_one(rng, queries):
    table = [[0, 0]] * 2
    table[0][0] = rng.normal()
    return table


def row_that_is_looped_over(rng, queries):
    table, seen = [[0, 0], [0, 0]], []
    for row in table:
        table[0][0] += rng.normal()
        seen.append(row[0])
    return seen


def part_of_an_array_that_somebody_holds(rng, queries):
    table = np.zeros((2, 2))
    row = table[0, :]
    table[:, 0] = rng.normal()
    return row


def part_of_an_array_beside_a_tuple(rng, queries):
    table, place = np.zeros((2, 2)), (0, 1)
    table[place] = 1.0
    table[:, 0] = rng.normal()
    return table


def row_of_lists_that_is_replaced(rng, queries):
    table, mine = [[0, 0], [0, 0]], [1, 2]
    table[0] = mine
    table[0][1] = rng.normal()
    return mine


def row_of_an_array_that_somebody_holds(rng, queries):
    table = np.zeros((2, 2))
    row = table[0]
    table[0, 0] = rng.normal()
    return row


def numbers_added_to_what_another_name_holds(rng, records):
    counts = np.zeros(4)
    others = counts
    np.add.at(others, records, 1)
    return counts + rng.normal()


def numbers_added_before_an_exception(rng, records):
    counts = np.zeros(4)
    try:
        np.add.at(counts, [0, 9], rng.normal())
    except IndexError:
        pass
    return counts, rng.normal()


def alias_by_a_maximum_with_a_key(rng, queries):
    a, b = [rng.random()], [rng.random(), 1]
    c = max(a, b, key=len)
    c.append(1)
    return a, b


def largest_row_changed(rng, queries):
    rows = [[rng.random()], [rng.random()]]
    best = max(rows)
    best.append(1)
    return rows


def default_of_a_maximum_changed(rng, queries):
    none = [rng.random()]
    best = max([[q] for q in queries[:0]], default=none)
    best.append(1)
    return none


def array_filled_again_after_a_part_has_a_name(rng, queries):
    leaves = np.zeros(6)
    leaves[:2] = 1
    part = leaves[1:3]
    leaves[:2] = rng.random()
    return part


def list_grown_in_the_turn_after(rng, queries):
    x, kept = [rng.random()], []
    for q in queries:
        x.append(q)
        kept = x
    return kept, x


def part_changed_after_it_has_a_name(rng, queries):
    leaves = np.zeros(6)
    leaves[:2] = rng.random()
    part = leaves[1:3]
    part[0] = 7
    return leaves
