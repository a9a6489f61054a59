"""Sets that a dict holds, of which is asked how many items they have, and which."""

from collections import defaultdict


def sets_put_in_where_there_is_none(rng, queries):
    seen = {}
    for place, q in enumerate(queries):
        seen.setdefault(int(q + rng.normal()), set()).add(place % 2)
    counts = {k: len(v) + rng.laplace() for k, v in seen.items()}
    return counts, [len(seen.get(k, ())) for k in range(3)], sorted(seen)


def sets_of_a_defaultdict(rng, names):
    seen = defaultdict(set)
    for place in range(6):
        seen[names[int(rng.integers(3))]].add(place // 2)
        seen[names[0]].add(rng.integers(2))
    return len(seen["a"]), sorted(seen["b"]), 1 in seen["c"], 9 not in seen["d"], sorted(seen), len(seen)


def sets_of_pairs(rng, queries):
    seen = defaultdict(set)
    for q in queries:
        seen[int(q) % 2, 1].add((q, int(rng.integers(2))))
    most = 0
    for key, pairs in seen.items():
        if len(pairs) > most:
            most = len(pairs) + key[0]
    return most, max(seen[0, 1]), [min(v) for v in seen.values()], (1, 1) in seen


def sets_that_are_asked_while_they_grow(rng, queries):
    seen = dict()
    new = []
    for q in queries:
        x = int(q + rng.normal())
        if x not in seen.get(x % 2, set()):
            new.append(x)
        seen.setdefault(x % 2, set()).add(x)
        if len(seen[x % 2]) > 1:
            new.append(-1)
    return new


def no_set_at_that_key(rng, queries):
    seen = {}
    for q in queries:
        seen.setdefault(int(rng.integers(3)), set()).add(q)
    try:
        return len(seen[2]), 2 in seen
    except KeyError:
        return sorted(seen)


def item_of_a_set_that_fails(rng, queries):
    seen = defaultdict(set)
    for q in queries:
        try:
            seen[int(rng.integers(3))].add(1 / (q - 1))
        except ZeroDivisionError:
            seen[9].add(0)
    return sorted(seen), [len(v) for v in seen.values()]


def sets_beside_what_has_their_name(rng, records):
    seen = {}
    pairs = []
    for one in records:
        seen.setdefault(one + int(rng.integers(0, 2)), set()).add(one)
    for place, record in enumerate(records):
        pairs.append((place, record * rng.random()))
    best = max(pairs, key=lambda items: items[1])
    sizes = [len(items) for items in seen.values()]
    return best, sizes, [items[0] for items in pairs], sum(items for items in sizes if items > 1)
