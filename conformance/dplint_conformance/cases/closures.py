"""Functions that a function makes for itself, and what of it they see when they are called."""

from collections import Counter


def closure_of_what_comes_later(rng, queries):
    def shifted(x):
        return x + shift

    shift = rng.random()
    first = shifted(queries[0])
    shift = 100
    return first, shifted(queries[0])


def closure_called_before_it_may_be(rng, queries):
    def shifted(x):
        return x + shift

    if rng.random() < 0.5:
        shift = 1
    return shifted(queries[0])


def lambda_of_a_name_without_a_value(rng, queries):
    if rng.random() < 0.5:
        shift = 1
    return sorted(queries, key=lambda q: (q + shift) % 2)


def closure_over_a_counter(rng, records):
    counts = Counter([r + int(rng.integers(2)) for r in records])

    def noisy(key):
        return counts[key] + rng.random()

    return [noisy(key) for key in range(5)]


def closure_with_a_counter_of_its_own(rng, records):
    def commonest(items, least=1):
        counts = Counter(list(items))
        seen = set()
        for item in items:
            if counts[item] > least:
                seen.add(item)
        return sorted(seen), len(seen)

    return commonest([r + int(rng.integers(2)) for r in records]), commonest(records, rng.integers(3))


def closure_made_in_a_loop(rng, queries):
    out = []
    for q in queries:

        def times(k):
            return q * k + rng.random()

        q = q + 1
        out.append(times(2))
    return out


def closure_that_hides_names(rng, queries):
    scale, out = 2.0, []

    def noise(scale):
        out = [scale]
        for q in queries:
            out.append(q * scale)
        return sum(out) + rng.random()

    out.append(noise(3))
    return out, scale


def closure_with_several_ends(rng, queries):
    def first_above(level):
        for place, q in enumerate(queries):
            if q + rng.laplace() > level:
                return place
        return None

    return first_above(1), first_above(100), [first_above(k) for k in (0, 2)]


def closures_that_call_each_other(rng, queries):
    def coin():
        return rng.random() < 0.5

    def tosses():
        n = 0
        while coin() and n < 5:
            n += 1
        return n

    return tosses() - tosses()


def local_functions_that_hide_what_another_reads(rng, queries):
    scale = 1.0

    def noise():
        return rng.laplace(scale=scale)

    def noisy(q):
        scale = 100.0
        return q + noise() * scale

    return [noisy(q) for q in queries]


def function_that_changes_what_it_captures(rng, queries):
    state, seen = {"n": 0, "sum": 0.0}, []

    def update(q, by=1):
        state["n"] += by
        state["sum"] += q + rng.random()
        if q > 1:
            seen.append(q)
        return len(seen)

    counts = [update(q) for q in queries]
    update(5, by=2)
    return state, seen, counts


def function_that_changes_the_list_of_a_caller(rng, queries):
    out = [0] * 3

    def put(i, q):
        out[i % 3] += q

    for i, q in enumerate(queries):
        put(i, q + rng.random())
    return out


def local_function_that_changes_what_it_captures(rng, queries):
    out = []

    def add(x):
        out.append(x)

    for _ in queries:
        add(rng.random())
    return out
