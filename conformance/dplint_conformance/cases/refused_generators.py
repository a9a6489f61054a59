"""Generators whose items are taken one by one, or that end in other ways. No interpretation follows these."""


def _both(rng, queries):
    for q in queries:
        yield q
        yield q + rng.random()


def _taking(rng, queries):
    for q in queries[3:4]:
        yield next(x for x in queries if x > q + 4 * rng.random())
    yield 1


def items_of_which_each_is_answered(rng, queries):
    out = []
    for q in _both(rng, queries):
        out.append(q + rng.random())
    return out


def generator_that_stops_another(rng, queries):
    return list(_taking(rng, queries))


def _partly(rng, queries):
    try:
        yield from _failing(rng, queries)
    except ZeroDivisionError:
        yield rng.random()


def _failing(rng, queries):
    for q in queries:
        yield q
        yield 1 / q


def generator_that_another_catches(rng, queries):
    return list(_partly(rng, queries))
