"""Arrays whose length differs between runs, and selections by keys, places and parts."""

import math

import numpy as np


def _noise(rng, size=6):
    """With ties, and zeros of both signs."""
    return np.round(rng.normal(0, 1, size=size)) * 0.5


def _with_odd_ones(rng, size=6):
    odd = np.nan if rng.random() < 0.3 else np.inf if rng.random() < 0.5 else -0.0
    return np.where(np.arange(size) == 0, odd, _noise(rng, size))


def kept_as_arrays(rng, n):
    noisy = _noise(rng)
    return noisy[noisy > 0]


def kept_as_lists(rng, n):
    noisy = _with_odd_ones(rng)
    inside = (noisy >= -0.5) & (noisy <= 1)
    return noisy[inside].tolist(), int(inside.sum()), len(noisy[~inside])


def kept_of_integers_and_bools(rng, n):
    counts = np.array([n, 0, 1, 2]) + rng.integers(-2, 3, size=4)
    odd = counts % 2 == 1
    return counts[odd], odd[counts > 1], counts[counts > 100]


def kept_of_what_is_the_same(rng, values):
    data = np.asarray(values)
    return data[rng.random(len(values)) < 0.5], data[data > 0]


def numbers_of_what_is_kept(rng, n):
    noisy = _with_odd_ones(rng)
    kept = noisy[noisy > -1]
    if len(kept) == 0:
        return None
    return kept.sum(), kept.mean(), kept.max(), np.min(kept), float(np.sum(kept)), kept.size, kept[0], kept[-1]


def extremes_of_nothing(rng, n):
    noisy = _noise(rng, 2)
    return noisy[noisy > 0].max()


def a_place_that_is_missing(rng, n):
    noisy = _noise(rng, 3)
    return noisy[noisy > 0][1], rng.random()


def arithmetic_on_what_is_kept(rng, n):
    noisy = _with_odd_ones(rng)
    kept = noisy[noisy != 0]
    return kept + 1, 2 / kept, -kept, kept * kept, kept > rng.random(), np.abs(kept), kept - kept.sum()


def arithmetic_on_several_lengths(rng, n):
    noisy = _noise(rng, 3)
    return noisy[noisy > 0] + noisy[noisy < 0]


def chosen_twice(rng, n):
    noisy = _noise(rng)
    kept = noisy[noisy > -1]
    return kept[kept < 1], kept[:2], kept[1:], np.sort(kept), np.cumsum(kept)


def loops_over_what_is_kept(rng, n):
    noisy = _noise(rng)
    total = 0
    for place, value in enumerate(noisy[noisy > 0]):
        total += place * value
        if total > 3:
            break
    return total, [value * 2 for value in noisy[noisy < 0]], any(noisy[noisy > 0] > 1), sorted(noisy[noisy > 0])


def kept_on_one_side_of_an_if(rng, n):
    noisy = _noise(rng)
    if noisy[0] > 0:
        found = noisy[noisy > 0]
    else:
        found = noisy[1:]
    return found, len(found)


def kept_in_some_turns(rng, n):
    found = np.zeros(0)
    for _ in range(3):
        noisy = _noise(rng, 3)
        if noisy[0] > 0:
            found = noisy[noisy > 0]
            if len(found) == 2:
                break
    return found


def places_that_are_true(rng, n):
    noisy = _with_odd_ones(rng)
    return (
        np.flatnonzero(noisy > 0),
        np.flatnonzero(noisy).tolist(),
        np.nonzero(noisy < 0)[0],
        np.where(noisy == 0)[0],
        len(np.where(noisy > 1)[0]),
    )


def partitions(rng, n):
    noisy = _with_odd_ones(rng)
    return (
        np.argpartition(noisy, 2),
        np.argpartition(-noisy, 1)[:2].tolist(),
        np.argpartition(noisy, -2)[-2:],
        np.partition(noisy, 3),
        noisy.argpartition(0),
        np.argpartition(noisy, (1, 3)),
    )


def orders_with_ties_in_some_runs(rng, counts):
    noisy = np.asarray(counts, dtype=float) + rng.integers(-1, 2, size=len(counts))
    if rng.random() < 0.3:
        noisy = np.where(noisy > 3, np.nan, noisy)
    return np.argsort(noisy), np.argsort(-noisy, kind="stable"), noisy.argsort(kind="quicksort")[:2], np.argmax(noisy)


def partitions_of_integers(rng, counts):
    noisy = np.asarray(counts) + rng.integers(-1, 2, size=len(counts))
    return np.argpartition(noisy, kth=1), sorted(np.partition(noisy, 1)[:2].tolist())


def a_partition_beyond_the_end(rng, n):
    noisy = _noise(rng, 3)
    return noisy.tolist() if noisy[0] > 0 else np.argpartition(noisy, 3)


def extremes_by_ranges(rng, queries):
    noisy = [round(query + rng.normal(), 0) for query in queries]
    return (
        max(range(len(noisy)), key=noisy.__getitem__),
        min(range(1, len(noisy)), key=lambda place: -noisy[place]),
        sorted(range(len(noisy)), key=noisy.__getitem__),
        max(range(len(noisy)), key=lambda place: (noisy[place] > 1, -place)),
    )


def extremes_by_ranges_of_odd_ones(rng, n):
    noisy = _with_odd_ones(rng, 4).tolist()
    return max(range(4), key=noisy.__getitem__), min("abcd", key=lambda one: noisy["abcd".index(one)])


def pairs_with_what_is_the_same(rng, queries):
    noisy = [query + rng.normal() for query in queries]
    named = dict(zip("abcde", noisy))
    return list(zip(range(9), noisy)), named, [a - b for a, b in zip(np.asarray(queries), noisy)]


def taken_out_in_turn(rng, values):
    left, taken = list(range(len(values))), []
    for _ in range(3):
        scores = [values[i] + round(rng.normal(), 0) for i in left]
        best = left[scores.index(max(scores))]
        left.remove(best)
        taken.append(best)
    return taken, left


def removed_that_may_be_missing(rng, n):
    xs = [0, 1, True, 2.0, 1]
    xs.remove(int(rng.integers(0, 4)))
    return xs


def items_of_several_types(rng, n):
    place = int(rng.integers(-4, 5))
    return [1, 2.5, True, None][place], [0.0, -0.0, math.inf, 4.0, 5.0][place], (1, 2, 3, 4, 2**60)[place]


def items_that_differ(rng, queries):
    noisy = [query + rng.normal() for query in queries]
    return noisy[int(rng.integers(-5, 5))], noisy[int(rng.integers(3, 7))]
