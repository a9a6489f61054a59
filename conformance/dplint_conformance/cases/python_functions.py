"""Builtins, the modules math and statistics, and methods of strings, lists and dicts."""

import math
import statistics


def builtin_abs(rng, n):
    x = int(rng.integers(-5, 6))
    return abs(x), abs(x / 3), abs(-0.0), abs(rng.integers(-3, 3)), abs(x < 0)


def builtin_any_all(rng, bits):
    flags = [b if rng.random() < 0.5 else 0 for b in bits]
    return any(flags), all(flags), any([]), all([]), any(["", 0.0, None, flags]), all([1, flags, "x"])


def builtin_bool(rng, n):
    x = int(rng.integers(0, 2))
    return bool(x), bool(float(x)), bool([0] * x), bool("a" * x), bool(None), bool(rng.integers(2)), bool(x > 0)


def builtin_chr_ord(rng, n):
    i = int(rng.integers(26))
    return chr(97 + i), ord("a") + i, ord(chr(65 + i))


def builtin_dict(rng, n):
    table = dict({"a": 1})
    if rng.random() < 0.5:
        table["b"] = 2
    return dict(table), dict(), len(table)


def builtin_divmod(rng, n):
    a, b = int(rng.integers(-9, 10)), int(rng.integers(1, 4))
    return divmod(a, b), divmod(a, -b), divmod(a / 2, b), divmod(rng.integers(-9, 10), b)


def builtin_float(rng, n):
    x = int(rng.integers(-3, 3))
    return float(x), float(x > 0), float(str(x)), float("inf"), float(rng.integers(4)), float("-0")


def builtin_format(rng, n):
    x = rng.integers(5)
    return format(x), format(int(x)), format(0.5)


def builtin_int(rng, n):
    x = rng.normal(0, 3)
    return int(x), int(-x), int(x > 0), int("7"), int(round(x)), int(rng.integers(3))


def builtin_len(rng, queries):
    kept = [q for q in queries if rng.random() < 0.5]
    return len(kept), len("abc"), len((1, 2)), len({"a": 1}), len([kept, kept])


def builtin_list_tuple(rng, queries):
    kept = [q for q in queries if rng.random() < 0.5]
    return list(kept), tuple(kept), list("abc"), tuple(range(len(kept))), list(), tuple(), list(tuple(kept))


def builtin_max_min(rng, queries):
    a, b = rng.normal(), rng.normal()
    return max(a, b), min(a, b), max([a, b, 0]), min(a, 0, b), max(queries + [a]), max((a, b)), max("b", "a")


def builtin_max_of_mixed_numbers(rng, n):
    x = int(rng.integers(0, 3))
    return max(x, 1.0), max(1.0, x), min(x, True), max(True, x), max(x, 1), max(0.0, -0.0), max(-0.0, 0.0), min(0, -0.0)


def builtin_max_with_default(rng, queries):
    kept = [q for q in queries if rng.random() < 0.3]
    return max(kept, default=-1), min(kept, default=None)


def builtin_max_of_texts_and_tuples(rng, names):
    t = [(int(rng.integers(3)), name) for name in names]
    return max(t), min(t), max(names), max([row[0] for row in t])


def builtin_pow(rng, n):
    x = int(rng.integers(-3, 4))
    return pow(x, 2), pow(2, x), pow(x, 3, 5), pow(2.0, x), x**0, 2**-1


def builtin_print(rng, n):
    x = rng.integers(5)
    print("x", x)
    return print(x), x


def builtin_range(rng, n):
    i = int(rng.integers(-2, 6))
    return list(range(i)), list(range(i, n)), list(range(n, i, -2)), sum(range(i)), len(range(i)), 3 in range(i)


def builtin_repr_str(rng, n):
    x = int(rng.integers(-2, 3))
    return repr(x), str(x), repr("a"), str(x / 2), str(None), str(x > 0), repr([x])


def builtin_reversed(rng, queries):
    kept = [q for q in queries if rng.random() < 0.5]
    return list(reversed(kept)), tuple(reversed(range(3))), list(reversed("abc"))


def builtin_round(rng, n):
    x = rng.normal(0, 3)
    return (
        round(x),
        round(x, 1),
        round(x, 0),
        round(-x, 2),
        round(x, -1),
        round(int(x), -1),
        round(int(x), 1),
        round(x, 15),
    )


def builtin_round_half_even(rng, n):
    x = int(rng.integers(-6, 7)) / 2
    return round(x), round(x, 0), round(x / 10, 1), round(x * 10, -1), round(2.675, 2), round(int(x * 10) + 5, -1)


def builtin_round_to_noisy_digits(rng, n):
    return round(1234.5678, int(rng.integers(-3, 4))), round(12345, int(rng.integers(-3, 2))), round(2.5, None)


def builtin_sorted(rng, values):
    noisy = [round(v + rng.laplace(), 1) for v in values]
    return sorted(noisy), sorted(noisy, reverse=True), sorted((3, 1, int(rng.integers(4)))), sorted("hello")


def builtin_sorted_mixed_numbers(rng, n):
    x = int(rng.integers(0, 3))
    return (
        sorted([1.0, x, True, 0, 2]),
        sorted([(x, "b"), (1, "a")]),
        sorted([[x], [1, 0], []]),
        sorted({"b": 1, "a": 2}),
    )


def builtin_sorted_by_key(rng, points):
    noisy = [(x, y + rng.laplace()) for x, y in points]
    return sorted(noisy, key=lambda p: p[1]), max(noisy, key=lambda p: -p[1]), min(noisy, key=lambda p: abs(p[1]))


def builtin_sorted_by_key_is_stable(rng, names):
    items = [(int(rng.integers(2)), name) for name in names + names]
    return sorted(items, key=lambda p: p[0]), sorted(items, key=lambda p: p[0], reverse=True)


def builtin_sorted_of_nested_items(rng, names):
    items = [
        (name, (rng.random(), [None, True, name, 1][k % 4], [k, [k, rng.integers(3)]])) for k, name in enumerate(names)
    ]
    ordered = sorted(items, key=lambda p: p[1][0])
    return ordered, items, [name for name, _ in sorted(items, key=lambda p: -p[1][0])]


def builtin_sum(rng, queries):
    kept = [q for q in queries if rng.random() < 0.5]
    return sum(kept), sum(kept, 1), sum([]), sum([True, True]), sum((0.1, 0.2, 0.3)), sum([[1], [2]], [])


def builtin_sum_keeps_the_kind(rng, n):
    x = int(rng.integers(0, 3))
    return sum([x] * x), sum([x / 1] * x), sum([x > 0] * 3), sum([x, 0.5])


def builtin_sum_of_floats(rng, n):
    return sum([rng.laplace() for _ in range(9)]), sum(
        [rng.normal() * 10 ** int(rng.integers(-8, 9)) for _ in range(5)]
    )


def builtin_zip_enumerate(rng, names):
    scores = [rng.random() for _ in names]
    return (
        list(zip(names, scores)),
        list(enumerate(scores)),
        list(enumerate(names, 5)),
        [a for a, b in zip(names, "xy")],
    )


def sum_of_comparisons(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    return sum(x > 1 for x in noisy), sum([x > 1 for x in noisy]) / len(noisy), sum(1 for x in noisy if x < 0)


def math_rounding(rng, n):
    x = rng.normal(0, 4)
    return math.floor(x), math.ceil(x), math.trunc(x), math.floor(-x), math.fabs(x), math.floor(int(x)), math.ceil(-0.5)


def math_exponentials(rng, n):
    x = rng.normal()
    return math.exp(x), math.expm1(x), math.log(abs(x)), math.log1p(abs(x)), math.log2(abs(x) + 1), math.log10(abs(x))


def math_logarithm_with_base(rng, n):
    x = rng.random() + 0.1
    return math.log(x, 2), math.log(x, 10.0), math.log(int(rng.integers(1, 2000)), 10), math.log(8, 2)


def math_of_integers(rng, n):
    x = int(rng.integers(1, 50))
    return math.sqrt(x), math.exp(-x), math.log(x), math.pow(x, 2), math.floor(x / 3), math.isqrt(x), math.gcd(x, 12)


def math_of_counts(rng, n):
    x = int(rng.integers(0, 8))
    return (
        math.factorial(x),
        math.comb(8, x),
        math.perm(8, x),
        math.prod([x, 2, 3]),
        math.gamma(x + 1),
        math.lgamma(x + 1),
    )


def math_trigonometry(rng, n):
    x = rng.uniform(-1, 1)
    return math.sin(x), math.cos(x), math.tan(x), math.asin(x), math.acos(x), math.atan(x), math.atan2(x, -0.5)


def math_hyperbolic(rng, n):
    x = rng.uniform(-1, 1)
    return (
        math.sinh(x),
        math.cosh(x),
        math.tanh(x),
        math.degrees(x),
        math.radians(x),
        math.hypot(x, 2.0),
        math.dist([x], [1]),
    )


def math_special(rng, n):
    x = rng.normal()
    return math.erf(x), math.erfc(x), math.fmod(x, 0.3), math.ldexp(x, 3), math.ulp(x), math.nextafter(x, 9.0)


def math_signs(rng, n):
    x = rng.normal()
    return math.copysign(2, x), math.copysign(x, -0.0), math.copysign(0, x), math.pow(abs(x), 0.5), math.pow(0, 0)


def math_tests(rng, n):
    x = rng.laplace()
    y = math.inf if x > 1 else math.nan if x < -1 else x
    return math.isnan(y), math.isinf(y), math.isfinite(y), math.isclose(x, x + 1e-12), math.isclose(x, 0, abs_tol=1)


def math_sums(rng, queries):
    noisy = [q * 1e10 + rng.laplace() for q in queries]
    return math.fsum(noisy), math.fsum([0.1] * 10), sum([0.1] * 10), math.fsum(x * x for x in noisy)


def math_constants(rng, n):
    x = rng.random()
    return math.pi * x, math.e + x, math.tau, -math.inf, x < math.inf


def statistics_functions(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    return statistics.mean(noisy), statistics.fmean(noisy), statistics.median(noisy), statistics.median([1, 2])


def methods_of_strings(rng, names):
    text = "Hello World" if rng.random() < 0.5 else "  x1,y2  "
    return text.replace("l", "L"), text.split(), text.split(","), text.find("o"), text.rfind("o"), text.title()


def methods_of_strings_that_strip(rng, names):
    text = "  ab " if rng.random() < 0.5 else "xabx"
    return text.strip(), text.lstrip(), text.rstrip(), text.strip("x"), text.capitalize(), text.zfill(7)


def methods_of_strings_that_ask(rng, names):
    text = str(int(rng.integers(20))) if rng.random() < 0.5 else "abc"
    return (
        text.isdigit(),
        text.isalpha(),
        text.isnumeric(),
        text.startswith("1"),
        text.endswith("c"),
        text.index(text[0]),
    )


def methods_of_strings_that_join(rng, names):
    kept = [name for name in names if rng.random() < 0.5]
    return ",".join(kept), "-".join(["x", names[0]]), "{} of {}".format(len(kept), 3), "a{0}".format(kept)


def methods_of_lists(rng, queries):
    kept = [round(q + rng.random()) for q in queries]
    return kept.count(1), kept.index(kept[2]), kept.copy(), kept.count(None), kept.index(kept[-1], 1)


def methods_of_dicts(rng, names):
    table = {"a": rng.integers(3), "b": 2}
    return list(table.keys()), list(table.values()), list(table.items()), table.get("a"), table.get("z"), table.copy()


def list_sorted_in_place(rng, values):
    noisy = [round(v + rng.laplace(), 1) for v in values]
    noisy.sort()
    return noisy


def list_popped(rng, queries):
    left = list(queries)
    while len(left) > 1:
        if rng.random() < 0.5:
            left.pop()
        else:
            left.pop(0)
        if rng.random() < 0.2:
            break
    return left


def list_popped_out_of_range(rng, queries):
    left = [1, 2]
    for _ in range(int(rng.integers(0, 4))):
        left.pop()
    return left


def list_inserted_anywhere(rng, queries):
    out = []
    for q in queries:
        out.insert(int(rng.integers(-3, 4)), q)
    return out


def list_inserted_in_order(rng, queries):
    out = []
    for q in queries:
        x, i = q + rng.laplace(), 0
        while i < len(out) and out[i] < x:
            i += 1
        out.insert(i, x)
    return out


def dict_updated(rng, names):
    table = {"a": 1}
    for name in names:
        if rng.random() < 0.5:
            table.update({"a": rng.random(), "n": 2})
        else:
            table.setdefault(name, 3)
    return table


def dict_popped(rng, names):
    table = {"a": 1, "b": 2, "c": 3}
    table.pop(names[int(rng.integers(3))])
    table.pop("z", None)
    return table


def dict_cleared(rng, names):
    table = {"a": 1}
    if rng.random() < 0.5:
        table.clear()
    return table


def rounded_to_digits(rng, n):
    x = float(rng.laplace(0, 3))
    near = float(rng.choice([0.125, 2.675, 1.005, 0.15, -0.5, 1e300, 12345678.905, -2.5]))
    return (
        round(x, 2),
        round(-x / 1000, 2),
        round(x * 1e9, 3),
        round(near, 2),
        round(near, 1),
        round(near, 0),
        round(x, -1),
    )


def looked_for_in_lists(rng, queries):
    noisy = [int(rng.integers(4)) for _ in queries]
    wanted = int(rng.integers(5))
    there = wanted in noisy, wanted not in noisy, noisy.count(wanted), max(noisy) in noisy
    return there, noisy.index(max(noisy)), noisy.index(wanted)


def dict_of_noisy_counts(rng, names):
    table = {name: int(rng.integers(3)) for name in names}
    chosen = names[int(rng.integers(len(names)))]
    table[chosen] += 10
    table["other"] = table.get(chosen, 0) + table.get("nobody", 1)
    ordered = sorted(table.items(), key=lambda pair: pair[1], reverse=True)
    return ordered, list(table), sum(table.values()), chosen in table, table[chosen], [key for key in table]
