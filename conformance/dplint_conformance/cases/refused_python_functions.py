"""Builtins, the modules math and statistics, and methods of strings, lists and dicts.

No interpretation follows these.
"""


def list_sorted_in_place_downwards(rng, values):
    noisy = [(int(v + rng.laplace()), i) for i, v in enumerate(values)]
    noisy.sort(reverse=True)
    return noisy


def items_with_the_extreme_key(rng, names):
    noisy = [float(rng.integers(3)) for _ in names]
    pairs = [(value + float(rng.random()), name) for name, value in zip(names, noisy)]
    places = range(len(names))
    return (
        max(names, key=lambda name: noisy[names.index(name)]),
        min(places, key=noisy.__getitem__),
        max(pairs),
        sorted(pairs),
    )
