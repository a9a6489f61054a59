"""Elements of elements that are assigned: lists of lists, dicts of lists, arrays of two dimensions."""

from collections import defaultdict

import numpy as np


def counts_by_two(rng, points):
    table = [[0] * 2 for _ in range(4)]
    for i, x in points:
        table[i][int(x > rng.normal())] += 1
    return [[cell + rng.laplace() for cell in row] for row in table]


def rows_written_out(rng, queries):
    table = [[0, 0], [0.5, "x"]]
    table[int(rng.integers(0, 3))][int(rng.integers(-3, 3))] = rng.normal()
    table[0][0] -= 1
    return table, len(table[0]), table[1][0]


def rows_of_a_dict(rng, names):
    table = {name: [0, 0] for name in names}
    for name in ["a", "c", "a"]:
        table[name][int(rng.integers(0, 2))] += 1
    return table, table["a"]


def dicts_of_a_dict(rng, names):
    table = {"a": {"x": 0, "y": 0}, "b": {"x": 0.5}}
    for _ in range(3):
        key = "ab"[int(rng.integers(0, 2))]
        table[key]["x"] += rng.random()
        if table[key]["x"] > 1:
            table[key]["z"] = table[key]["x"]
    return table


def groups_that_grow(rng, queries):
    groups = {0: [], 1: []}
    for q in queries:
        groups[int(rng.random() < 0.5)].append(q + rng.normal())
    return {key: (len(group), sum(group)) for key, group in groups.items()}


def groups_that_may_be_missing(rng, queries):
    groups = {0: [], 1: []}
    for q in queries[:2]:
        groups[int(rng.random() * 2.2)].append(q)
    return groups


def order_of_a_store(rng, queries):
    table = [[0] * 3 for _ in range(3)]
    table[int(rng.integers(0, 4))][int(rng.integers(0, 4))] = rng.random()
    table[int(rng.integers(0, 4))][int(rng.integers(0, 4))] += rng.random()
    return table


def element_of_an_array(rng, points):
    table = np.zeros((4, 2))
    for i, x in points:
        table[i, int(x > 0)] += 1 + rng.random()
    return table.sum(axis=0), table[1, 1], table.shape


def whole_numbers_in_an_array(rng, queries):
    table = np.full((2, 2), 0, dtype=int)
    table[0, 0] = 2.7
    table[int(rng.integers(0, 3)), 1] += 1
    return table.tolist()


def rows_that_are_looked_at(rng, queries):
    table = [[0] * 2 for _ in range(2)]
    for q in queries:
        k = int(rng.integers(0, 2))
        if sum(table[k]) < 2 and max(table[k]) < 5:
            table[k][int(q > 1)] += q
    total = 0
    for row in table:
        total += row[0]
    return total, table[0]


def groups_of_a_defaultdict(rng, values):
    groups = defaultdict(list)
    for value in values:
        groups[int(value + rng.integers(2)) % 3].append(value + rng.random())
    sizes = {key: len(rows) for key, rows in groups.items()}
    return sorted(groups), sizes, sum(groups[0]), 0 in groups, groups[7], len(groups), dict(groups)


def groups_in_one_branch(rng, names):
    groups = defaultdict(list)
    for place, name in enumerate(names):
        if rng.random() < 0.5:
            groups[name].append(place)
    return [(name, groups[name]) for name in names], list(groups.values()), "zz" in groups


def groups_of_a_defaultdict_with_an_annotation(rng, values):
    groups: defaultdict[str, list[float]] = defaultdict(list)
    for index, value in enumerate(values):
        groups["even" if index % 2 == 0 else "odd"].append(value)
    return {name: sum(group) + rng.laplace() for name, group in sorted(groups.items())}


def rows_that_are_made_where_they_are_missing(rng, records):
    groups = {}
    for record in records:
        key = record + int(rng.integers(0, 2))
        if key not in groups:
            groups[key] = []
        groups[key].append(record + rng.laplace())
    return groups


def rows_that_are_emptied(rng, records):
    groups = [[], [1], []]
    for record in records:
        if rng.random() < 0.3:
            groups[record % 2] = []
        groups[record % 3].append(record)
        if [1] in groups and rng.random() < 0.5:
            groups[0].append(len(groups[1]))
    return groups


def state_of_numbers_and_rows(rng, values):
    state = {"sum": 0.0, "n": 0, "last": None, "seen": [], "noisy": [0]}
    for x in values:
        state["sum"] += x
        state["n"] += int(rng.integers(0, 2))
        state["last"] = x if rng.random() < 0.5 else state["sum"]
        state["seen"].append(state["sum"] / state["n"])
        state["noisy"][0] += rng.random()
    return state, len(state["seen"])
