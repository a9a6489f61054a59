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
