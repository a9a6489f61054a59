"""Mechanisms that are generators themselves: what they give is the list of what they yield, where they are run to
the end."""


def yields_in_a_loop(rng, queries):
    for q in queries:
        yield q + rng.random()


def yields_here_and_there(rng, queries):
    """Gives items in several places, and draws between them."""
    total = rng.random()
    yield total
    for q in queries:
        total += q
        if total > 2:
            yield total, rng.normal()
        yield None
    yield


def yields_until_it_returns(rng, queries):
    for q in queries:
        noise = rng.random()
        if noise < 0.3:
            return
        yield q + noise
    yield "all"


def yields_and_returns_a_value(rng, queries):
    yield rng.random()
    if queries[0] < rng.random():
        return rng.normal()
    yield queries[0]
    return [1, 2]


def yields_from_lists(rng, queries):
    yield from [rng.random(), rng.random()]
    yield from (q + rng.random() for q in queries)
    yield from sorted(queries)


def yields_what_changes_afterwards_by_name(rng, queries):
    row = (1,)
    yield row
    row += (2,)
    yield row
    count = 0
    for q in queries:
        count += q * rng.random()
        yield count


def yields_and_fails(rng, queries):
    yield rng.random()
    if rng.random() < 0.5:
        raise ValueError("too small")
    yield 1 / queries[1] if rng.random() < 0.5 else 2


def yields_one_item_or_none(rng, queries):
    if rng.random() > 0.5:
        yield


def yields_a_name_of_the_source(rng, queries):
    yielded = [rng.random()]
    yield yielded[0]
    yield yielded
