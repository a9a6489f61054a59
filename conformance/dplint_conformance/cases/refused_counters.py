"""Counters that are used where they are made. No interpretation follows these."""

from collections import Counter, defaultdict


def counter_made_of_what_is_drawn(rng, records):
    first = rng.random()
    found = Counter(r if rng.random() < 0.5 else 9 for r in records).most_common(2)
    return first, found, rng.random() + Counter(int(rng.integers(2)) for r in records)[1]


def counters_that_are_updated(rng, queries):
    counts = Counter(queries)
    counts.update(queries)
    counts.update(q for q in queries if q + rng.normal() > 1)
    counts.update([1.0] * int(rng.integers(3)))
    return counts.total(), counts[1.0], sorted(counts.items()), Counter(queries).total()
