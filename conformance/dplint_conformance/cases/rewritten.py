"""Statements and expressions that programs say in several steps, and containers that programs hold as dicts."""

import bisect
import itertools
import statistics
from collections import Counter, defaultdict

import numpy as np

LOW, HIGH = 0.0, 3.0
SCALES = (LOW + 1, HIGH / 2)


def first_and_rest(rng, queries):
    first, *rest = [q + rng.normal() for q in queries]
    return first, rest


def rest_and_last(rng, queries):
    *rest, before, last = queries
    return rest, before - last + rng.normal()


def middle(rng, queries):
    a, *b, c = (*queries, rng.normal())
    return a, b, c


def too_few_to_unpack(rng, queries):
    a, b, *c, d = queries[: int(rng.integers(5))]
    return a, b, c, d


def rest_of_a_text(rng, queries):
    first, *rest = "abc" if rng.random() < 0.5 else "z"
    return first, rest


def next_of_a_generator(rng, queries):
    bar = rng.normal()
    place = next((i for i, q in enumerate(queries) if q + rng.normal() > bar), -1)
    return place


def next_is_returned(rng, queries):
    return next((q * 2 for q in queries if q > rng.normal() if q > 0), None)


def next_of_its_own_name(rng, queries):
    found = queries
    found = next((q for q in found if q > rng.normal()), 0)
    return found


def next_in_a_loop(rng, queries):
    out = []
    for q in queries:
        x = next((n for n in range(3) if rng.random() < 0.5), 9)
        out.append((q, x))
    return out


def walrus_in_a_test(rng, queries):
    if (noisy := queries[0] + rng.normal()) > 1:
        return noisy
    elif (other := rng.normal()) > 0 and other < 1:
        return "other", other
    return noisy, other


def walrus_with_not(rng, queries):
    if not (n := len(queries)) or rng.random() < 0.5:
        return "few", n
    return n


def quiet_numbers(rng, queries):
    x = np.asarray(queries) + rng.normal(size=len(queries))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(x > 0, 1 / np.maximum(x, 1e-300), 0.0)
        if ratio[0] > 1:
            return ratio
    return x


def map_of_builtins(rng, queries):
    texts = list(map(str, [int(rng.integers(9)), 3]))
    return sum(map(int, texts)), max(map(abs, queries)), tuple(map(float, texts))


def filter_by_a_lambda(rng, queries):
    bar = rng.normal()
    return list(filter(lambda q: q > bar, queries)), sum(filter(lambda q: q < bar, queries))


def filter_by_truth(rng, queries):
    return list(filter(bool, [rng.integers(2), 0, 3, rng.integers(2)]))


def dict_comprehension_over_data(rng, queries):
    return {round(q): q + rng.normal() for q in queries}


def dict_comprehension_with_conditions(rng, queries):
    bar = rng.normal()
    return {i: q for i, q in enumerate(queries) if q > bar}


def dict_comprehension_of_two_loops(rng, queries):
    return {(i, j): i * rng.normal() for i in range(2) for j in range(int(rng.integers(3)))}


def dict_of_a_generator(rng, queries):
    return dict((i, q + rng.normal()) for i, q in enumerate(queries))


def local_function(rng, queries):
    scale = rng.exponential()

    def noisy(q, factor=2.0):
        if q > 1:
            return q + rng.normal(scale=scale)
        return q * factor

    return [noisy(q) for q in queries] + [noisy(0, factor=scale)]


def local_function_sees_what_is_assigned_later(rng, queries):
    shift = 1.0

    def shifted(q):
        return q + shift

    first = shifted(queries[0])
    shift = rng.normal()
    return first, shifted(queries[0])


def local_function_of_a_renewed_parameter(rng, queries):
    def total():
        return sum(queries)

    before = total()
    queries = [q + rng.normal() for q in queries]
    return before, total()


def local_function_beside_a_comprehension_variable(rng, queries):
    q = rng.normal()

    def own():
        return q

    return [q + own() for q in queries]


def local_functions_of_one_another(rng, queries):
    def draw():
        return rng.normal()

    return [draw() for _ in queries], draw()


def local_lambda(rng, queries):
    scale = 1 + rng.random()
    noise = lambda: rng.normal(scale=scale)  # noqa: E731
    clip = lambda x, low=LOW, high=HIGH: max(low, min(high, x))  # noqa: E731
    return [clip(q + noise()) for q in queries]


def local_function_without_a_value(rng, queries):
    def check(x):
        if x > 0.5:
            raise ValueError("large")

    return check(rng.random())


def counter(rng, queries):
    counts = Counter([round(q) for q in queries] + [rng.integers(3)])
    return {key: counts[key] for key in range(3)}, len(counts), sum(counts.values())


def counter_of_what_it_replaces(rng, queries):
    counts = Counter([rng.integers(3) for _ in queries])
    counts = Counter(counts.values())
    return sorted(counts.items())


def counter_of_data(rng, queries):
    counts = Counter(queries)
    return counts[1.0], counts[rng.integers(4)], sorted(counts)


def counter_of_a_dict(rng, queries):
    given = {0: 5, 1: rng.integers(3)} if rng.random() < 0.5 else [0, 0, 1]
    counts = Counter(given)
    return counts[0], counts[1]


def counter_of_nothing(rng, queries):
    counts = Counter()
    for q in queries:
        counts[q > rng.normal()] += 1
    return counts[True], counts[False], max(counts, key=counts.get)


def defaultdict_of_int(rng, queries):
    counts = defaultdict(int)
    for q in queries:
        counts[int(q) + int(rng.integers(2))] += 1
    return dict(counts), counts.get(7, "none"), sorted(counts)


def defaultdict_of_float(rng, queries):
    totals = defaultdict(float)
    for i, q in enumerate(queries):
        totals[i % 2] += q
        totals["draw", i % 2] -= rng.normal()
    return sorted(totals.values())


def seen_set(rng, queries):
    seen = set()
    out = []
    for _ in queries:
        x = int(rng.integers(3))
        if x in seen:
            continue
        seen.add(x)
        out.append(x)
    return out, len(seen), sorted(seen), 1 not in seen


def set_of_items(rng, queries):
    drawn = set([int(rng.integers(4)) for _ in range(4)])
    return len(drawn), min(drawn), max(drawn), sorted(drawn, reverse=True)


def sets_in_expressions(rng, queries):
    x = int(rng.integers(4))
    return (
        x in {1, 2},
        x not in {0},
        len({x, 1}),
        sorted({x, 2, 0}),
        len(set(queries)),
        sorted({q % 2 for q in queries}),
    )


def constants_of_constants(rng, queries):
    return rng.normal(scale=SCALES[1]) * SCALES[0]


def _with_defaults(rng, x, scale=HIGH - 1, table=SCALES):
    return x + rng.normal(scale=scale) * table[0]


def defaults_of_constants(rng, queries):
    return [_with_defaults(rng, q) for q in queries]


def partition(rng, queries):
    noisy = np.asarray(queries) + rng.normal(size=len(queries))
    return np.argpartition(noisy, 0)[0], noisy.argpartition(0)[0]


def dict_of_other_dicts(rng, queries):
    base = {"a": rng.normal(), "b": 2}
    key = "c" if rng.random() < 0.5 else "a"
    return {**base, key: queries[0], "d": len(base), "b": 3}


def dict_with_keys_of_data(rng, queries):
    return {queries[0]: rng.normal(), queries[1] + rng.integers(2): "second"}


def set_by_a_condition(rng, queries):
    chosen = {queries[0], 5} if rng.random() < 0.5 else set()
    return sorted(chosen), 5 in chosen


def spread_of_numbers(rng, queries):
    noisy = [q + float(rng.normal()) for q in queries]
    first = statistics.pstdev(noisy), statistics.stdev(noisy), statistics.pvariance(noisy), statistics.variance(noisy)
    return first, statistics.stdev(noisy[: int(rng.integers(3))])


def places_by_bisection(rng, queries):
    x = int(rng.integers(4))
    ordered = sorted(queries)
    return bisect.bisect(ordered, x), bisect.bisect_left(ordered, x), bisect.bisect_right(ordered, x + rng.normal())


def accumulated_and_chained(rng, queries):
    noisy = [q + rng.normal() for q in queries]
    total = 0
    for x in itertools.accumulate(noisy):
        total += x
    return list(itertools.accumulate(noisy)), list(itertools.chain(noisy, queries, "ab")), total


def selected_by_conditions(rng, queries):
    x = np.asarray(queries) + rng.normal(size=len(queries))
    return np.select([x < 0, x < 1], [0.0, x], default=2.0)


def array_from_a_generator(rng, queries):
    noisy = np.fromiter((q + rng.laplace() for q in queries), float)
    return noisy - noisy.max(), np.fromiter([int(q) for q in queries], dtype=int)


def rest_is_a_list_of_its_own(rng, queries):
    first, *middle, last = [*reversed(queries)]
    total = 0.0
    while middle:
        total += middle.pop() + rng.random()
    return first, last, total, middle


def names_of_types(rng, queries):
    x = np.array(queries, dtype="float64") + rng.random()
    return x, np.zeros(2, dtype="int64"), np.array([0, 2], dtype=np.bool_), x.astype(np.double), x.astype("int64")
