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
