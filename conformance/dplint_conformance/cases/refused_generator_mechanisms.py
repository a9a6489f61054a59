"""Mechanisms that are generators themselves: what they give is the list of what they yield, where they are run to.

No interpretation follows these.
"""


def _noisy(rng, values):
    for v in values:
        yield v + rng.random()


def yields_from_a_generator(rng, queries):
    yield from _noisy(rng, queries[:2])
    yield rng.random()


def yields_beside_functions_that_return(rng, queries):
    def larger(x, key):
        if key(x) > 1:
            return x
        return x + rng.random()

    twice = lambda x: 2 * x
    for q in queries:
        yield larger(q, twice)
        yield larger(q, lambda x: x / 2)
