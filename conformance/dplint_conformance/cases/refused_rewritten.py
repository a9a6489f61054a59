"""Statements and expressions that programs say in several steps, and containers that programs hold as dicts.

No interpretation follows these.
"""

import operator
import warnings
from collections import Counter

import numpy as np


def counter_in_order(rng, queries):
    counts = Counter(int(rng.integers(3)) for _ in range(6))
    return counts.most_common(), counts.most_common(2), list(counts), dict(counts)


def warned_of_what_is_missing(rng, values):
    if values[0] < 0:
        warnings.warn(f"{values[0]} is below 0", stacklevel=2)
        warnings.warn("and that is all", UserWarning)
    return values[0] + rng.laplace()


def walrus_in_a_loop(rng, queries):
    count = 0
    while (x := rng.normal()) < 0.5:
        count += 1
        if count > 5:
            continue
    return x, count


def map_of_a_lambda(rng, queries):
    scale = rng.normal()
    return [x for x in map(lambda q: q * scale, queries) if x > 0]


def counter_asked(rng, queries):
    counts = Counter("aab")
    counts["c"] += rng.integers(3)
    counts["d"] = 5
    counts.update(["a", "e"])
    return "b" in counts, "z" in counts, counts["z"], counts.get("z"), [(k, v) for k, v in counts.items()]


def sorted_in_place_by_a_key(rng, queries):
    pairs = [(place, query + rng.laplace()) for place, query in enumerate(queries)]
    pairs.sort(key=lambda pair: -pair[1])
    words = ["bb", "a", "ccc", "dd"]
    words.sort(key=len, reverse=True)
    return [place for place, _ in pairs], words


def sorted_in_place_by_an_item(rng, points):
    noisy = [(place, size + rng.laplace()) for place, size in points]
    noisy.sort(key=operator.itemgetter(1), reverse=True)
    return noisy, max(noisy, key=operator.itemgetter(1))


def _halved(x):
    return x / 2


def map_of_functions(rng, queries):
    def noisy(q):
        return q + rng.random()

    found = list(map(noisy, queries)), sum(map(_halved, queries))
    return found, [x * rng.random() for x in map(noisy, queries)], np.fromiter(map(_halved, queries), dtype=float)


def differences_of_sets(rng, records, names):
    picked = [int(rng.integers(5)) for _ in range(3)]
    missing = set(range(4)) - set(picked)
    missing.discard(9)
    common = {r for r in records} & set(picked)
    return len(missing), sorted(missing), 1 in common, len(set(names) - {"a"}), sorted(set(picked) & set(records))
