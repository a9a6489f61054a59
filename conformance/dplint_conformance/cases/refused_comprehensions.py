"""Comprehensions, `any` and `all`, and conditions that are cut short. No interpretation follows these."""


def loop_over_a_map_that_sees_what_the_loop_changes(rng, queries):
    total, out = rng.random(), []
    for q in map(lambda x: x + total, queries):
        total += q
        out.append(q)
    return out


def loop_over_a_map_that_sees_the_variable_of_the_loop(rng, queries):
    q, out = rng.random(), []
    for q in map(lambda x: x + q, queries):
        out.append(q)
    return out


def loop_over_a_generator_that_draws(rng, queries):
    out = []
    for q in (x + rng.random() for x in queries if x > rng.random()):
        if q > 3:
            break
        out.append(q * rng.normal())
    else:
        out.append(rng.random())
    return out


def loop_that_ends_before_an_item_fails(rng, queries):
    for q in map(lambda x: rng.random() / x, queries):
        if q < 0.7:
            return q
    return 0


def loop_over_a_filter(rng, queries):
    out, least = [], 0
    for q in filter(lambda x: x > least, queries):
        if q > 2.5:
            continue
        least = q - rng.random()
        out.append(least)
    return out


def comprehension_over_a_map_and_a_generator(rng, queries):
    some = [x + rng.normal() for x in map(lambda y: y * rng.random(), queries)]
    others = [x for x in (y + rng.random() for y in queries) if x > 1.5 + rng.random()]
    return some, others, [x * y for x in filter(lambda z: z > 1, queries) for y in map(abs, some)]
