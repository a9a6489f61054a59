"""Changes of lists and arrays that something else holds too, or may hold as far as the lowering sees; and what no
evaluator understands, where some runs come to it.

No interpretation follows these; some of them could be followed.
"""

import random
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

TABLE = {"low": 1, "high": 2}

ROWS = [[1], [2]]

NUMBERS = [1, 2]


def alias_in_some_runs(rng, queries):
    a = [1]
    b = a if rng.random() < 0.5 else [2]
    b.append(3)
    return a


def alias_by_or(rng, queries):
    a = [1]
    b = [] if rng.random() < 0.5 else [5]
    c = b or a
    c.append(3)
    return a, b


def alias_by_maximum(rng, queries):
    a = [int(rng.integers(3))]
    b = max(a, [1])
    b.append(3)
    return a


def alias_in_a_tuple(rng, queries):
    a = [rng.integers(3)]
    t = (a, a)
    a[0] = 5
    return t, a, rng.random() < 0.5


def alias_appended_as_row(rng, queries):
    rows, row = [], []
    for q in queries:
        row.append(q)
        if rng.random() < 0.5:
            rows.append(row)
    return rows


def row_fresh_in_each_turn(rng, queries):
    rows = []
    for q in queries:
        row = []
        if rng.random() < 0.5:
            row.append(q)
        rows.append(row)
    return rows


def row_taken_and_changed(rng, queries):
    rows = [[1], [2]]
    row = rows[int(rng.integers(2))]
    row.append(1)
    return rows


def row_in_a_loop_changed(rng, queries):
    rows = [[1], [2]]
    for row in rows:
        if rng.random() < 0.5:
            row.append(1)
    return rows


def rows_repeated(rng, queries):
    rows = [[0]] * 2
    row = rows[0]
    row[0] = rng.integers(3)
    return rows


def row_of_a_dict_changed(rng, queries):
    fallback = []
    row = {"a": [1]}.get("a" if rng.random() < 0.5 else "b", fallback)
    row.append(2)
    return fallback


def row_of_a_sum_changed(rng, queries):
    rows = [[[1]], [[2]]]
    row = sum(rows, [])[int(rng.integers(2))]
    row.append(3)
    return rows


def start_of_a_sum_changed(rng, queries):
    start = [1]
    total = sum([[2]] if rng.random() < 0.5 else [], start)
    total.append(3)
    return start


def row_chosen_by_random_changed(queries):
    rows = [[1], [2]]
    row = random.choice(rows)
    row.append(3)
    return rows


def copy_by_slice_changed(rng, queries):
    a = [1, 2]
    b = a[:]
    b[0] = rng.integers(4)
    return a, b


def copy_is_shallow(rng, queries):
    rows = [[1], [2]]
    other = rows.copy()
    row = other[int(rng.integers(2))]
    row.append(3)
    return rows


def argument_item_set(rng, queries):
    queries[0] = rng.random()
    return queries


def argument_augmented(rng, queries):
    q = queries
    q += [rng.random()]
    return queries


def list_in_itself(rng, queries):
    a = [1]
    a.append(a)
    if rng.random() < 0.5:
        a.append(2)
    return len(a[1])


def dict_of_the_module_changed(rng, queries):
    table = TABLE
    table["low"] = rng.integers(4)
    return TABLE


def list_of_the_module_changed(rng, queries):
    numbers = NUMBERS
    numbers[0] = rng.integers(4)
    return NUMBERS


def row_of_the_module_changed(rng, queries):
    for row in ROWS:
        row[0] = rng.integers(4)
    return ROWS


def _first_of(x, y):
    return x


def helper_returns_a_row(rng, queries):
    rows = [[1], [2]]
    row = _row_of(rows)
    row.append(rng.integers(3))
    return rows


def _row_of(rows):
    return rows[0]


def helper_wraps_its_argument(rng, queries):
    a = [1]
    b = _wrapped(a)[0]
    b.append(rng.integers(3))
    return a


def helper_wraps_and_loop_takes(rng, queries):
    a = [1]
    for row in _wrapped(a):
        row.append(rng.integers(3))
    return a


def _wrapped(x):
    return [x]


def helper_changes_its_argument(rng, queries):
    a = [1]
    _extend(a, rng.integers(3))
    return a


def _extend(x, y):
    x.append(y)


def list_grown_while_looping(rng, queries):
    out = [1, 2]
    for x in out:
        if len(out) < 5 and rng.random() < 0.7:
            out.append(x + 1)
    return out


def list_set_ahead_while_looping(rng, queries):
    out = [1, 2, 3]
    seen = []
    for i, x in enumerate(out):
        seen.append(x)
        i += 1
        if i < 3:
            out[i] = rng.integers(9)
    return seen


def dict_changed_while_looping(rng, queries):
    table = {"a": 1, "b": 2}
    for key in table:
        table[key] += rng.integers(3)
    return table


def dict_grown_while_looping(rng, queries):
    table = {"a": 1, "b": 2}
    for key in table.keys():
        if rng.random() < 0.3:
            table["c"] = 3
    return table


def helper_returns_a_fresh_list(rng, queries):
    out = _some_of(rng, queries)
    out.append("end")
    return out


def _some_of(rng, queries):
    return [q for q in queries if rng.random() < 0.5]


def alias_appended(rng, queries):
    a = [1]
    b = a
    if rng.random() < 0.5:
        b.append(2)
    return a


def alias_augmented(rng, queries):
    a = [1]
    b = a
    if rng.random() < 0.5:
        b += [2]
    return a, b


def alias_in_a_container(rng, queries):
    a = [1]
    b = [a]
    if rng.random() < 0.5:
        a.append(2)
    return b


def alias_in_a_dict(rng, queries):
    a = [1]
    table = {"a": a}
    if rng.random() < 0.5:
        a.append(2)
    return table


def argument_changed(rng, queries):
    if rng.random() < 0.5:
        queries.append(1)
    return queries


def two_targets_one_list(rng, queries):
    a = b = [1]
    if rng.random() < 0.5:
        a.append(2)
    return b


def two_targets_one_of_them_a_tuple(rng, queries):
    a, b = c = [[1], [2]]
    if rng.random() < 0.5:
        a.append(3)
    return c


def two_targets_one_of_them_an_item(rng, queries):
    table = {"a": 0}
    a = table["a"] = [1]
    if rng.random() < 0.5:
        a.append(2)
    return table


def helper_returns_its_argument(rng, queries):
    a = [1]
    b = _first_of(a, [2])
    if rng.random() < 0.5:
        b.append(2)
    return a


def list_sorted_under_an_alias(rng, values):
    a = [v + rng.laplace() for v in values]
    b = a
    a.sort()
    return b


def opaque_in_some_runs(rng, queries):
    if rng.random() < 0.5:
        return len(b"12")
    return 0


def opaque_in_a_helper_in_some_runs(rng, queries):
    return _opaque_below(rng.random())


def _opaque_below(x):
    return len(b"12") if x < 0.5 else 0


@dataclass
class _Kept:
    noisy: list[float]
    count: int = 0


@dataclass
class _Checked:
    total: float

    def __post_init__(self):
        self.total = round(self.total, 2)


@dataclass
class _Made:
    noisy: list[float] = field(default_factory=list)


def list_of_a_record_that_grows_elsewhere(rng, queries):
    noisy = [rng.laplace()]
    kept = _Kept(noisy)
    noisy.append(1.0)
    return kept


def record_within_a_tuple(rng, queries):
    kept = _Kept([rng.laplace()])
    return kept, queries


def record_with_a_method(rng, queries):
    return _Checked(rng.laplace() + queries[0])


def record_with_a_factory(rng, queries):
    return _Made() if rng.laplace() > 0 else _Made([1.0])


def record_without_a_field(rng, queries):
    if rng.laplace() > 0:
        return 0
    return _Kept(count=1)


def recursion_of_any_depth(rng, queries):
    return _until_heads(rng, queries[0])


def _until_heads(rng, total):
    if rng.random() < 0.02:
        return total
    return _until_heads(rng, total + 1)
