"""Calls and statements beyond the plainest: keys of sorts, pop, formats, shapes, starred lists, distributions.

No interpretation follows these.
"""


def sort_in_place_reversed_is_stable(rng, queries):
    noisy = [round(q + rng.laplace()) for q in queries]
    mixed = [n if n > 1 else float(n) for n in noisy]
    mixed.sort(reverse=True)
    return mixed


def sort_what_does_not_compare(rng, queries):
    items = [q if rng.random() < 0.9 else "x" for q in queries]
    items.sort(reverse=False)
    return items


def delete_an_item(rng, queries):
    out = list(queries)
    i = int(rng.integers(-2, 7))
    del out[i]
    return out
