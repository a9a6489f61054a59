"""Idioms of packages: `itertools` used up at once, elements that a mask chooses, orders by several keys.

No interpretation follows these.
"""

import itertools
from collections import OrderedDict

import numpy as np


def ordered_counts(rng, names):
    counts = OrderedDict.fromkeys(names, 0)
    pairs = OrderedDict([(name, place) for place, name in enumerate(names)])
    for name in names:
        if rng.random() < 0.5 and name in counts:
            counts[name] += 1
    pairs["z"] = rng.random()
    return list(counts.items()), counts["a"], max(counts, key=counts.get), len(pairs), dict(pairs), dict.fromkeys("ab")


def ordered_counts_of_what_is_missing(rng, names):
    counts = OrderedDict()
    if rng.random() < 0.5:
        counts["a"] = 1
    counts["a"] += 1
    return counts["a"]
