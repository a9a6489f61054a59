"""Operators of objects, names that are given several of them, and functions that give objects or functions.

No interpretation follows these.
"""

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class _Cost:
    epsilon: float
    delta: float = 0.0

    def __add__(self, other):
        return _Cost(self.epsilon + other.epsilon, self.delta + other.delta + self.epsilon * 0)

    def __mul__(self, times):
        return _Cost(self.epsilon * times, self.delta * times)

    def __rmul__(self, times):
        return self * times

    def __neg__(self):
        return _Cost(-self.epsilon, self.delta)

    def __lt__(self, other):
        return self.epsilon < other.epsilon

    def swapped(self):
        return _Cost(self.delta, self.epsilon)


class _Table:
    def __init__(self, values):
        self.values = list(values)
        self.asked = 0

    def __len__(self):
        return len(self.values)

    def __getitem__(self, place):
        self.asked += 1
        return self.values[place]


class _Walk:
    def __init__(self, place, steps=0):
        self.place, self.steps = place, steps

    def __sub__(self, by):
        return _Walk(self.place - by, self.steps + 1)

    def go(self, by):
        self.place += by


def costs_added(rng, queries):
    each = _Cost(rng.random(), 0.5) * 2
    total = _Cost(0.0)
    for _ in queries:
        total = total + each
    both = 3 * each + -total
    return total.epsilon, total.delta, both.epsilon, both.delta, each < total, total < each


def costs_added_in_place(rng, queries):
    total = _Cost(0.0, 1.0)
    for q in queries:
        total += _Cost(q * rng.random())
    return total.epsilon, total.delta


def costs_swapped(rng, queries):
    cost = _Cost(rng.random(), 2.0)
    for _ in range(3):
        cost = cost.swapped()
    before = cost
    cost = cost * 10
    return before.epsilon, before.delta, cost.epsilon, cost.delta


def object_that_is_indexed(rng, queries):
    table = _Table([q + rng.random() for q in queries])
    out = [table[i] for i in range(len(table))]
    return out, table.asked, len(table), table[-1] if len(table) > 2 else None


def object_that_is_indexed_too_far(rng, queries):
    table = _Table(queries)
    return table[rng.integers(3, 8)]


def object_by_a_branch(rng, queries):
    if rng.random() < 0.5:
        walk = _Walk(1)
    else:
        walk = _Walk(rng.random(), steps=5)
        walk.go(2)
    walk.go(1)
    return walk.place, walk.steps


def object_in_one_branch(rng, queries):
    if rng.random() < 0.7:
        walk = _Walk(1)
    return walk.place


def object_given_anew(rng, queries):
    walk = _Walk(0.0)
    for q in queries:
        walk.go(q)
        walk = walk - rng.random()
    return walk.place, walk.steps


def _walk_of(rng, far):
    if far > 1:
        return _Walk(far, steps=2)
    noise = rng.random()
    walk = _Walk(noise)
    walk.go(1)
    return walk


def object_of_a_function(rng, queries):
    first = _walk_of(rng, queries[0])
    second = _walk_of(rng, rng.random() * 2)
    first.go(1)
    return first.place, first.steps, second.place, second.steps, _walk_of(rng, 0).place


def object_that_may_not_be_given_anew(rng, queries):
    total = _Cost(0.0)
    for q in queries:
        try:
            total += _Cost(q, 1 / int(rng.integers(2)))
        except ZeroDivisionError:
            total = total * 2
    return total.epsilon, total.delta


class _Same:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return True


def object_that_is_compared(rng, queries):
    return rng.normal(), _Same(1) == 3, _Same(rng.random()) == queries


@dataclass(frozen=True)
class _Purse:
    left: float
    spent: int = 0

    def spend(self, share):
        if share > self.left:
            raise ValueError("too much")
        return share, replace(self, left=self.left - share, spent=self.spent + 1)


def _started(total):
    purse = _Purse(total)
    return purse, total / 4


def object_and_value_given_together(rng, queries):
    purse = _Purse(1.0)
    first, purse = purse.spend(0.25)
    second, purse = purse.spend(purse.left)
    return queries[0] + rng.laplace(scale=1 / first), second, purse.left, purse.spent


def object_and_value_given_in_a_loop(rng, queries):
    purse, share = _started(1.0)
    out = []
    for q in queries:
        if rng.random() < 0.3:
            share, purse = purse.spend(share)
        else:
            step, purse = purse.spend(0.1)
            out.append(q + step)
    return out, share, purse.left


def object_and_value_given_until_it_fails(rng, queries):
    purse, share = _started(rng.random())
    n = 0
    try:
        for _ in queries:
            cost, purse = purse.spend(share + rng.random() / 4)
            n += 1
    except ValueError:
        return n, purse.left
    return n, purse.spent


def attribute_of_what_an_operator_makes(rng, queries):
    first, second = _Cost(rng.random()), _Cost(queries[0])
    return (first + second).epsilon * rng.random(), first.epsilon


def local_function_handed_on(rng, queries):
    def utility(k):
        return -abs(k - len(queries)) + rng.random()

    def best(options, score):
        scores = [score(one) for one in options]
        return int(np.argmax(scores))

    return best([1, 2, 3], utility), best(queries, lambda x: x * rng.random())
