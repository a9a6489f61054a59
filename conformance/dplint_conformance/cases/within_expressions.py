"""Assignments and `pop` in the midst of an expression: in Python's order, and only where they are come to."""


def assigned_within_a_sum(rng, queries):
    x = 1.0
    total = x + (x := queries[0] + rng.random()) * x
    return total, x


def assigned_within_a_call(rng, queries):
    out = []
    total = 0.0
    for q in queries:
        out.append(total := total + q + rng.random())
    return out, total


def assigned_in_a_comprehension(rng, queries):
    return [noisy for q in queries if (noisy := q + rng.laplace()) > 0], noisy


def assigned_in_a_dict(rng, names):
    found = {name: (n := rng.integers(5)) * n for name in names}
    return found, n


def assigned_in_any(rng, queries):
    if any((first := q + rng.random()) > 2 for q in queries):
        return first
    return -first


def assigned_in_next(rng, queries):
    return next((noisy for q in queries if (noisy := q + rng.random()) > 2.5), None)


def assigned_in_a_condition(rng, queries):
    a = (n if (n := rng.integers(3)) else -1) + (m := 5)
    return a, n, m


def assigned_in_elif(rng, answer):
    if (x := rng.random()) < 0.3:
        return x
    elif (y := x + rng.random()) < 0.8:
        return y, x
    return answer


def _halved(x):
    if (half := x / 2) > 1:
        return half
    return x


def assigned_in_a_helper(rng, queries):
    return [_halved(q + rng.random()) for q in queries]


def assigned_in_arguments_in_order(rng, queries):
    n = 0
    return [(n := n + 1), (n := n * 2 + int(rng.integers(2))), n, max(n, (n := 7))], n


def popped_within_a_sum(rng, queries):
    xs = [q + rng.random() for q in queries]
    total = xs[0] * 2 + xs.pop() - len(xs) + xs.pop(0)
    return total, xs


def popped_behind_a_draw(rng, queries):
    xs = list(queries)
    return rng.random() + xs.pop(), xs


def popped_in_a_comprehension(rng, queries):
    xs = list(queries)
    return [xs.pop(i % len(xs)) + rng.random() for i in range(3)], xs


def popped_key(rng, names):
    entries = {name: rng.integers(9) for name in names}
    first = 10 * entries.pop("b") + len(entries)
    return first, entries


def popped_key_that_may_be_missing(rng, names):
    entries = {name: 1 for name in names if rng.random() < 0.5}
    return entries.pop("a") + len(entries)


def popped_from_nothing(rng, queries):
    xs = [q for q in queries if q + rng.random() > 2.5]
    return 1 + xs.pop() + xs.pop()


def popped_argument(rng, queries):
    xs = [int(q) for q in queries]
    return max(xs.pop(), rng.integers(7), len(xs)), xs


def popped_into_its_own_index(rng, queries):
    i = int(rng.integers(3))
    i = queries[:].index(queries[i])
    xs = list(queries)
    i = xs.pop(i)
    return i, xs


def popped_at_a_draw(rng, queries):
    xs = list(queries)
    x = xs.pop(rng.integers(2))
    return x, xs


def popped_into_its_own_name(rng, queries):
    xs = [q + rng.random() for q in queries]
    xs = 1 + xs.pop()
    return xs
