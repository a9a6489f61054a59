"""Generators of any form that are used up at once: they yield in several places, end early, give what others yield.

No interpretation follows these.
"""


class _Sparse:
    def __init__(self, rng, threshold, cutoff=1):
        self.rng = rng
        self.cutoff = cutoff
        self.found = 0
        self.noisy = threshold + rng.laplace()

    def run(self, queries):
        for q in queries:
            if self.found >= self.cutoff:
                return
            if q + self.rng.laplace() >= self.noisy:
                self.found += 1
                yield True
            else:
                yield False


def _levels(rng, queries):
    yield from (q + rng.laplace() for q in queries)
    yield sum(queries) + rng.laplace()


def _both(rng, queries, least=0.5):
    """Two for some."""
    for q in queries:
        if rng.random() < least:
            continue
        yield q
        if q > 1:
            yield q + rng.random()
    if len(queries) > 9:
        return
    yield -1


def _inner(rng, queries):
    yield from _levels(rng, queries)
    yield from [1, 2]


def sparse_by_a_method(rng, queries):
    sparse = _Sparse(rng, 1.0, cutoff=2)
    answers = list(sparse.run(queries))
    return answers, sparse.found, sorted(sparse.run(queries))


def levels_in_a_list(rng, queries):
    return list(_levels(rng, queries)), rng.random()


def items_that_are_summed(rng, queries):
    first = sum(_both(rng, queries))
    return first, max(_both(rng, queries, least=0.1)), tuple(_both(rng, []))


def generator_within_a_generator(rng, queries):
    return sorted(_inner(rng, queries))


def generators_in_a_loop(rng, queries):
    out = []
    for q in queries:
        out.append(len(list(_both(rng, [q, 2.0]))))
    return out


def generator_that_fails(rng, queries):
    try:
        return list(_failing(rng, queries))
    except ZeroDivisionError:
        return "failed"


def _failing(rng, queries):
    for q in queries:
        yield 1 / (q + int(rng.integers(0, 2)))
    yield 0
