"""Items taken at places that a run draws: from tables of one type or several, long ones, and arrays in order or not."""

import numpy as np

WORDS = ["low", "middle", "high"]
MIXED = (0, 1.5, None, True, "x")
PAIRS = [(1, "a"), (2, "b"), (3, "c")]
ROWS = ((1,), (2, 3), ())
LONG = [number * number for number in range(100)]


def words_at_a_place(rng, n):
    place = rng.integers(0, 3)
    word = WORDS[place]
    return word, str(word), f"{word}!", WORDS[place - 3], len(word)


def scalars_of_several_types_at_a_place(rng, n):
    return [MIXED[rng.integers(0, 5)] for _ in range(4)]


def pairs_at_a_place(rng, n):
    number, letter = PAIRS[rng.integers(0, 3)]
    return number, letter, PAIRS[rng.integers(-3, 0)]


def rows_at_a_place(rng, n):
    row = ROWS[rng.integers(0, 3)]
    found = list(row)
    found.append(rng.integers(0, 2))
    lists = [[1], [2, 3], []]
    return row, len(row), found, list(lists[rng.integers(0, 3)]), lists


def places_beyond_the_end(rng, n):
    return WORDS[rng.integers(0, 4)]


def long_table(rng, n):
    return LONG[rng.integers(0, 100)], LONG[-rng.integers(1, 101)], LONG[rng.integers(90, 105)]


def numbers_too_large_for_arrays(rng, n):
    return [2**70, 1, -(2**63)][rng.integers(0, 3)]


def items_drawn_before(rng, queries):
    noisy = [q + rng.normal() for q in queries]
    return noisy[rng.integers(0, 5)], noisy[rng.integers(-5, 0)], noisy[rng.integers(0, 6)]


def items_of_many_that_were_drawn(rng, n):
    noisy = [rng.normal() for _ in range(12)]
    return noisy[rng.integers(0, 12)], noisy[3 * rng.integers(0, 4)]


def words_by_choice(rng, names):
    word = rng.choice(names)
    return str(word), f"<{word}>", str(rng.choice(names, p=[0.5, 0.25, 0.25]))


def places_in_sums(rng, queries):
    sums = np.cumsum(np.array(queries) * rng.random(5) + rng.random(5))
    return (
        int(np.searchsorted(sums, sums[-1] / 2)),
        np.searchsorted(sums, 2.0),
        np.searchsorted(sums, sums[2], side="right"),
        np.searchsorted(sums, sums[2]),
        sums.searchsorted(rng.random()),
    )


def places_among_equal_numbers(rng, n):
    counts = np.sort(rng.integers(0, 3, size=6))
    return np.searchsorted(counts, 1), np.searchsorted(counts, 1, side="right"), np.searchsorted(counts, 0.5)


def places_in_what_has_no_order(rng, n):
    noisy = rng.normal(size=4)
    return np.searchsorted(noisy, 0.0), np.searchsorted(noisy, noisy[1], side="right")


def places_of_no_number(rng, n):
    sums = np.array([0.0, 1.0, float("nan") if rng.random() < 0.5 else 2.0])
    return np.searchsorted(sums, 5.0), np.searchsorted(sums, float("nan") if rng.random() < 0.5 else 0.5)
