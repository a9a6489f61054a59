"""Iterators under a name that the next statement uses up: what they draw, they draw there.

No interpretation follows these.
"""

import itertools


def map_kept_and_sorted(rng, queries):
    noisy = map(lambda x: x + rng.normal(), queries)
    return sorted(noisy, reverse=True)[:2]


def map_kept_and_sorted_by_a_key(rng, queries):
    noisy = map(lambda x: (x, x + rng.normal()), queries)
    return sorted(noisy, key=lambda t: t[1] + rng.random(), reverse=True)[0][0]


def draws_before_what_is_kept(rng, queries):
    noisy = (x + rng.random() for x in queries)
    return rng.normal() + sum(noisy)


def kept_beside_a_start(rng, queries):
    noisy = (x + rng.random() for x in queries)
    total = sum(noisy, 10)
    return total * rng.random()


def kept_over_a_range_or_a_list(rng, queries):
    noisy = (queries[i] + rng.random() for i in range(len(queries)))
    first = [*map(float, queries)] if rng.random() < 0 else list(noisy)
    more = map(lambda x: x + rng.random(), sorted(queries))
    return first, tuple(more)


def kept_list_is_drawn_where_it_is_made(rng, queries):
    noisy = (x + rng.random() for x in [q * rng.normal() for q in queries])
    return rng.normal(), list(noisy)


def kept_over_pairs(rng, queries):
    later = queries[1:]
    noisy = (x * y + rng.random() for x, y in zip(queries, later))
    first = sum(noisy)
    pairs = (x * i + rng.random() for i, x in enumerate(queries))
    return first, max(pairs), rng.random()


def kept_and_looped_over(rng, queries):
    step, out = 1, []
    noisy = (x + step * rng.random() for x in queries)
    for q in noisy:
        step += 1
        out.append(q + rng.normal())
        if q > 2.5:
            break
    return out


def kept_and_filtered(rng, queries):
    large = filter(lambda x: x > rng.random(), queries)
    return [q + rng.normal() for q in large]


def kept_in_a_loop(rng, queries):
    out = []
    for q in queries:
        noisy = (x + q * rng.random() for x in queries)
        out.append(max(noisy) - rng.random())
    return out


def kept_and_asked_at_times(rng, queries):
    noisy = (x + rng.random() for x in queries)
    return max(noisy) if rng.random() < 0.5 else queries


def kept_and_asked_until_one_is(rng, queries):
    large = (x + rng.random() > 1.7 for x in queries)
    found = any(large)
    return found, rng.random()


def _largest(rng, values):
    noisy = map(lambda x: x + rng.random(), values)
    return max(noisy)


def kept_in_a_helper(rng, queries):
    return [_largest(rng, queries[i:]) for i in range(3)]


def kept_and_accumulated(rng, queries):
    noisy = (q + rng.random() for q in queries)
    sums = list(itertools.accumulate(noisy))
    return sums, rng.random()


def zipped_in_a_comprehension(rng, queries, names):
    noisy = (q + rng.laplace() for q in queries)
    found = {name: x * rng.random() for name, x in zip(names, noisy)}
    return found, rng.random()


def numbered_in_a_comprehension(rng, queries):
    noisy = (q + rng.laplace() for q in queries)
    return [(i, x, rng.random()) for i, x in enumerate(noisy) if x > 0]


def first_of_a_kept_one(rng, queries):
    noisy = ((i, q + rng.laplace()) for i, q in enumerate(queries))
    found = next((i for i, x in noisy if x > 2), -1)
    return found, rng.random()


def _noisy(rng, values):
    for q in values:
        yield q + rng.random()


def first_of_a_function_that_yields(rng, queries):
    return next((x for x in _noisy(rng, queries) if x > 2), 0.0), rng.random()


def kept_twice_under_one_name(rng, queries):
    noisy = map(lambda x: x + rng.normal(), queries)
    first = sorted(noisy)
    noisy = (x * rng.random() for x in first)
    return first, sum(noisy)


def kept_where_it_may_be_caught(rng, queries):
    x = queries if rng.random() < 0.5 else 3
    try:
        noisy = (y + rng.random() for y in x)
        total = rng.random() + sum(noisy)
        kept = map(lambda y: 1 / int(rng.integers(0, 2)), queries)
        return total, list(kept)
    except (TypeError, ZeroDivisionError):
        return x


def iterator_before_totals_that_begin(rng, queries):
    noisy = (q + rng.random() for q in queries)
    total, n = 0.0, 0
    for n, x in enumerate(noisy, 1):
        total += x
    return total / n, n


def zipped_behind_names(rng, names):
    return dict(zip(names, (rng.random() * i for i in range(5)))), rng.random()


def zipped_with_fewer(rng, names):
    return list(zip(names, range(9), (rng.random() * i for i in range(2)))), rng.random()


def numbered_in_a_loop(rng, queries):
    out = []
    for i, noisy in enumerate(q + rng.laplace() for q in queries):
        out.append((i, noisy * rng.random()))
        if noisy > 2.5:
            break
    return out, rng.random()


def zipped_in_a_loop(rng, queries, names):
    out = []
    for name, noisy in zip(names, (q + len(out) * rng.laplace() for q in queries)):
        out.append((name, noisy, rng.random()))
    return out, rng.random()


def first_that_is_large(rng, queries):
    return next(i for i, q in enumerate(queries) if q + rng.random() > 2.7)


def list_in_the_midst_of_what_extends(rng, queries):
    out = [0.0]
    out.extend(q + rng.random() for q in queries)
    return [out[-1], *(x + rng.random() for x in out)]
