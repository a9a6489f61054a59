"""Functions as values: in tables, in lists, under names, as arguments. No interpretation follows these."""

import math

import numpy as np


def _shifted(rng, x):
    return x + rng.normal()


def _scaled(rng, x):
    if x > 2:
        return x * 2
    return x * rng.random()


OPERATIONS = {"sum": sum, "max": max, "mean": lambda xs: sum(xs) / len(xs)}


STEPS = (_shifted, _scaled, lambda rng, x: x - rng.random())


def operation_by_its_name(rng, queries):
    return OPERATIONS["mean"](queries) + rng.normal(), OPERATIONS["max"](queries)


def operation_that_is_drawn(rng, queries):
    name = ["sum", "max", "mean", "none"][int(rng.integers(0, 4))]
    return OPERATIONS[name]([q + rng.normal() for q in queries])


def operation_under_a_name(rng, queries):
    name = ["sum", "max", "mean", "none"][int(rng.integers(0, 4))]
    operation = OPERATIONS[name]
    noisy = [q + rng.normal() for q in queries]
    return operation(noisy) + operation(queries)


def every_operation(rng, queries):
    return {name: f(queries) + rng.laplace() for name, f in OPERATIONS.items()}


def as_many_operations(rng, queries):
    return [f(queries) + rng.normal() / len(OPERATIONS) for f in OPERATIONS.values()], len(STEPS)


def every_operation_in_a_loop(rng, queries):
    found = []
    for name, operation in OPERATIONS.items():
        if rng.random() < 0.3:
            continue
        found.append((name, operation(queries)))
    return found, [f(queries) for f in OPERATIONS.values()]


def steps_one_after_the_other(rng, queries):
    x = queries[0]
    for step in STEPS:
        x = step(rng, x)
        if x < -1:
            break
    return x, [one(rng, x) for one in STEPS]


def step_that_is_drawn(rng, queries):
    return STEPS[int(rng.integers(-2, 4))](rng, queries[2])


def steps_made_here(rng, queries):
    scale = 2.0
    steps = [lambda v: v * scale, math.floor, lambda v: v + rng.normal()]
    values = []
    for scale in (1.0, 3.0):
        values.append([step(q) for q in queries[:2] for step in steps])
    return values


def _table(rng, key):
    table = {"a": _shifted, "b": _scaled}
    return table[key](rng, 1.5)


def table_of_a_helper(rng, names):
    return [_table(rng, name) for name in names[: int(rng.integers(1, 4))]]


def _applied(function, rng, values):
    noisy = [v + rng.normal() for v in values]
    if rng.random() < 0.5:
        return function(noisy)
    return [function([v]) for v in noisy]


def function_as_an_argument(rng, queries):
    offset = rng.random()
    return (
        _applied(sum, rng, queries),
        _applied(lambda xs: xs[0] + offset, rng, queries),
        _applied(np.mean, rng, queries),
    )


def function_under_another_name(rng, queries):
    smallest = min
    return smallest(queries) + rng.normal()


class _Releasing:
    def __init__(self, function, rng):
        self.noisy = function(1.0) + rng.normal()

    def map(self, function):
        return [function(self.noisy), function(2.0)]


def functions_that_methods_are_given(rng, queries):
    k = queries[0]
    return _Releasing(math.exp, rng).map(lambda x: x + k)
