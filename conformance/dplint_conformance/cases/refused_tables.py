"""Parts of arrays that have a name of their own when the array is changed. No interpretation follows these."""

import numpy as np


def column_that_has_a_name(rng, rows):
    table = np.array(rows)
    first = table[:, 0]
    table[:, 0] += rng.random()
    return first


def array_of_the_caller(rng, rows):
    table = np.asarray(np.array(rows))
    table[:, 0] += rng.random()
    return table


def array_under_two_names(rng, rows):
    table = np.array(rows)
    other = table
    table[:, 0] += rng.random()
    return other


def row_that_a_list_holds(rng, rows):
    table = np.array(rows)
    kept = [table[0]]
    table[0] *= rng.random()
    return kept


def turned_array(rng, rows):
    table = np.array(rows)
    turned = table.T
    table[0] *= rng.random()
    return turned


def columns_of_an_array(rng, queries):
    table = np.zeros((3, 2))
    table[:, 1] = rng.normal()
    table[int(rng.integers(-3, 4)), :] = [rng.random(), 2]
    table[0, 0] += 1
    return table.tolist(), table[:, 0].sum()


def parts_of_an_array_of_whole_numbers(rng, queries):
    table = np.full((3, 3), 0, dtype=int)
    table[1:, 0] = 3 * rng.normal()
    table[0] = [1.9, 5 * rng.random(), -0.5]
    table[:2, 2] = table[0, 1]
    return table.tolist(), int(table.sum())


def part_of_an_array_that_fits_or_not(rng, queries):
    table = np.ones((2, 3))
    table[:, 0:2] = rng.random()
    table[0, :] = [rng.normal()] * int(rng.integers(1, 5))
    return table.tolist()


def columns_that_are_changed_in_place(rng, records):
    table = np.zeros((2, 3))
    for i, r in enumerate(records):
        table[:, i % 3] += r + rng.random()
        table[i % 2, 1:] *= 2
    table[:, 0] -= table[:, 1]
    table[1] += [1, 2, 3]
    table[-1, :2] /= table[0, 1:].sum()
    return table, table.sum(axis=0)


def part_that_keeps_its_type(rng, records):
    table = np.ones((2, 2), dtype=int)
    table[:, 1] += int(rng.integers(3))
    if rng.random() < 0.5:
        table[0] += 0.5
    return table


def parts_with_bounds_that_have_names(rng, records, k=2):
    table = np.ones((3, 3))
    table[:k, 0] += rng.random()
    table[k - 1, -k:] **= 2
    table[0, 1] = 3
    table[1:, k] //= 2
    return table


def means_of_columns_that_are_taken_away(rng, rows):
    table = np.array(rows)
    for j in range(2):
        table[:, j] -= table[:, j].mean()
        table[:, j] /= np.sum(table[:, j] ** 2) + rng.random()
    return table.tolist(), float((table @ np.array([1.0, 2.0])).max())


def columns_by_a_list(rng, rows):
    table = np.array(rows)
    places = [0, 2, 0]
    table[places, 1] += 1
    table[:, 0] += table.sum(axis=1) + rng.random()
    return table


def table_that_is_changed_as_a_whole(rng, records):
    table = np.ones((2, 2))
    for i in range(2):
        table[i, i] = 3 + rng.random()
        table *= 2
    table -= table.mean()
    table[0] /= 2
    table /= table.sum(axis=1)
    return table


def column_of_whole_numbers_augmented(rng, queries):
    table = np.full((2, 2), 0, dtype=int)
    if rng.random() < 0.5:
        table[:, 0] += rng.normal()
    return table
