"""A truth value as an index: of a list it is 0 or 1, of an array all items or none."""

import numpy as np


def truth_value_as_the_index_of_a_list(rng, queries):
    flag = rng.random() < 0.5
    xs = [q + rng.normal() for q in queries]
    xs[flag] = 7.0
    return xs, xs[not flag], queries[flag], (1.5, 2.5)[flag]


def truth_value_as_the_index_of_an_array(rng, queries):
    flag = bool(rng.random() < 0.5)
    a = np.array(queries) + rng.laplace(size=len(queries))
    return a[flag].shape, a[flag].sum(), a[flag][:, 0].tolist()


def array_changed_at_a_truth_value(rng, queries):
    flag = rng.random() < 0.5
    a = np.array(queries) + rng.laplace(size=len(queries))
    a[flag] = 7.0
    return a


def array_changed_at_true(rng, queries):
    a = np.array(queries) + rng.laplace(size=len(queries))
    a[True] = rng.random()
    return a


def array_changed_at_false(rng, queries):
    a = np.array(queries) + rng.laplace(size=len(queries))
    a[False] = rng.random()
    return a


def array_changed_at_a_truth_value_of_numpy(rng, queries):
    a = np.array(queries)
    a[np.float64(rng.normal()) > 0] = 5.0
    a[a[0] > 1] = rng.normal()
    return a
