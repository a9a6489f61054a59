"""Dicts whose keys the noise decides, as of a histogram of which the counts above a threshold are released.

No interpretation follows these.
"""


def a_key_deleted_in_some_runs(rng, names):
    counts = {name: rng.normal() for name in names}
    if counts["b"] < 0:
        del counts["b"]
    return counts, len(counts)


def a_key_deleted_and_put_back(rng, names):
    counts = {name: rng.normal() for name in names}
    if rng.random() < 0.6:
        del counts["a"]
    if rng.random() < 0.6:
        counts["a"] = 1.0
    return counts, list(counts)


def a_key_popped_with_a_default(rng, queries):
    noisy = {}
    for i, q in enumerate(queries):
        if q + rng.normal() > 1:
            noisy[i] = q
    first = noisy.pop(0, None)
    drawn = noisy.pop(int(rng.integers(0, 5)), -1.0)
    return first, drawn, noisy


def entries_changed_in_a_loop(rng, names):
    counts = {}
    for name in names:
        if rng.random() < 0.7:
            counts[name] = 1
    for name in list(counts):
        counts[name] += int(rng.integers(0, 3))
        if counts[name] > 2:
            del counts[name]
    return counts
