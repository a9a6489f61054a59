"""Comprehensions, `any` and `all`, and conditions that are cut short."""


def comprehension(rng, queries):
    return [q + rng.laplace() for q in queries]


def comprehension_with_filter(rng, queries):
    return [q for q in queries if rng.random() < 0.5]


def comprehension_with_two_filters(rng, n):
    return [i for i in range(n) if i % 2 == 0 if rng.random() < 0.5]


def comprehension_filters_by_element(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    return [(i, x) for i, x in enumerate(noisy) if x > 1 and i != 2]


def comprehension_with_two_clauses(rng, queries):
    return [(a, b) for a in range(3) for b in range(a) if rng.random() < 0.6]


def comprehension_with_clause_over_noise(rng, queries):
    return [b for a in range(3) for b in range(int(rng.integers(0, 3)))]


def comprehension_in_comprehension(rng, rows):
    return [[x + rng.laplace() for x in row if x != 3] for row in rows]


def comprehension_shadows_name(rng, queries):
    q = "outside"
    kept = [q for q in queries if rng.random() < 0.5]
    return q, kept


def comprehension_of_conditionals(rng, queries):
    return [i if rng.random() < 0.5 else None for i, _ in enumerate(queries)]


def comprehension_over_zip(rng, queries, values):
    return [q * v for q, v in zip(queries, values) if q + rng.laplace() > 0.5]


def generator_in_sum(rng, queries):
    return sum(q + rng.laplace() for q in queries), max(rng.random() for _ in queries)


def any_of_generator(rng, queries):
    return any(q + rng.laplace() > 3 for q in queries)


def all_of_generator(rng, queries):
    return all(q + rng.laplace() > -1 for q in queries)


def any_stops_drawing(rng, queries):
    some = any(rng.random() < 0.3 for _ in queries)
    every = all(rng.random() < 0.8 for _ in queries)
    return some, every, rng.random()


def any_with_filter(rng, queries):
    return any(q > 1 for q in queries if rng.random() < 0.3), any(a == b for a in (1, 2) for b in (2, rng.integers(4)))


def any_of_a_list(rng, queries):
    flags = [rng.random() < 0.2 for _ in queries]
    return any(flags), all(flags), any([]), all([]), any([rng.integers(2), ""])


def short_circuits(rng, queries):
    some = any(q + rng.laplace() > 2 for q in queries)
    every = all(rng.random() < 0.8 and q >= 0 for q in queries)
    last = rng.random() if some or rng.random() < 0.5 else rng.integers(3)
    return some, every, last, 0 < last < 1, not some and queries


def and_gives_an_operand(rng, queries):
    x = int(rng.integers(0, 3))
    return x and "yes", x or "no", x and queries, (x - 1) and x or "both"


def and_draws_only_if_needed(rng, queries):
    first = rng.random() < 0.5 and rng.laplace()
    second = rng.random() < 0.5 or rng.normal()
    return first, second, rng.random()


def not_of_values(rng, queries):
    x = [1] if rng.random() < 0.5 else []
    y = rng.integers(2)
    return not x, not y, not x and not y, not (x or y)


def conditions_in_chains(rng, queries):
    a, b = rng.normal(), rng.normal()
    if not (a > 0 or b > 0):
        return "neither"
    if a > 0 and not b > 0 and (a > 1 or b < -1):
        return "far"
    return "near"


def chained_comparison(rng, queries):
    a, b = rng.normal(), rng.normal()
    return -1 < a < b, a < 0 <= b < 1, 0 < a != b


def chained_comparison_that_draws(rng, queries):
    ordered = rng.random() < rng.random() < rng.random()
    return ordered, rng.random()
