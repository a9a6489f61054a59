"""Further examples of DP408: whole epsilon for each attribute."""

import math

import numpy as np

from dplint import dp


# bad
@dp(epsilon="epsilon", neighbors="add-remove", domain={"a": (0, 1), "b": (0, 1)}, args={"columns": [["a"]]})
def totals(rng, table, columns, epsilon):
    return [table[column].clip(0, 1).sum() + rng.laplace(scale=1 / epsilon) for column in columns]


# good
@dp(epsilon="epsilon", neighbors="add-remove", domain={"a": (0, 1), "b": (0, 1)}, args={"columns": [["a"]]})
def totals(rng, table, columns, epsilon):
    share = epsilon / len(columns)
    return [table[column].sum() + rng.laplace(scale=1 / share) for column in columns]


# bad
@dp(epsilon="epsilon", neighbors="add-remove", domain={"a": (0, 1), "b": (0, 1)}, args={"sensitivity": 1.0})
def totals(rng, table, sensitivity, epsilon):
    scale = sensitivity / epsilon
    return {name: np.sum(table[name]) + rng.laplace(0, scale) for name in ("a", "b")}


# bad
def noisy(rng, value, epsilon):
    return value + rng.laplace(scale=1 / epsilon)


@dp(epsilon="epsilon", neighbors="replace-one", domain={"a": (0, 1), "b": (0, 1)})
def totals(rng, table, epsilon):
    return [noisy(rng, table[name].sum(), epsilon) for name in ["a", "b"]]


# bad
@dp(epsilon="epsilon", delta=1e-5, neighbors="add-remove", domain={"a": (0, 1), "b": (0, 1)})
def totals(rng, table, epsilon):
    rows = []
    for name in ["a", "b"]:
        rows.append(table[name].sum() + rng.normal(0, math.sqrt(2 * math.log(1.25 / 1e-5)) / epsilon))
    return rows


# good: each record is in one group
@dp(epsilon="epsilon", neighbors="add-remove", domain={"kind": ["a", "b"]})
def by_kind(rng, table, epsilon):
    return {kind: (table["kind"] == kind).sum() + rng.laplace(scale=1 / epsilon) for kind in ("a", "b")}


# good: elements of a vector
@dp(epsilon="epsilon", neighbors="l1", args={"chosen": [[0, 1]]}, size=[2])
def entries(rng, counts, chosen, epsilon):
    return [counts[i] + rng.laplace(scale=1 / epsilon) for i in chosen]


# good
@dp(epsilon="2 * epsilon", neighbors="add-remove", domain={"a": (0, 1), "b": (0, 1)})
def totals(rng, table, epsilon):
    first = table["a"].sum() + rng.laplace(scale=1 / epsilon)
    return first, table["b"].sum() + rng.laplace(scale=1 / epsilon)
