"""Sets of dicts that are asked for what hangs on their order, or that somebody else has."""

from collections import defaultdict


def order_of_a_set_of_a_dict(rng, queries):
    seen = {}
    for q in queries:
        seen.setdefault(0, set()).add(q + rng.normal())
    return list(seen[0])


def set_of_a_dict_in_a_loop(rng, queries):
    seen = defaultdict(set)
    for q in queries:
        seen[0].add(q + rng.normal())
    return [x for x in seen[0]]


def set_under_a_name(rng, queries):
    seen = defaultdict(set)
    first = seen[0]
    for q in queries:
        seen[0].add(q + rng.normal())
    return len(first), rng.random()


def set_behind_its_loop(rng, queries):
    seen = {}
    for q in queries:
        seen.setdefault(int(q), set()).add(q)
    for key, values in seen.items():
        pass
    seen.setdefault(key, set()).add(rng.normal())
    return len(values), rng.random()


def sets_by_a_key(rng, queries):
    seen = {}
    for q in queries:
        seen.setdefault(0, set()).add(int(q + rng.normal()))
    return sorted(seen[0], key=lambda x: x % 2)


def sets_under_another_name(rng, queries):
    seen = {}
    for q in queries:
        seen.setdefault(int(rng.integers(2)), set()).add(q)
    others = seen
    return len(others)


def dict_that_grows_as_it_is_gone_through(rng, queries):
    seen = {}
    for q in queries:
        seen.setdefault(int(q), set()).add(q)
    for key in seen:
        seen.setdefault(key + int(rng.integers(2)), set()).add(0)
    return len(seen)


def sets_that_one_another_join(rng, queries):
    seen = defaultdict(set)
    for q in queries:
        seen[int(rng.integers(2))].add(q)
    return len(seen[0] | seen[1]), rng.random()


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
