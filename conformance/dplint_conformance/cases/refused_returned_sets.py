"""Sets that are returned, alone or beside other values. No interpretation follows these."""


def set_that_a_loop_fills(rng, queries):
    kept = set()
    for q in queries:
        noisy = round(q + rng.normal())
        if noisy > 0:
            kept.add(noisy)
    return kept


def set_beside_its_size(rng, queries):
    kept = set(place for place, q in enumerate(queries) if q + rng.laplace() > 1)
    return len(kept), kept, frozenset(kept), [kept, 1.5]


def set_of_texts_in_no_order(rng, queries):
    names = {"ab"[rng.integers(2)] + "xyz"[rng.integers(3)] for _ in queries}
    return names, frozenset({"a", "b"}) if rng.random() < 0.5 else frozenset()


def set_or_nothing(rng, queries):
    kept = {int(q) for q in queries if q + rng.normal() > 2}
    if not kept:
        return None
    return kept if rng.random() < 0.5 else kept | {-1}


def set_of_one_and_true(rng, queries):
    return {1, True, 0.0, False} if rng.random() < 0.5 else {True, 1.0, 2}


def set_of_several_types(rng, queries):
    kept = {1, "a", None} if rng.random() < 0.5 else {2.5, (1, "b")}
    return kept, 1


def set_of_what_is_in_both(rng, queries):
    one = {q for q in queries if rng.random() < 0.7}
    other = {q for q in queries if rng.random() < 0.7}
    return one & other, one - other, one ^ other, one | other


def one_set_or_the_other(rng, queries):
    one, other = {int(rng.integers(3)) for _ in queries}, {int(rng.integers(5)) for _ in queries}
    return one if len(one) < len(other) else (other, len(one))


def set_of_minus_zero(rng, queries):
    return {-0.0, 0} if rng.random() < 0.5 else {0.0 if rng.random() < 0.5 else -0.0}
