"""What no evaluator understands, where no run comes to it; and calls of `logging`, which are left out."""

import logging

DEBUG = False
LOG = logging.getLogger(__name__)


class _TooMany(Exception):
    """Not one that programs know, for it has something of its own."""

    most = 100


def opaque_after_return(rng, queries):
    if rng.random() < 0.5:
        return 1
    else:
        return queries[0]
    return {queries}


def opaque_after_break(rng, queries):
    total = 0
    for q in queries:
        total += q
        if rng.random() < 0.3:
            break
            total = {total}
    return total


def opaque_under_a_constant(rng, queries):
    if DEBUG and len(queries) > 3:
        try:
            return queries[5]
        except IndexError:
            return {1, 2}
    return rng.normal(queries[0])


def opaque_helper_that_nobody_calls(rng, queries):
    if DEBUG:
        return _opaque(queries)
    return rng.normal(queries[0])


def opaque_error_in_a_guard(rng, queries):
    if len(queries) > 100:
        raise _TooMany(f"{len(queries)=}")
    return rng.laplace(queries[0])


def opaque_operand(rng, queries):
    return (queries[0] > 1e9 and queries[0] in {1, 2}) or rng.random()


def opaque_side(rng, queries):
    return rng.random() if len(queries) < 100 else {1}


def opaque_condition_of_a_comprehension(rng, queries):
    return [q + rng.normal() for q in queries if q > -1 or q in {7}]


def opaque_in_a_helper(rng, queries):
    return _guarded(rng.laplace(), 5)


def logging_in_a_loop(rng, queries):
    noisy = []
    for q in queries:
        noisy.append(q + rng.laplace())
        LOG.debug("%s is now %s", q, noisy)
    return noisy


def logging_of_a_draw(rng, queries):
    LOG.debug(rng.random())
    return rng.random()


def logging_of_what_raises(rng, queries):
    if rng.random() < 0.5:
        LOG.debug(queries[99])
    return 1


def logging_of_what_is_not_assigned(rng, queries):
    if rng.random() < 0.5:
        noisy = 2
    LOG.debug("so far", [1, noisy])
    return 1


def logging_of_f_strings(rng, queries):
    x = rng.laplace()
    LOG.debug(f"{x} of {len(queries)}")
    logging.debug("done")
    return x


def logging_by_level(rng, queries):
    LOG.log(logging.DEBUG, "of %d", len(queries))
    LOG.log(10, "drew %s", rng.random())
    return rng.random()


def logging_with_keywords(rng, queries):
    LOG.debug("of %d", len(queries), extra={"noisy": rng.random()}, exc_info=False, stacklevel=2)
    return rng.random()


def logging_by_a_local_logger(rng, queries):
    log = logging.getLogger("cases")
    x = rng.laplace()
    log.debug("drew %s", x)
    return x


def local_function_that_nobody_calls(rng, queries):
    def each(most=3):
        yield from queries[:most]

    pick = lambda q: q.frob
    return rng.laplace(queries[0])


def local_function_that_is_called_at_times(rng, queries):
    def each():
        yield from queries

    if len(queries) > 100:
        return sum(each())
    return rng.laplace(queries[0])


def local_function_that_calls_an_unknown_one(rng, queries):
    pick = lambda q: (yield q)
    other = lambda q: pick(q)
    if len(queries) > 100:
        return other(1)
    return rng.random()


def _opaque(queries):
    return {queries}


def _guarded(x, most):
    if most < 1:
        raise _TooMany
    return min(x, most)
