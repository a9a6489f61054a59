"""Arrays whose length differs between runs, and selections by keys, places and parts.

No interpretation follows these.
"""


def removed_in_some_runs(rng, n):
    xs, gone = [rng.random(), 1.0, 2.0], 0
    while xs:
        if rng.random() < 0.5:
            xs.remove(max(xs))
        else:
            del xs[-1]
            gone += 1
        if rng.random() < 0.3:
            break
    return xs, gone


def popped_at_places(rng, queries):
    xs = list(queries)
    place = int(rng.integers(-5, 5))
    out = xs.pop(place)
    if out > 1:
        del xs[place // 2]
    return out, xs


def popped_beyond_the_end(rng, n):
    xs = [rng.random(), n, "x", None]
    del xs[int(rng.integers(-6, 6))]
    return xs
