"""Sets that are returned, alone or beside other values."""


def set_of_the_large_ones(rng, queries):
    return {place for place, q in enumerate(queries) if q + rng.laplace() > 1}


def set_of_noise(rng, queries):
    return {q + rng.normal() for q in queries if rng.random() < 0.5}


def set_that_is_nan(rng, queries):
    return {float("nan") if rng.random() < 0.5 else 1.0, 0.5}


def set_of_lists(rng, queries):
    return {[1] if rng.random() < 0.5 else 2}
