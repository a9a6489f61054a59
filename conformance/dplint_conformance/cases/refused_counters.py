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


def counter_made_for_an_entry(rng, records):
    return Counter(records)[1] + rng.random(), Counter(records)[7], Counter(records).get(9), Counter()[1]


def counter_made_of_a_dict(rng, names):
    counts = {"a": 2.5, "b": -1}
    return [(k, v + rng.random()) for k, v in Counter(counts).items()], Counter(counts)["b"]


def counter_made_in_each_turn(rng, records):
    out = []
    for start in range(3):
        out += [Counter(records[start:])[3] + rng.random(), 3 in Counter(records[:start])]
    return out, [Counter(records[i:])[k] for i in range(2) for k in (1, 3) if rng.random() < 0.5]


def counter_that_is_updated_by_what_may_be_a_dict(rng, queries):
    counts = Counter([1.0])
    more = {1.0: 2} if rng.random() < 0 else queries
    counts.update(more)
    return counts[1.0] + rng.normal()


def sets_that_are_updated(rng, queries):
    seen = set(queries)
    seen.update([5.0, q := rng.normal()])
    seen.update(x + 1 for x in queries)
    return len(seen), sorted(seen), q in seen


def asked_for_the_keys_that_are_there(rng, records):
    counts = defaultdict(int)
    for r in records:
        counts[r + int(rng.integers(2))] += 1
    noisy = {k: counts[k] + rng.random() for k in counts}
    best = max(counts, key=lambda k: counts[k])
    ordered = sorted(counts, key=lambda k: (-counts[k], k))
    for k in sorted(counts):
        if counts[k] > 1:
            counts[k] += 10
    for k, n in counts.items():
        ordered.append((k, n, counts[k]))
    return noisy, best, ordered, len(counts), [counts[k] for k in counts.keys() if counts[k] > 1]
