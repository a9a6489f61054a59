"""Assignments and `pop` in the midst of an expression: in Python's order, and only where they are come to.

No interpretation follows these.
"""


def assigned_only_behind_and(rng, queries):
    y = 0.0
    large = [q for q in queries if q > 0 and (y := q + rng.random()) > 1.5]
    return large, y


def assigned_in_while_with_else(rng, queries):
    i = 0
    while (x := queries[i] + rng.random()) < 2.5:
        i += 1
    else:
        i = -i
    return i, x


def assigned_in_an_item(rng, queries):
    i, out = 9, [0] * 5
    out[(i := rng.integers(5))] = i + 1
    return out, i


def popped_in_a_loop_s_test(rng, queries):
    xs = list(queries)
    n = 0
    while xs and xs.pop() + rng.random() < 3.5:
        n += 1
    return n, xs


def popped_key_or_default(rng, names):
    entries = {name: rng.random() for name in names}
    found = entries.pop("z", 0.0) + entries.pop("a", -1.0)
    rest = entries.pop("a", None)
    return found, rest, entries


def popped_default_is_worked_out(rng, names):
    entries = {name: rng.random() for name in names}
    return entries.pop("a", rng.random()), rng.random()


def popped_in_one_branch(rng, queries):
    xs = list(queries)
    x = xs.pop() if rng.random() < 0.5 else 0
    return x, xs
