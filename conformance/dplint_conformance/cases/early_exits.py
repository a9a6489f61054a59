"""Lists, arrays and dicts that are changed after some runs have ended, left a loop, or returned from a helper."""

import numpy as np


def popped_until_a_coin_stops_it(rng, queries):
    left = list(queries)
    while left:
        last = left.pop()
        if rng.random() < 0.5:
            return last, left
    return left


def popped_more_often_than_there_are_items(rng, n):
    left = [1, 2]
    for _ in range(4):
        if rng.random() < 0.2:
            return left
        left.pop()
    return left


def popped_from_where_a_draw_says(rng, queries):
    left = list(queries)
    for _ in range(3):
        left.pop(rng.integers(0, len(left)))
        if rng.random() < 0.4:
            return left
        left.append(rng.integers(0, 2))
    return left


def appended_after_returns(rng, queries):
    out = []
    for query in queries:
        if query + rng.normal() > 2:
            return out, query
        out.append(query)
        if rng.random() < 0.5:
            out.append(None)
    return out


def appended_after_breaks(rng, queries):
    out = []
    for query in queries:
        if query + rng.normal() > 1:
            break
        out.append(query)
    out.append(len(out))
    return out


def appended_after_a_helper_has_returned(rng, queries):
    out = []
    for query in queries:
        out.append(_first_above(rng, query))
    return out


def _first_above(rng, query):
    seen = []
    for step in range(4):
        if query + rng.normal() > 1:
            return seen
        seen.append(step)
    seen.append("end")
    return seen


def array_changed_after_returns(rng, n):
    sums = np.zeros(3)
    for step in range(3):
        sums[step] += rng.normal()
        if sums[step] > 0.5:
            return sums
        sums[rng.integers(0, 3)] = step
    return sums


def dict_changed_after_returns(rng, names):
    counts = {}
    for name in names:
        if rng.random() < 0.3:
            return counts
        counts[name] = rng.integers(0, 3)
        counts["last"] = name
    counts[rng.choice(names)] += 1
    return counts


def divided_in_runs_that_go_on(rng, n):
    parts = [1.0, 2.0]
    for _ in range(3):
        size = int(rng.integers(0, 3))
        if size == 0:
            return parts
        parts.append(1 / size)
        parts[size - 1] += len("ab"[size - 1 :]) / size
    return parts
