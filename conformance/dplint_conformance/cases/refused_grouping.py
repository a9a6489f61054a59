"""Groups that are looked at twice, later or not as lists, and items that change. No interpretation follows these."""

from itertools import groupby


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
