"""Of many pairs, those on which the function does something new are tried."""

from dplint.claims import Pair
from dplint.inputs.novelty import MOST, Seen, key, most_promising


def pair(a, b, pattern="p"):
    return Pair(a, b, pattern, 1)


def seen(lines=(1, 2), draws=None, shape="Leaf()", numbers=(0.0,)):
    return Seen(frozenset(lines), draws or {"f:3:laplace": (1, 1.0, 1.0)}, shape, tuple(numbers))


def chosen(pairs, known, by_data):
    return most_promising(pairs, known, {key(data): one for data, one in by_data.items()})


def test_a_line_that_nobody_has_taken_comes_first():
    """The pair with the line on one side alone before the one with it on both."""
    by_data = {0: seen(), 1: seen(), 65: seen((1, 7)), 66: seen(), 67: seen((1, 7))}
    pairs = [pair(0, 66), pair(65, 67), pair(66, 65), pair(65, 66)]

    found = chosen(pairs, [pair(0, 1)], by_data)

    assert found[:2] == [pair(66, 65), pair(65, 67)]
    assert pair(65, 66) not in found, "each in one order"


def test_a_line_that_the_patterns_take_is_not_new():
    by_data = {0: seen(), 1: seen((1, 7)), 65: seen((1, 7)), 66: seen()}
    plain = [pair(66, 65, "kind"), pair(66, 0, "kind")]

    assert chosen(plain, [pair(0, 1)], by_data) == [pair(66, 65, "kind")], "the first of its kind, and nothing else"


def test_an_exception_or_other_noise_on_one_side_is_worth_runs():
    raises, quiet = seen(shape="Raised('ValueError')"), seen(draws={"f:3:laplace": (1, 0.1, 0.1)})
    by_data = {0: seen(), 1: seen(), 2: raises, 3: quiet, 4: seen(), 5: seen()}
    pairs = [pair(0, 4), pair(0, 5), pair(0, 2), pair(0, 3)]

    assert set(map(repr, chosen(pairs, [pair(0, 1)], by_data)[:2])) == {repr(pair(0, 2)), repr(pair(0, 3))}


def test_a_larger_step_in_units_of_the_noise_is_worth_runs():
    small = {"f:3:laplace": (1, 0.01, 0.01)}
    by_data = {
        0: seen(), 1: seen(numbers=(5.0,)), 2: seen(numbers=(6.0,)), 3: seen(numbers=(1.0,), draws=small),
        4: seen(draws=small),
    }  # fmt: skip
    pairs = [pair(0, 1, "same"), pair(0, 2, "same"), pair(4, 3, "same")]

    found = chosen(pairs, [pair(0, 1)], by_data)

    assert found[:2] == [pair(4, 3, "same"), pair(0, 2, "same")], "1 / 0.01 before 6, and 5 is known"


def test_data_that_was_not_seen_is_left_out_and_there_are_never_many():
    by_data = {n: seen((n,)) for n in range(100)}
    pairs = [pair(n, n + 1, f"kind {n}") for n in range(200)]

    found = chosen(pairs, [], by_data)

    assert 0 < len(found) <= MOST
    assert all(p.d2 < 100 for p in found)
