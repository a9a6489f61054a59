"""Groups that are looked at twice, later or not as lists, and items that change. No interpretation follows these."""

import itertools
from itertools import groupby
from operator import itemgetter


def group_that_is_gone_through_twice(rng, records):
    return [(sum(g), sum(g) + rng.random()) for _, g in groupby(records)]


def group_in_every_turn_of_a_loop(rng, records):
    out = []
    for _, group in groupby(records):
        for _ in range(2):
            out.append(list(group))
    return out, rng.random()


def groups_that_are_kept(rng, records):
    groups = [g for _, g in groupby(records)]
    return [list(g) for g in groups], rng.random()


def group_behind_its_loop(rng, records):
    for _, group in groupby(records):
        pass
    return list(group), rng.random()


def group_that_has_no_length(rng, records):
    try:
        return [len(g) for _, g in groupby(records)]
    except TypeError:
        return rng.random()


def key_that_draws(rng, records):
    out = []
    for key, group in groupby(records, key=lambda r: rng.random() < 0.5):
        out.append((key, len(list(group)), rng.random()))
    return out


def items_that_are_drawn_as_they_are_grouped(rng, records):
    out = []
    for key, group in groupby(int(r + rng.integers(2)) for r in records):
        out.append((key, len(list(group)), rng.random()))
    return out


def items_that_grow_as_they_are_grouped(rng, records):
    xs = [1, 2]
    out = []
    for key, group in groupby(xs):
        out.append((key, list(group), rng.random()))
        if len(xs) < 4:
            xs.append(key)
    return out


def key_that_fails_late(rng, records):
    out = []
    try:
        for key, group in groupby([1, 1, 0], key=lambda r: 1 // r):
            out.append(rng.random())
    except ZeroDivisionError:
        out.append("zero")
    return out


def group_that_is_named_late(rng, records):
    out = []
    for _, group in groupby(records):
        total = sum(group)
        group = list(group)
        out.append((total, len(group), rng.random()))
    return out


def key_that_looks_at_what_a_turn_changes(rng, records):
    low, out = 1, []
    for key, group in groupby(records, key=lambda r: r > low):
        low = low + int(rng.integers(2))
        out.append((key, len(list(group))))
    return out


def key_that_looks_at_a_list_that_grows(rng, records):
    seen, out = [1], []
    for key, group in groupby(records, key=lambda r: r in seen):
        out.append((key, list(group)))
        seen.append(int(rng.integers(4)))
    return out


class _Limits:
    def __init__(self):
        self.low = 1

    def groups(self, rng, records):
        out = []
        for key, group in groupby(records, key=lambda r: r > self.low):
            self.low = self.low + int(rng.integers(2))
            out.append((key, len(list(group))))
        return out


def key_that_looks_at_what_an_object_changes(rng, records):
    limits = _Limits()
    return limits.groups(rng, records)


def noisy_size_of_each_group(rng, records):
    out = []
    for key, group in groupby(sorted(records)):
        out.append((key, len(list(group)) + rng.random()))
    return out


def groups_of_neighbours_by_a_key(rng, values):
    noisy = [v + rng.normal() for v in values]
    return [(up, sum(group)) for up, group in itertools.groupby(noisy, lambda v: v > 0)]


def dict_of_groups(rng, records):
    drawn = sorted(int(r + rng.integers(3)) for r in records)
    groups = {key: list(group) for key, group in groupby(drawn, key=lambda r: r % 2)}
    return groups, len(groups), {k: sum(1 for _ in g) for k, g in groupby(drawn)}


def groups_of_pairs(rng, points):
    pairs = [(int(rng.integers(2)), y) for _, y in points]
    return {k: sorted(y for _, y in group) for k, group in groupby(pairs, key=itemgetter(0))}


def longest_run_of_a_bit(rng, bits):
    flipped = [b if rng.random() < 0.7 else 1 - b for b in bits]
    runs = [len(list(g)) for bit, g in groupby(flipped) if bit == 1]
    return max(runs, default=0), "".join(str(k) for k, _ in groupby(flipped))


def groups_that_are_left_out(rng, records):
    out, total = [], 0
    for key, group in groupby(records, key=lambda r: r // 2):
        if rng.random() < 0.4:
            continue
        for r in group:
            if r > 2 and rng.random() < 0.5:
                break
            total += r + rng.random()
        if rng.random() < 0.1:
            return out, "early"
        out.append(key)
    else:
        out.append(None)
    return out, total, key


def groups_of_nothing(rng, records):
    kept = [r for r in records if r > 2 + rng.random() * 2]
    return [(k, list(g)) for k, g in groupby(kept, key=None)]


def keys_of_several_types(rng, records):
    mixed = [1, 1.0, True, int(rng.integers(2)), "1", "1", None, None]
    return [(key, list(group)) for key, group in groupby(mixed)]


def first_item_of_each_group(rng, records):
    drawn = [int(r + rng.integers(2)) for r in records]
    return [k for k, _ in groupby(drawn)], [
        min(group, default=0) for _, group in groupby(enumerate(drawn), lambda p: p[1])
    ]


def groups_in_groups(rng, records):
    drawn = sorted((int(rng.integers(2)), r) for r in records)
    out = []
    for key, group in groupby(drawn, key=lambda p: p[0]):
        items = list(group)
        out.append((key, [(k, len(list(inner))) for k, inner in groupby(items, key=lambda p: p[1])]))
    return out


def groups_of_an_array(rng, records):
    import numpy as np

    drawn = np.sort(np.array(records) + rng.integers(0, 2, size=len(records)))
    return [(int(k), len(list(g))) for k, g in groupby(drawn)], [k for k, g in groupby(drawn[1:])]


def groups_of_letters(rng, names):
    return [(k, len(list(g))) for k, g in groupby("aab" * int(rng.integers(1, 3)))], rng.random()


def _sizes(xs, by):
    return {k: len(list(g)) for k, g in groupby(sorted(xs, key=lambda x: x % by), key=lambda x: x % by)}


def groups_in_a_helper(rng, records):
    return _sizes(records, 2), _sizes([int(rng.integers(5)) for _ in records], 3)


def groups_under_their_own_name(rng, records):
    out, group = [], None
    for _, group in groupby(sorted(records), key=lambda r: r > 1):
        group = sorted(group, reverse=True)
        out.append(sum(group) / len(group) + rng.random())
    for _ in range(2):
        out.append(len(group))
    return out


def several_groups_of_one_name(rng, records):
    out = [len(list(g)) for _, g in groupby(records)]
    for key, g in groupby(records):
        if rng.random() < 0.5:
            out.append([key, *list(g)])
    for key, g in groupby(records, key=lambda r: -r):
        for x in g:
            out.append(x + rng.random())
    return out


def key_with_names_from_around(rng, records, k=2):
    by, shift = 2, rng.integers(2)
    out = [(key, len(list(group))) for key, group in groupby(records, key=lambda r: (r + shift) // by > k - 2)]
    for key, group in groupby(records, key=lambda r: r // by + k):
        out.append((key, sum(group), k))
    return out
