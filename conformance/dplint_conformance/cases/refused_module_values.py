"""What the top level of the module computes, and something may change."""

import math

import numpy as np

EDGES = np.linspace(0.0, 4.0, 5)
ROWS = np.array([[1, 1], [1, -1]])
SCALES = [math.sqrt(i + 1) for i in range(5)]
HANDED = {0: 0.5, 1: math.exp(1)}
DEEP = {0: [1, 2], 1: [3]}
SORTED = [math.sqrt(3 - i) for i in range(3)]
WRITTEN = np.zeros(3)


def array_of_the_module_is_changed(rng, queries):
    edges = EDGES
    edges[0] = rng.random()
    return float(EDGES[0])


def row_of_the_modules_array_is_changed(rng, queries):
    row = ROWS[0]
    row[0] = rng.integers(9)
    return ROWS[0]


def view_of_the_modules_array_is_changed(rng, queries):
    part = EDGES[1:]
    part += rng.random()
    return part


def list_of_the_module_grows(rng, queries):
    SCALES.append(rng.random())
    return len(SCALES), rng.random()


def _changed(table):
    table[0] = 5


def dict_is_handed_to_what_changes_it(rng, queries):
    _changed(HANDED)
    return HANDED[0], rng.random()


def list_in_a_dict_grows(rng, queries):
    row = DEEP[0]
    row.append(rng.random())
    return row


def list_of_the_module_is_sorted(rng, queries):
    SORTED.sort()
    return SORTED[0], rng.random()


def array_is_written_to(rng, queries):
    np.add(queries[:3], rng.random(), out=WRITTEN)
    return WRITTEN[0]


def array_is_added_to_at(rng, queries):
    np.add.at(WRITTEN, [0, 0], rng.random())
    return WRITTEN[0]
