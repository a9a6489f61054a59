"""Items of `operator.itemgetter`."""

from operator import itemgetter


def item_got_as_a_key(rng, queries):
    pairs = [(q, rng.random()) for q in queries]
    place = int(rng.integers(2))
    return sorted(pairs, key=itemgetter(place)), max(pairs, key=itemgetter(0, 1)), min(pairs, key=itemgetter(-1))
