"""Lists and arrays that are shuffled in place."""

import numpy as np


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
