"""Dicts whose rows are made where they are first asked for."""


def groups_by_setdefault(rng, values):
    groups = {}
    for v in values:
        groups.setdefault(v > 0, []).append(v + rng.normal())
    return groups


def groups_by_noisy_keys(rng, records):
    groups = {}
    for r in records:
        groups.setdefault(int(r + rng.integers(2)), []).append(r)
    return {k: len(groups[k]) for k in sorted(groups)}


def groups_whose_keys_are_drawn_once(rng, records):
    groups = {}
    for r in records:
        groups.setdefault(rng.random() < 0.5, []).append(rng.normal() + r)
    return groups, len(groups)


def groups_by_setdefault_in_a_branch(rng, records):
    groups = {}
    total = 0
    for r in records:
        if rng.random() < 0.5:
            groups.setdefault(r, []).append(len(groups))
        else:
            total += len(groups)
    return groups, total


def groups_with_a_key_that_is_no_key(rng, values):
    groups = {}
    if rng.random() < 0.5:
        groups.setdefault([1], []).append(1)
    groups.setdefault(1, []).append(2)
    return groups


def groups_of_a_dict_that_has_some(rng, names):
    groups = {"a": [], "b": [1]}
    for name in names:
        groups.setdefault(name, []).append(rng.random())
    return groups["a"], groups


def groups_released_by_name(rng, names):
    groups = {}
    for name in names:
        groups.setdefault(name, []).append(1)
    return {name: sum(rows) + rng.laplace() for name, rows in groups.items()}
