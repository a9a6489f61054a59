"""Lists and arrays that are copied, so that nothing else holds what is changed."""

import numpy as np


def alias_rebound(rng, queries):
    a = [1]
    b = a
    if rng.random() < 0.5:
        b = b + [2]
    return a, b


def row_copied_when_appended(rng, queries):
    rows, row = [], []
    for q in queries:
        row.append(q)
        if rng.random() < 0.5:
            rows.append(list(row))
    return rows


def copy_changed(rng, queries):
    a = [1]
    b = list(a)
    if rng.random() < 0.5:
        b.append(2)
    return a, b


def copy_by_method_changed(rng, queries):
    a = [1]
    b = a.copy()
    if rng.random() < 0.5:
        b.append(2)
    return a, b


def copy_of_a_dict_changed(rng, queries):
    a = {"x": 1}
    b = dict(a)
    if rng.random() < 0.5:
        b["x"] = 2
    return a, b


def argument_copied_then_changed(rng, queries):
    own = list(queries)
    own[int(rng.integers(5))] = "x"
    return own, queries


def array_copied_into_a_list(rng, queries):
    total = np.zeros(2)
    out = []
    for _ in range(3):
        total += rng.laplace(size=2)
        out.append(total.copy())
    return out


def list_set_while_looping(rng, queries):
    out = [1, 2, 3]
    for i, x in enumerate(out):
        out[i] = x + rng.integers(3)
    return out


def list_set_by_range_while_looping(rng, queries):
    out = [0, 0, 0]
    for i in range(len(out)):
        out[i] = out[i - 1] + rng.random()
    return out


def elements_swapped(rng, queries):
    a = list(queries)
    for _ in range(4):
        i, j = int(rng.integers(5)), int(rng.integers(5))
        a[i], a[j] = a[j], a[i]
    return a


def bubble_sort(rng, queries):
    a = [q + rng.laplace() for q in queries]
    for i in range(len(a)):
        for j in range(len(a) - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a


def list_shrinks_by_slices(rng, queries):
    left, out = list(queries), []
    while left:
        if rng.random() < 0.5:
            out.append(left[0])
        left = left[1:]
    return out


def window_of_past_noise(rng, queries):
    window, out = [0.0, 0.0], []
    for q in queries:
        window = window[1:] + [q + rng.laplace()]
        out.append(sum(window) / 2)
    return out, window


def list_grows_while_a_part_is_looped_over(rng, queries):
    out = [*queries]
    for q in out[:2]:
        out.append(q + rng.random())
        if q > 1:
            out.remove(q)
    return out


def part_becomes_what_the_list_holds(rng, queries):
    out = [*queries]
    out[1:] = out
    out.append(rng.random())
    return out


def largest_of_a_list_that_grows(rng, queries):
    pairs, rows = [], []
    for place, q in enumerate(queries):
        pairs.append((place, q * rng.random()))
        rows.append([q])
    best = max(pairs, key=lambda pair: pair[1])
    return best, min(pairs, default=0), max(rows)


def array_filled_before_parts_have_names(rng, queries):
    leaves = np.zeros(6)
    leaves[: len(queries)] = queries
    out = []
    for node in range(2):
        part = leaves[node * 3 : (node + 1) * 3]
        out.append(part.sum() + rng.laplace())
    return out


def list_grown_before_another_takes_its_name(rng, queries):
    x = [*queries]
    while len(x) & (len(x) - 1):
        x.append(rng.random())
    while len(x) > 1:
        averages = [(a + b) / 2 for a, b in zip(x[::2], x[1::2])]
        x = averages
    return x
