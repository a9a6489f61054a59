"""Idioms of packages: `itertools` used up at once, elements that a mask chooses, orders by several keys.

No interpretation follows these.
"""

from collections import OrderedDict


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


def ordered_by_two_keys(rng, records):
    rows = [(r, int(rng.integers(2)), rng.normal()) for r in records]
    rows.sort(key=lambda row: (row[1], -row[0]))
    return rows, sorted(rows, key=lambda row: (-row[1], row[2]), reverse=True)


def sets_that_lose_items(rng, records):
    left = set(records)
    left.discard(1)
    left.discard(17)
    if rng.random() < 0.5:
        left.remove(0)
    left.remove(int(rng.integers(3)))
    return sorted(left), len(left)
