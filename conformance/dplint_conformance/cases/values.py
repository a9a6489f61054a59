"""Kinds of values, mixed kinds in one variable, and containers of all sorts."""

import math

import numpy as np

LIMITS = {"low": 0.5, "high": 2}


def number_or_none(rng, queries):
    found = None
    for q in queries:
        if found is None and q + rng.laplace() > 2:
            found = q
    return found, found is None, found is not None, found == None


def number_or_text(rng, answer):
    x = answer if rng.random() < 0.5 else "hidden"
    return x, x == "hidden", x != 2.5, [x, x]


def int_or_float(rng, n):
    x = n if rng.random() < 0.5 else float(n)
    return x, x + 1, x * 0.5, x // 2, x % 3, -x, x == 7, str(x)


def bool_or_int(rng, n):
    x = True if rng.random() < 0.5 else 1
    return x, x + x, x == 1, not x, str(x), [x]


def bool_or_float(rng, n):
    x = rng.random() < 0.5 if rng.random() < 0.5 else rng.random()
    return x, x * 2, x > 0.3


def list_or_none(rng, queries):
    out = [1] if rng.random() < 0.5 else None
    if out is None:
        return "nothing"
    return out + [2]


def list_or_number(rng, queries):
    x = [1, 2] if rng.random() < 0.5 else 3
    return x, x * 2


def list_or_tuple(rng, queries):
    x = [1, 2] if rng.random() < 0.5 else (1, 2)
    return x, x == [1, 2], x == (1, 2), len(x), x[0], list(x)


def three_kinds(rng, n):
    u = rng.random()
    x = 1 if u < 0.3 else "one" if u < 0.6 else None
    return x, x == 1, x in (1, None), bool(x)


def kind_changes_over_turns(rng, queries):
    x = 0
    for q in queries:
        if rng.random() < 0.3:
            x = None
        elif rng.random() < 0.5:
            x = "text"
        elif x is not None and x != "text":
            x += q
    return x


def numpy_and_python_numbers(rng, n):
    x = rng.integers(3) if rng.random() < 0.5 else 2
    return x, x + 1, x / 2, [x], x == 2


def strings_as_categories(rng, names):
    name = names[rng.integers(3)]
    other = names[int(rng.integers(3))]
    return name, name == other, name < other, name + other, name in ("a", "b"), name * 2


def string_methods(rng, names):
    text = " Abc " if rng.random() < 0.5 else "xyz"
    return text.strip(), text.upper(), text.lower(), text.startswith("x"), text.endswith(" "), len(text)


def string_indices(rng, names):
    text = "hello" if rng.random() < 0.5 else "bye"
    return text[0], text[-1], text[1:3], "e" in text, text[int(rng.integers(3))], text.count("l")


def f_strings(rng, names):
    x = rng.integers(5)
    y = round(rng.random(), 2)
    return f"{names[0]}: {x} and {y}", f"{x > 2}", f"{{{x}}}", f"{None}"


def text_of_numbers(rng, n):
    x = int(rng.integers(-3, 3))
    return str(x), str(x / 4), str(x > 0), str(float(x)), str(rng.laplace())


def lists_of_varying_length(rng, queries):
    out = []
    for q in queries:
        if rng.random() < 0.5:
            out.append(q)
    return out, len(out), out[:2], out[-1:], sum(out), out == [], out + [0], out * 2


def list_inserted_at_the_front(rng, queries):
    out = []
    for q in queries:
        if rng.random() < 0.5:
            out.insert(0, q)
        else:
            out.insert(1, -q)
    return out


def list_extended(rng, queries):
    out = [0]
    for q in queries:
        if rng.random() < 0.5:
            out.extend([q, q])
        else:
            out.extend(range(int(rng.integers(3))))
    return out


def list_reversed_in_place(rng, queries):
    out = [1, 2, 3]
    for q in queries:
        if rng.random() < 0.5:
            out.reverse()
        if rng.random() < 0.2:
            out.append(q)
    return out


def list_cleared(rng, queries):
    out = []
    for q in queries:
        out.append(q)
        if rng.random() < 0.3:
            out.clear()
    return out


def list_removed_from(rng, queries):
    out = [0, 1, 2, 1, 3]
    for _ in range(2):
        out.remove(int(rng.integers(0, 5)))
    return out


def list_with_items_set(rng, queries):
    out = [0] * 5
    for i in range(5):
        if rng.random() < 0.5:
            out[i] = i + rng.laplace()
        else:
            out[-i] = "x"
    return out


def list_set_at_noisy_index(rng, queries):
    out = ["-"] * 4
    for i in range(4):
        out[int(rng.integers(-4, 4))] = i
    return out


def list_of_varying_length_set(rng, queries):
    out = [0 for _ in range(int(rng.integers(2, 5)))]
    out[-1] = 9
    out[1] = rng.random()
    return out


def list_compared(rng, queries):
    a = [int(rng.integers(2)) for _ in range(2)]
    b = [0, 1] if rng.random() < 0.5 else [0]
    return a == b, a != b, a < b, b <= a, a in [[0, 0], [1, 1]], (a[0], 1) > (1, 0)


def list_concatenated(rng, queries):
    a = [q for q in queries if rng.random() < 0.5]
    b = ["x"] if rng.random() < 0.5 else []
    c = a + b
    return c, len(c), b + a, b * 3, (a + b)[:1]


def list_membership(rng, queries):
    x = int(rng.integers(0, 5))
    kept = [q for q in queries if rng.random() < 0.5]
    return x in queries, x not in kept, 1.0 in kept, "1" in kept, None in [None] + kept


def list_slices(rng, queries):
    i, j = int(rng.integers(-6, 7)), int(rng.integers(-6, 7))
    return queries[i:j], queries[:i], queries[j:], queries[::2], queries[::-1], queries[i::-1], queries[-2:]


def list_slices_with_noisy_step(rng, queries):
    step = int(rng.integers(1, 4)) * (1 if rng.random() < 0.5 else -1)
    return queries[::step], queries[3:0:step], queries[1::step]


def slices_of_noisy_lists(rng, queries):
    kept = [q + rng.random() for q in queries if rng.random() < 0.6]
    i = int(rng.integers(0, 3))
    return kept[i:], kept[:-i], kept[1:-1], kept[::-1]


def nested_lists(rng, rows):
    grid = [[x + rng.integers(3) for x in row] for row in rows]
    return grid, grid[1], grid[2][0], [row[1] for row in grid], len(grid[0]), grid[-1][-1]


def nested_lists_of_varying_length(rng, queries):
    grid = []
    for i in range(3):
        grid.append([i] * int(rng.integers(0, 3)))
    return grid, [len(row) for row in grid], sum([sum(row) for row in grid]), sorted(grid)


def nested_list_at_noisy_index(rng, rows):
    i, j = int(rng.integers(3)), int(rng.integers(2))
    return rows[i][j], rows[i], rows[-i - 1][-j - 1]


def list_of_tuples(rng, points):
    out = [(x, y + rng.laplace()) for x, y in points]
    best = max(out)
    return best, out[0][1], sorted(out), min(out)


def tuples(rng, queries):
    t = (1, rng.integers(3), "x")
    u = (2,) if rng.random() < 0.5 else ()
    return t, t[1], t + u, len(u), u == (), t[:2], t * 2, 1 in t, t.index(1), t.count(1)


def tuples_of_varying_length(rng, queries):
    out = ()
    for q in queries:
        if rng.random() < 0.4:
            out = out + (q,)
    return out, len(out), tuple(reversed(out)), list(out)


def dict_with_constant_keys(rng, queries):
    table = {"yes": 0, "no": 0, 3: None}
    for q in queries:
        if q + rng.laplace() > 1:
            table["yes"] += 1
        else:
            table["no"] += 1
            table[3] = q
    return table, table["yes"], len(table), "yes" in table, 4 in table, list(table), list(table.values())


def dict_at_noisy_key(rng, names):
    table = {"a": 1, "b": 2.5, "c": None}
    return table[names[int(rng.integers(3))]], table.get(names[int(rng.integers(3))]), table.get("z", rng.random())


def dict_with_new_keys(rng, names):
    table = {}
    for name in names:
        if rng.random() < 0.5:
            table[name] = rng.random()
    return table, len(table), sorted(table.keys()), sum(table.values())


def dict_counts_categories(rng, names):
    table = {"a": 0, "b": 0, "c": 0}
    for _ in range(6):
        table[names[int(rng.integers(3))]] += 1
    return table, max(table.values()), [k for k, v in table.items() if v > 1]


def dict_copied(rng, names):
    table = {"a": 1}
    other = table.copy()
    if rng.random() < 0.5:
        other["a"] = 2
    return table, other, table == other


def dict_of_a_module(rng, queries):
    x = rng.normal(1)
    return [x > LIMITS["low"], x > LIMITS["high"], LIMITS.get("missing")]


def dicts_in_a_list(rng, queries):
    return [{"q": q, "kept": rng.random() < 0.5} for q in queries]


def integer_and_float_keys(rng, queries):
    table = {1: "one", 2: "two"}
    x = 1.0 if rng.random() < 0.5 else True if rng.random() < 0.5 else 2
    return table[x], table.get(x + 1)


def infinite_and_missing(rng, queries):
    x = rng.laplace()
    y = math.inf if x > 0 else -math.inf
    z = math.nan if abs(x) < 0.5 else x
    return y, z, y > 1, z == z, y - y, z > 0, abs(y), [z], y + x


def outputs_with_nested_containers(rng, queries):
    x = rng.integers(3)
    return {"a": [x, (x, None)], "b": {"c": np.array([x, 1])}, "d": ()}


def dicts_by_numbers(rng, n):
    return {2.5: n + rng.integers(0, 3), -0.5: [n]}, {1: {0.1: rng.random()}}


def constants_only_where_not_noisy(rng, queries):
    scale = 2 / 4
    label = "on" if scale > 0 else "off"
    return [label, scale, len(queries), rng.random() < scale]


def kinds_asked_for(rng, n):
    u = rng.integers(6)
    x = 1 if u == 0 else 1.5 if u == 1 else True if u == 2 else "a" if u == 3 else [1] if u == 4 else u
    return (
        isinstance(x, int),
        isinstance(x, float),
        isinstance(x, (str, list)),
        isinstance(x, bool),
        isinstance(x, np.integer),
    )


def kinds_of_draws_asked_for(rng, n):
    a, b, c = rng.laplace(), rng.integers(3), rng.laplace(size=1)[0]
    flag = c > 0
    return (
        isinstance(a, float),
        isinstance(b, int),
        isinstance(c, float),
        isinstance(flag, bool),
        isinstance(flag, int),
        b,
    )
