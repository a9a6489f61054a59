"""What the top level of the module computes, and nobody changes."""

import math

import numpy as np

NAMES = ("a", "b", "c")
CODES = {name: code for code, name in enumerate(NAMES)}
PLACES = {name: (i, name * 2) for i, name in zip(range(3), NAMES)}
WEIGHTS = {0: 0.5, 1: 0.25, 2: 0.25}
EDGES = np.linspace(0.0, 4.0, 5)
MATRIX = np.array([[1, 1], [1, -1]])
SCALES = [math.sqrt(i + 1) for i in range(5)]
HALVES = [scale / 2 for scale in SCALES if scale > 1]
LIMITS = dict(low=0.0, high=2.0)


def codes_of_names(rng, names):
    return [CODES[name] + rng.integers(2) for name in names], len(CODES), "d" in CODES


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


def copy_of_the_modules_list_is_changed(rng, queries):
    own = list(SCALES)
    own[0] = rng.random()
    own.append(1)
    return own, SCALES[0], sum(SCALES)


def copy_of_the_modules_array_is_changed(rng, queries):
    own = EDGES.copy()
    own[1] = rng.random()
    return own, EDGES[1]


def value_of_the_module_under_a_name(rng, queries):
    edges = EDGES
    weights = WEIGHTS
    return edges + rng.random(), weights[1]
