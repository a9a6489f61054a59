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


def _chunks(values, size):
    """Slices."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


def _noisy(rng, values, bound):
    count = 0
    for value in values:
        x = value + rng.normal()
        if x < bound:
            count += 1
            yield x, count


def _stream(rng, scale):
    while True:
        z = rng.laplace(scale=scale)
        yield z * 2


def _counting(rng, start):
    while True:
        start += rng.random()
        yield start


def _down(rng, x):
    while x > 0:
        x -= rng.random()
        yield x


def chunks_in_a_loop(rng, queries):
    found = []
    for chunk in _chunks(queries, 2):
        found.append(sum(chunk) + rng.normal())
    return found


def chunks_in_a_list(rng, queries):
    return [sum(chunk) + rng.normal() for chunk in _chunks(queries, 2) if len(chunk) > 1]


def loop_left_early(rng, queries):
    found = []
    for x, count in _noisy(rng, queries, 2):
        if rng.random() < 0.3:
            continue
        if count > 2:
            break
        found.append(x)
        if x > 1.5:
            return "returned", found
    return found, rng.random()


def loop_that_changes_what_is_yielded(rng, queries):
    values, seen = list(queries), 0
    for chunk in _chunks(values, 2):
        seen += sum(chunk) + rng.normal()
        chunk = seen
    return seen


def turns_until_it_ends(rng, queries):
    total = 0
    for x in _down(rng, 1.5):
        total += x
        if total > 2:
            break
    return total


def next_of_a_stream(rng, queries):
    stream = _stream(rng, 1.0)
    first = next(stream)
    return [q + next(stream) for q in queries], first


def two_streams(rng, queries):
    one = _counting(rng, 0)
    two = _counting(rng, 10)
    found = [next(one), next(two), next(one)]
    while next(two) < 12:
        found.append(next(one))
    return found


def zipped_with_a_stream(rng, queries):
    total = 0
    for q, z in zip(queries, _stream(rng, 1.0)):
        total += q * z
        if total > 3:
            break
    return total, [q + z for q, z in zip(queries, _counting(rng, q))] if False else [
        q + z for q, z in zip(queries, _stream(rng, 2.0))
    ]


def stream_that_goes_on(rng, queries):
    stream = _counting(rng, 0)
    first = [z for _, z in zip(queries, stream)]
    return first, next(stream)


def generators_used_up_at_once(rng, queries):
    found = [rng.random(), sum(x for x in queries), max(_down(rng, 2.0), default=0)]
    return found, list(_noisy(rng, queries, 2)), sorted(_down(rng, 1.5), reverse=True), tuple(_chunks(queries, 2))


def _total(rng, values):
    for chunk in _chunks(values, 2):
        if sum(chunk) > rng.exponential():
            return len(chunk)
    return None


def generator_in_a_helper(rng, queries):
    return [_total(rng, queries), _total(rng, queries[:3])]
