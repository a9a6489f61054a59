"""What logs, catches or makes functions, and does something else besides. No interpretation follows these."""

import itertools
import logging
from operator import itemgetter

LOG = logging.getLogger(__name__)


def logging_that_raises_for_its_level(rng, queries):
    if rng.random() < 0.5:
        LOG.log("high", "of %d", len(queries))
    return 1


def logging_that_raises_for_its_extra(rng, queries):
    if rng.random() < 0.5:
        LOG.warning("of %d", len(queries), extra={"name": 1})
    return 1


def local_function_whose_making_raises(rng, queries):
    if rng.random() < 0.5:

        def each(most=queries[99]):
            yield most

    return 1


def yields_one_list_again_and_again(rng, queries):
    row = []
    for q in queries:
        row.append(q + rng.random())
        yield row


def yields_and_stops(rng, queries):
    yield rng.random()
    if rng.random() < 0.5:
        raise StopIteration
    yield 2


def yields_and_is_sent_nothing(rng, queries):
    sent = yield rng.random()
    yield sent


def start_of_a_sum_is_drawn_before_its_items(rng, queries):
    return sum((q + rng.random() for q in queries), rng.normal())


def reverse_is_drawn_before_what_is_sorted(rng, queries):
    return sorted((q + rng.normal() for q in queries), reverse=rng.random() < 0.5)


def default_is_drawn_before_the_items(rng, queries):
    return max((q + rng.normal() for q in queries), default=rng.random())


def generator_used_up_after_a_change(rng, queries):
    rows = [1, 2]
    noisy = (x + rng.random() for x in rows)
    rows.append(3)
    return list(noisy)


def generator_used_twice(rng, queries):
    noisy = (x + rng.random() for x in queries)
    return sum(noisy), sum(noisy)


def generator_used_in_turns(rng, queries):
    noisy = (x + rng.random() for x in queries)
    return [sum(noisy) for q in queries]


def key_whose_place_is_drawn_once(rng, queries):
    pairs = [(q, rng.random()) for q in queries]
    return sorted(pairs, key=itemgetter(int(rng.integers(2))))


def key_that_looks_into_what_is_drawn_once(rng, queries):
    return sorted(range(3), key=[rng.random() for _ in range(3)].__getitem__)


def key_that_gets_from_what_a_helper_draws(rng, queries):
    return sorted(range(3), key=_drawn(rng).get)


def _drawn(rng):
    return {0: rng.random(), 1: rng.random(), 2: rng.random()}


def _first_large(rng, values):
    return next(v for v in values if v + rng.random() > 3.5)


def next_of_nothing_within_a_generator(rng, queries):
    return sum(_first_large(rng, queries) for _ in range(2))


def next_of_nothing_within_a_map(rng, queries):
    return list(map(lambda q: next(p for p in queries if p > q + rng.random()), queries)), rng.random()


def next_of_nothing_within_next(rng, queries):
    return next(next(p for p in queries if p > q + 3 * rng.random()) for q in queries)


def recursion_of_a_function_made_in_a_branch(rng, queries):
    if queries:

        def down(k):
            return rng.random() if k <= 0 else down(k - 1)

        return down(2)
    return None


def recursion_that_changes_what_is_around_it(rng, queries):
    found = []

    def down(k):
        found.append(rng.random())
        if k > 0:
            down(k - 1)

    down(2)
    return found


def text_of_what_python_raises(rng, queries):
    try:
        if rng.random() < 0.5:
            raise ZeroDivisionError("own")
        return 1 / round(rng.random())
    except ZeroDivisionError as error:
        return str(error)


def text_behind_an_inner_handler(rng, queries):
    try:
        try:
            raise ValueError("inner")
        except ValueError:
            x = rng.random()
        if x < 0.5:
            raise ValueError("outer")
        return float("x")
    except ValueError as error:
        return str(error)


def text_of_the_turn_before(rng, queries):
    found = []
    for q in queries:
        try:
            if q == 1.0:
                raise ZeroDivisionError("own")
            found.append(rng.random() / (q - 2.0))
        except ZeroDivisionError as error:
            found.append(str(error))
    return found


def start_that_is_drawn_before_what_is_taken(rng, queries):
    return sum(itertools.takewhile(lambda q: q > rng.normal(), queries), rng.random())


def functions_that_call_each_other_without_an_end(rng, queries):
    def down(n):
        return up(n - 1) if n > 0 else rng.random()

    def up(n):
        return down(n - 1)

    return down(100)


def ring_whose_list_is_given_later(rng, queries):
    def down(n):
        return up(n - 1) if n > 0 else later

    def up(n):
        return down(n - 1)

    if rng.random() < 0.5:
        later = 1
    return down(2)
