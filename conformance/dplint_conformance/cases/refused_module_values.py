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


NAMES = ("a", "b", "c")


PLACES = {name: (i, name * 2) for i, name in zip(range(3), NAMES)}


WEIGHTS = {0: 0.5, 1: 0.25, 2: 0.25}


MATRIX = np.array([[1, 1], [1, -1]])


HALVES = [scale / 2 for scale in SCALES if scale > 1]


LIMITS = dict(low=0.0, high=2.0)


def pairs_by_name(rng, names):
    (i, word) = PLACES[names[int(rng.integers(3))]]
    return i, word, sorted(PLACES)


def numbers_for_keys(rng, records):
    picked = int(rng.integers(5))
    return WEIGHTS.get(picked, 0.0), [WEIGHTS[r] for r in records if r in WEIGHTS], list(WEIGHTS.items())


def missing_key_of_the_module(rng, records):
    return WEIGHTS[records[int(rng.integers(6))]]


def array_of_the_module(rng, queries):
    index = np.digitize(queries, EDGES)
    noisy = EDGES[:-1] + rng.laplace(size=4)
    return index, noisy, EDGES.size, float(EDGES[int(rng.integers(5))])


def matrix_of_the_module(rng, bits):
    row = int(rng.integers(2))
    return MATRIX[row, bits[0]], MATRIX[row] @ np.array([1, 2]), MATRIX.shape


def lists_computed_by_the_module(rng, queries):
    return [q * s + rng.random() for q, s in zip(queries, SCALES)], sum(HALVES), HALVES[-1]


def dict_of_words(rng, queries):
    return [min(max(q + rng.laplace(), LIMITS["low"]), LIMITS["high"]) for q in queries]


def copy_of_the_modules_array_is_changed(rng, queries):
    own = EDGES.copy()
    own[1] = rng.random()
    return own, EDGES[1]


def value_of_the_module_under_a_name(rng, queries):
    edges = EDGES
    weights = WEIGHTS
    return edges + rng.random(), weights[1]
