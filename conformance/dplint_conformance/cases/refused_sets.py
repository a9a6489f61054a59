"""Sets that somebody else has, or whose order shows: a helper's, under a second name, as an argument, in a list."""


def _of_a_helper(queries, rng):
    return {q for q in queries if rng.random() < 0.5}


def set_of_a_helper(rng, queries):
    kept = _of_a_helper(queries, rng)
    return list(kept)


def set_in_a_list_that_is_kept(rng, queries):
    kept = {q for q in queries if rng.random() < 0.5}
    held = [kept]
    kept.add(7)
    return held


def set_as_a_list(rng, queries):
    kept = {q for q in queries if rng.random() < 0.5}
    return list(kept), kept


def set_that_may_be_frozen(rng, queries):
    kept = frozenset(q for q in queries if rng.random() < 0.5)
    return kept


def set_made_of_a_frozen_one(rng, queries):
    return frozenset(queries[:1]) | {q for q in queries if rng.random() < 0.5}
