"""Calls and statements beyond the plainest: keys of sorts, pop, formats, shapes, starred lists, distributions."""

import math
import random
import statistics
import sys

import numpy as np

LEVELS = ["low", "high"]


def sorted_by_lambda(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    return sorted(range(len(queries)), key=lambda i: -noisy[i])


def sorted_by_lambda_reversed_is_stable(rng, queries):
    noisy = [round(q + rng.laplace()) for q in queries]
    return sorted(range(len(queries)), key=lambda i: noisy[i], reverse=True)


def sorted_by_nan_keys(rng, values):
    noisy = [v if rng.random() < 0.7 else math.nan for v in values]
    return sorted(range(len(values)), key=lambda i: noisy[i])


def sorted_pairs_by_second(rng, names, queries):
    noisy = [q + rng.laplace() for q in queries]
    return [name for name, _ in sorted(zip(names, noisy), key=lambda pair: pair[1])]


def sorted_by_draws_in_the_key(rng, queries):
    return sorted(queries, key=lambda q: q + rng.gumbel())


def sorted_by_builtin(rng, values):
    noisy = [v + rng.laplace() for v in values]
    return sorted(noisy, key=abs)


def sorted_by_getitem(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    return sorted(range(len(noisy)), key=noisy.__getitem__)[:2]


def sorted_by_get(rng, names):
    scores = {"a": rng.laplace(), "b": rng.laplace(), "c": 0}
    return sorted(names, key=scores.get)


def sorted_by_tuple_keys(rng, counts):
    noisy = [c + rng.integers(3) for c in counts]
    return sorted(range(len(counts)), key=lambda i: (-noisy[i], i))


def sorted_by_keys_that_do_not_compare(rng, queries):
    keys = [None if rng.random() < 0.1 else q for q in queries]
    return sorted(range(len(queries)), key=lambda i: keys[i])


def max_by_lambda_is_the_first(rng, queries):
    noisy = [round(q + rng.laplace()) for q in queries]
    return max(range(len(queries)), key=lambda i: noisy[i])


def min_by_lambda(rng, points):
    return min(points, key=lambda point: abs(point[1] + rng.laplace()))


def max_by_of_nothing(rng, queries):
    kept = [q for q in queries if q > 2 + rng.random() * 2]
    return max(kept, key=lambda q: -q)


def the_key_sees_the_names_around_it(rng, queries):
    centre = rng.laplace()
    return [sorted(queries, key=lambda q: abs(q - centre - shift))[0] for shift in (0, 1, 2)]


def sort_in_place(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    noisy.sort()
    return noisy


def sort_an_array_in_place(rng, queries):
    noisy = np.asarray(queries) + rng.laplace(size=len(queries))
    noisy.sort()
    return noisy


def pop_the_last(rng, queries):
    out = [q + rng.laplace() for q in queries]
    while out and out[-1] > 1:
        out.pop()
    return out


def pop_until_empty(rng, queries):
    waiting = list(queries)
    total = 0.0
    while rng.random() < 0.9:
        item = waiting.pop()
        total += item
    return total


def pop_at(rng, queries):
    out = [q + rng.laplace() for q in queries]
    i = int(rng.integers(7))
    taken = out.pop(i)
    return taken, out


def pop_a_key(rng, queries):
    counts = {"a": rng.laplace(), "b": 1}
    if counts["a"] > 0:
        b = counts.pop("b")
        return b, counts
    return counts


def dict_update_and_setdefault(rng, queries):
    counts = {"a": 1}
    if rng.random() < 0.5:
        counts.update({"a": 2, "b": 3})
    counts.setdefault("b", 0)
    return counts


def dict_entry_augmented(rng, records):
    counts = {"low": 0, "high": 0}
    for record in records:
        if record + rng.laplace() > 1:
            counts["high"] += 1
        else:
            counts["low"] += 1
    return counts


def in_a_dict(rng, names):
    known = {"a": 1, "c": rng.laplace()}
    return [known[name] if name in known else None for name in names]


def parameter_made_anew(rng, queries):
    queries = list(queries)
    for i in range(len(queries)):
        queries[i] += rng.laplace()
    queries.append(0)
    return queries


def parameter_made_an_array(rng, queries):
    queries = np.array(queries, dtype=float)
    queries[0] = rng.laplace()
    return queries


def parameter_made_anew_in_a_helper(rng, queries):
    noisy = _grown(rng, queries)
    return noisy, queries


def _grown(rng, queries):
    queries = [q for q in queries]
    queries.append(rng.laplace())
    return queries


def parameter_made_anew_after_a_return(rng, queries):
    if rng.random() < 0.5:
        return queries
    queries = [q + 1 for q in queries]
    queries = queries + [1]
    queries[0] = -1
    return queries


def starred_list(rng, queries):
    noisy = [q + rng.laplace() for q in queries if q > 1]
    return [0, *noisy, *queries[:1], 1]


def starred_tuple(rng, queries):
    return (*range(2), rng.laplace(), *zip(queries, queries))


def starred_number(rng, queries):
    x = [1] if rng.random() < 0.5 else 2
    return [*x]


def shape_and_size(rng, rows):
    table = np.array(rows) + rng.laplace(size=(3, 2))
    return table.shape, table.shape[0] * table.size, table.ndim, table[table > 2].size


def shape_of_a_list(rng, queries):
    x = queries if rng.random() < 0.5 else np.array(queries)
    return x.shape


def loop_over_a_shape(rng, queries):
    noisy = np.asarray(queries) + rng.laplace(size=len(queries))
    total = 0.0
    for i in range(noisy.shape[0]):
        total += max(noisy[i], 0)
    return total


def popped_in_expressions(rng, queries):
    rest = list(queries)
    total, seen = 0.0, []
    while len(rest) > 1:
        total += rest.pop() * rng.random()
        seen.append(rest.pop(0) + rng.laplace())
    seen += [rest.pop()]
    return total, seen, len(rest)


def popped_as_it_is(rng, queries):
    rest, found = [rng.laplace(), *queries], [0, 0]
    found[1] = rest.pop()
    if found[1] > 1:
        return rest.pop(0)
    return found


def popped_where_items_count(rng, queries):
    rest = [rng.laplace(), *queries]
    scaled = rest.pop() + len(rest)
    return scaled, rest


def formats(rng, queries):
    x = rng.laplace()
    return f"{x:.2f} {x!r} {x!s} {len(queries):>4}|{True!r:>6}|{{}}"


def formats_with_few_decimals(rng, queries):
    x = queries[0] + rng.laplace()
    return f"{x:.1f}, {-x:.0f}; {round(x)} of {len(queries)} {x:+08.2f}", f"{1000 * x:,.1f}", str(int(x)), f"{x:.3f}"


def formats_of_halves(rng, queries):
    x = rng.integers(-8, 9) / 4
    return f"{x:.1f}", f"{x:.0f} {x / 2:.2f}", f"{x * rng.integers(0, 2):.1f}"


def formats_in_some_runs(rng, queries):
    x = rng.laplace()
    text = "none"
    if x > 0:
        text = f"{math.log(x):.1f}" if x > 1 else f"{x:.1f} {round(10 * x)}"
    elif x < -1:
        text = str(round(x)) + f"{rng.laplace():.1f}"
    return text


def formats_of_what_is_not_finite(rng, queries):
    x = rng.laplace()
    y = math.inf if x > 1 else math.nan if x < -1 else x
    return f"{y:.1f}", f"{'far' if x > 1 else 'near'}: {x > 0}"


def format_of_a_list(rng, queries):
    x = queries if rng.random() < 0.5 else 1.0
    return f"{x:.1f}"


def format_builtin(rng, queries):
    return format(rng.laplace(), ".3e"), repr(rng.random() < 0.5), "{:.1f}".format(rng.random())


def further_methods_of_strings(rng, names):
    name = names[int(rng.integers(3))]
    text = ", ".join(names[: int(rng.integers(4))])
    return name.title(), text.split(", "), text.replace("a", name), text.find("b"), name.isalpha(), name.zfill(3)


def join_a_generator(rng, names):
    return "-".join(name for name in names if rng.random() < 0.5)


def join_numbers(rng, queries):
    return "-".join(["x", 1] if rng.random() < 0.5 else ["x"])


def keywords_of_builtins(rng, queries):
    kept = [q for q in queries if q + rng.laplace() > 3]
    return max(kept, default=0), sum(kept, start=1), list(enumerate(kept, start=1)), round(rng.random(), ndigits=2)


def keywords_of_numpy(rng, queries):
    noisy = np.asarray(queries) + rng.laplace(size=len(queries))
    return np.clip(noisy, a_min=0, a_max=2), np.round(noisy, decimals=1), noisy.clip(0, 1).sum(axis=0)


def types_by_position(rng, queries):
    counts = np.zeros(3, int)
    counts[int(rng.integers(3))] += 1
    return counts, np.full(2, rng.random() < 0.5, dtype="float")


def range_with_a_step(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    return [noisy[i] for i in range(len(noisy) - 1, -1, -2)]


def sign_and_copysign(rng, values):
    x = rng.laplace()
    return np.sign(x), math.copysign(2, x), math.copysign(0.0, x), float(np.sign(values[0] + x))


def math_functions(rng, queries):
    x = rng.random()
    return math.erf(x), math.lgamma(x + 1), math.hypot(x, 1.0), math.atan2(x, -1), math.isqrt(int(9 * x))


def math_out_of_domain(rng, queries):
    return math.acos(rng.laplace())


def statistics_of_noise(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    return statistics.median(noisy), statistics.fmean(noisy), statistics.mean([1, int(rng.integers(5)), 4])


def statistics_of_nothing(rng, queries):
    return statistics.fmean([q for q in queries if q > 2 + rng.random() * 2])


def norm(rng, queries):
    noisy = np.asarray(queries) + rng.laplace(size=len(queries))
    return noisy / max(1.0, np.linalg.norm(noisy)), np.linalg.norm(noisy, ord=1)


def numpy_functions(rng, queries):
    noisy = np.asarray(queries) + rng.laplace(size=len(queries))
    return np.count_nonzero(noisy > 1), np.cumprod(noisy), np.flip(noisy), np.isin(queries, [1.0]), np.ptp(noisy)


def numpy_logic(rng, queries):
    noisy = np.asarray(queries) + rng.laplace(size=len(queries))
    return np.logical_and(noisy > 0, noisy < 2), np.nan_to_num(np.where(noisy > 0, noisy, np.nan), nan=-1.0)


def numpy_stack(rng, rows):
    table = np.vstack([np.array(row) + rng.laplace() for row in rows])
    return table.reshape(2, 3), table.ravel(), np.hstack([table[0], 1.0])


def constants(rng, queries):
    limit = sys.float_info.max
    return min(limit, math.inf) if rng.random() < 0.5 else -sys.maxsize, math.tau, sys.float_info.epsilon


def raise_from_none(rng, queries):
    if rng.random() < 0.5:
        raise ValueError("no") from None
    return queries


def default_of_get_is_no_copy(rng, queries):
    held = {"a": [rng.laplace()]}
    found = held.get("b", [1, 2])
    return found, held.get("a")[0]


def heavy_noise(rng, answer):
    return answer + rng.standard_t(df=3) + rng.standard_cauchy()


def gamma_noise(rng, queries):
    radius = rng.gamma(len(queries), 2.0)
    return radius * rng.standard_gamma(2.5), rng.beta(2, 3), rng.chisquare(4), rng.lognormal(0.5, sigma=2)


def difference_of_polya(rng, counts):
    return [c + rng.negative_binomial(2, 0.5) - rng.negative_binomial(2, 0.5) for c in counts]


def multinomial_sample(rng, counts):
    return rng.multinomial(4, [0.2, 0.3, 0.5]), rng.multinomial(3, [0.5, 0.5], size=2).shape


def heavy_noise_of_a_size(rng, queries):
    return np.asarray(queries) + rng.gamma(2.0, size=len(queries)) - rng.standard_cauchy(5)


def noise_of_random(queries):
    return random.gammavariate(2, 3) + random.betavariate(1, 2) + random.lognormvariate(0, 1)


def random_integers_begin_at_one(queries):
    return np.random.randint(3), np.random.RandomState().randint(1, 3), random.randrange(5)


def dict_over_constants(rng, records):
    counts = {level: 0 for level in (0, 1, 3)}
    for record in records:
        counts[record] += 1
    return {level: counts[level] + rng.laplace() for level in [3, 1, 0]}


def dict_over_a_constant_of_the_module(rng, queries):
    return {level: [level + suffix for suffix in LEVELS if rng.random() < 0.5] for level in LEVELS}


def dict_over_constants_shadowed(rng, queries):
    level = rng.laplace()
    inner = {level: [level for level in queries if level > 1] + [level] for level in LEVELS}
    return inner, level


def checks_of_types(rng, queries):
    x = queries if rng.random() < 0.5 else round(rng.laplace())
    if isinstance(x, (int, float)) and not isinstance(x, bool):
        return x + 1
    if not isinstance(queries[0], (float, np.floating)):
        raise TypeError("numbers only")
    return isinstance(x, list), isinstance(rng.random() < 0.5, int), isinstance(x[0], np.ndarray)
