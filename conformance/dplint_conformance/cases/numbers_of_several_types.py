"""A variable that holds a number of Python in some runs, one of NumPy in others, and what is made of it."""

import math

import numpy as np


def largest_of_a_numpy_float_and_a_float(rng, n):
    x = max(np.float64(rng.normal()), 1e-9)
    return x, -x, x + 1, 2 * np.pi * x, 1 / x, x**2, x // 0.5, x % 0.25, x * np.float64(2), x > 0.5, np.log(x)


def smallest_of_an_integer_and_a_float(rng, n):
    x = min(int(rng.integers(-2, 3)), rng.normal())
    return x, -x, +x, x + 1, x * 2.0, x // 2, x % 3, abs(x), x < 0, x != 1, math.exp(x), np.exp(x), round(x), int(x)


def truth_or_number(rng, n):
    x = (rng.random() < 0.5) if rng.random() < 0.3 else int(rng.integers(0, 3)) if rng.random() < 0.5 else rng.normal()
    return x, -x, x + True, x - 1, x * 3, 7 - x, x / 2, x <= 1, not x, max(x, 1), np.abs(x), float(x)


def both_sides_of_several_types(rng, n):
    x, y = (np.float64(z) if rng.random() < 0.5 else z for z in (rng.normal(), rng.normal()))
    return x + y, x - y, x * y, x / y, x < y, x >= y, -x * -y, np.hypot(x, y), max(x, y)


def division_of_several_types_by_zero(rng, n):
    x = np.float64(rng.integers(0, 2)) if rng.random() < 0.5 else float(rng.integers(0, 2))
    return x, 1 / x


def remainder_of_several_types_by_zero(rng, n):
    x = rng.integers(0, 2) if rng.random() < 0.5 else int(rng.integers(0, 2))
    return x, 7 % x, 7 // x


def logarithm_of_several_types(rng, n):
    x = np.float64(rng.normal()) if rng.random() < 0.5 else int(rng.integers(-1, 3))
    return x, math.log(x)


def minus_a_number_or_none(rng, n):
    x = None if rng.random() < 0.5 else rng.normal() if rng.random() < 0.5 else 1
    return x, -x


def numbers_and_none_compared(rng, n):
    x = None if rng.random() < 0.5 else np.float64(rng.normal()) if rng.random() < 0.5 else 1
    return x == 1, x != 1, x is None, x == x


def a_number_or_none_is_larger(rng, n):
    x = None if rng.random() < 0.3 else np.float64(rng.normal()) if rng.random() < 0.5 else 1
    return x > 0.5


def a_number_or_a_text_repeated(rng, n):
    x = "ab" if rng.random() < 0.5 else 1.5 if rng.random() < 0.5 else 3
    return x, x * 2, x + x, f"{x}"


def numpy_truth_beside_python_truth(rng, n):
    x = np.bool_(rng.random() < 0.5) if rng.random() < 0.5 else rng.random() < 0.5
    return x, not x, x & True, x | False, x + 1, x == 1, int(x)


def minus_zero_of_several_types(rng, n):
    x = 0 if rng.random() < 0.3 else -0.0 if rng.random() < 0.5 else np.float64(0)
    return x, -x, +x, x + 0, x * -1, x == 0, abs(x)


def kept_apart_by_a_branch(rng, n):
    x = None if rng.random() < 0.5 else np.float64(rng.normal()) if rng.random() < 0.5 else 2
    if x is None:
        return -1
    y = x * 2
    return y + 1 if y > 0 else [y, -y, x / 2]


def summed_in_a_loop(rng, n):
    total = 0
    for value in (rng.normal(), int(rng.integers(0, 2)), np.float64(rng.normal())):
        total = max(total, value) + 1
    return total, total / 2, -total


def clamped_at_an_integer(rng, n):
    noisy = [max(rng.normal(), 0) for _ in range(4)]
    return sum(noisy), max(noisy), min(noisy), sorted(noisy), sorted(noisy, reverse=True), noisy.index(max(noisy))


def clamped_and_normalized(rng, n):
    noisy = [x if (x := np.float64(rng.normal())) > 0 else 0 for _ in range(3)]
    total = sum(noisy)
    return [x / total for x in noisy] if total else noisy


def sorted_with_zeros_of_both_kinds(rng, n):
    noisy = [0 if rng.random() < 0.3 else -0.0 if rng.random() < 0.3 else round(rng.normal()) / 2 for _ in range(5)]
    return sorted(noisy), sorted(noisy, reverse=True), max(noisy), min(noisy), sorted(noisy, key=abs)


def sorted_lists_of_several_lengths_and_types(rng, n):
    noisy = []
    for _ in range(int(rng.integers(0, 5))):
        noisy.append(max(round(rng.normal(), 1), 0))
    return sorted(noisy), sorted(noisy, reverse=True), sum(noisy), max(noisy, default=None)


def kept_as_integers_or_floats(rng, n):
    noisy = [int(x) if (x := rng.normal(0, 3)) > 1 else x for _ in range(4)]
    return sum(noisy), sum(noisy) / 4, max(noisy) - min(noisy), sorted(noisy)[1:3], np.mean(noisy), np.sort(noisy)


def large_integers_beside_floats(rng, n):
    x = 2**53 - int(rng.integers(0, 3)) if rng.random() < 0.5 else rng.normal()
    return x + 1, x + 2, x * 2, x - 1, 2 * x + 1, -x, x / 3, x > 2**53 - 1, max(x, 0.5), sum([x, 1, x])


def integers_that_grow_beside_floats(rng, n):
    x = int(rng.integers(1, 10)) if rng.random() < 0.7 else 0.5
    for _ in range(4):
        x = x * 10**5 + 1
    return x


def truth_values_beside_integers(rng, n):
    x = (rng.random() < 0.5) if rng.random() < 0.5 else int(rng.integers(-1, 2))
    y = np.bool_(rng.random() < 0.5) if rng.random() < 0.5 else np.int64(rng.integers(-1, 2))
    return x + 1, x * x, x - 0.5, x / 2, y + 1, y * 2.0, y / 2, x < y, x == y, x + y, sum([x, x, 1])
