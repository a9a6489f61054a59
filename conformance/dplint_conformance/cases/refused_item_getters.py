"""Items of `operator.itemgetter`. No interpretation follows these."""

import operator
from operator import itemgetter


def item_got_of_a_list(rng, queries):
    noisy = [q + rng.normal() for q in queries]
    return operator.itemgetter(0)(noisy), itemgetter(-1)(noisy), itemgetter(1, 0)(noisy)


def item_got_of_what_is_made_once(rng, queries):
    return itemgetter(0, 0)([rng.normal(), rng.normal()]), rng.random()


def item_got_of_a_dict(rng, names):
    table = {"a": rng.random(), "b": 2}
    return itemgetter("a")(table) + itemgetter("b")(table)


def item_got_that_is_missing(rng, queries):
    place = int(rng.integers(8))
    return itemgetter(place)(queries)


def item_got_of_each(rng, queries):
    pairs = [(q, rng.random()) for q in queries]
    return list(map(itemgetter(1), pairs)), [itemgetter(1, 0)(pair) for pair in pairs]


def item_got_in_a_branch(rng, queries):
    return itemgetter(0)(queries) if rng.random() < 0.5 else itemgetter(99)([])
