"""Where numbers of NumPy and Python differ: division, rounding, size, truth values, NaN and minus zero."""

import math

import numpy as np


def floor_division_of_negatives(rng, n):
    a, b = int(rng.integers(-9, 10)), int(rng.integers(1, 5)) * (1 if rng.random() < 0.5 else -1)
    return a // b, a % b, a // float(b), a % float(b), (a / 2) // b, (a / 2) % b, -a // b, -(a // b)


def floor_division_of_floats(rng, n):
    x, y = rng.normal(0, 5), rng.normal(0, 2)
    return x // y, x % y, x // 1, x % 1, (-x) % 1.0, x // math.inf, x % math.inf, 0.0 % y, -0.0 // y


def remainder_has_the_sign_of_the_divisor(rng, n):
    x = -1e-20 if rng.random() < 0.5 else 1e-20
    return x % 1.0, x // 1.0, -x % -3, 6.0 % (3 if x > 0 else -3), np.float64(x) % 1.0


def true_division_of_integers(rng, n):
    a, b = int(rng.integers(0, 10**18)), int(rng.integers(1, 10))
    return a / b, b / a if a else 0, (a * 10**10) / b, 7 / 2, 4 / 2, -a / b


def true_division_of_huge_integers(rng, n):
    a = int(rng.integers(1, 9)) * 10**200
    return a / 10**199, (a + 1) / 3**300, a // 10**198


def division_by_zero_of_floats(rng, n):
    zero = float(rng.integers(0, 2))
    return 1.0 / zero


def division_by_zero_of_numpy_numbers(rng, n):
    zero = np.float64(rng.integers(0, 2))
    return 1.0 / zero, -1 // zero, 1 % zero, 0.0 / zero, np.float64(-3.0) / zero


def division_by_zero_of_numpy_scalars(rng, n):
    zero = rng.integers(0, 2)
    return 7 // zero, 7 % zero, 7 / zero, rng.integers(5) // zero, 0.0 // zero


def floor_division_of_a_float_by_zero(rng, n):
    return 1.5 // int(rng.integers(0, 2))


def rounding_half_to_even(rng, n):
    x = int(rng.integers(-9, 10)) + 0.5
    return round(x), int(x), math.floor(x), np.round(x), int(np.round(x)), round(x / 10, 1), np.round(x / 10, 1)


def rounding_of_numpy_numbers(rng, n):
    x = np.float64(rng.normal(0, 10))
    return round(x), round(x, 1), round(x, -1), round(rng.integers(0, 30), -1), round(rng.integers(5))


def rounding_that_differs_from_numpy(rng, n):
    x = 5.015 if rng.random() < 0.5 else 2.675
    return round(x, 2), np.round(x, 2), round(x * 100) / 100, round(np.float64(x), 2)


def integers_beyond_64_bits(rng, n):
    x = int(rng.integers(1, 2**62))
    return x * 4, x * x, x + 2**63, -x * 8, 2**64 - x, x * 2**70 // 2**69, (x * 4) % 1000, x**3


def integers_beyond_64_bits_in_some_runs(rng, n):
    x = 2 ** int(rng.integers(55, 70))
    return x, x + 1, x // 3, x % 7, x > 2**63, float(x), [x], x * 1.0


def integers_grow_in_a_loop(rng, n):
    x = 1
    while rng.random() < 0.97 and x < 2**90:
        x *= 3
    return x, x % 10


def integers_that_come_back(rng, n):
    x = int(rng.integers(1, 2**40)) ** 2
    return x // 2**50, x % 2**20, (x - x // 2) > 0, min(x, 10), int(x / 2**60)


def integers_at_the_edge(rng, n):
    x = -(2**63) + int(rng.integers(0, 2))
    return x, -x, abs(x), x - 1, x // -1, x * -1, x + 1


def sums_beyond_64_bits(rng, n):
    items = [2**62 + int(rng.integers(3)) for _ in range(int(rng.integers(1, 5)))]
    return sum(items), max(items), sum(items) / len(items), sorted(items)


def numpy_scalars_wrap(rng, n):
    x = rng.integers(2**61, 2**62)
    return x + x + x, x * 4, -x * 2, x * x


def numpy_scalars_with_python_integers(rng, n):
    x = rng.integers(1, 9)
    return x + 1, 10**18 * x, 2**x, x / 3, x // 2, -x // 2, x**2, int(x) * 10**19


def numpy_scalar_negative_power(rng, n):
    x = rng.integers(-2, 3)
    return 2**x


def numpy_scalar_meets_a_huge_one(rng, n):
    x = rng.integers(3)
    return x if x == 0 else x + 2**64


def python_power(rng, n):
    x = int(rng.integers(-3, 4))
    return 2**x, (-2) ** x, 2.0**x, (x + 5) ** 2, (x + 5) ** 0.5, 10 ** (x + 5), (-1) ** x


def power_gives_complex(rng, n):
    x = int(rng.integers(-2, 3))
    y = x**0.5
    return y if x >= 0 else None


def power_overflows(rng, n):
    return 10.0 ** int(rng.integers(300, 312))


def float_overflows_to_infinity(rng, n):
    x = 1e308 * rng.integers(1, 4)
    y = 1e308 * float(rng.integers(1, 4))
    return x, y, y - y, -y, y > 1e308


def integer_too_large_for_a_float(rng, n):
    return float(10 ** int(rng.integers(305, 312)))


def comparison_of_huge_integers_with_floats(rng, n):
    x = 2**53 + int(rng.integers(0, 3))
    return x == 2.0**53, x > 2.0**53, x == float(x), float(x), x < 9007199254740993.0, x + 0.5


def integers_and_floats_are_equal(rng, n):
    x = int(rng.integers(0, 3))
    y = float(x)
    return (
        x == y,
        [x] == [y],
        (x, 1) == (y, True),
        x in [0.0, 1.0],
        [y].index(x),
        [x, y].count(1),
        x is None,
        {1: "a"}.get(y),
    )


def bools_are_integers(rng, n):
    a, b = rng.random() < 0.5, rng.random() < 0.5
    return (
        a + b,
        a * 3,
        a - b,
        -a,
        a / 2,
        a // 1,
        a < b,
        a == 1,
        sum([a, b]),
        [10, 20][a],
        max(a, b),
        a & b,
        a | b,
        a ^ b,
    )


def bools_inverted(rng, n):
    a = rng.random() < 0.5
    b = rng.random(1)[0] < 0.5
    return not a, ~(a + 0), a ^ True, not b, ~b, a and 1, int(a) - 1


def numpy_bools(rng, n):
    a, b = np.float64(rng.random()) < 0.5, np.float64(rng.random()) < 0.5
    return a + b, a & b, a == True, int(a) + int(b), a * 2, a and b, a or 0, not a, sum([a, b])


def numpy_bools_subtracted(rng, n):
    a = np.array([rng.random() < 0.5, True])
    return a[1] - (a[0] if a[0] else 1)


def numpy_bools_negated(rng, n):
    return -(np.float64(rng.random()) < 2) if rng.random() < 0.5 else 1


def bool_as_an_index(rng, queries):
    flag = rng.random() < 0.5
    return queries[flag], "ab"[flag], (1, 2)[not flag], [queries, 0][flag]


def numpy_bool_as_an_index(rng, queries):
    flag = rng.random(1)[0] < 0.5
    if rng.random() < 0.5:
        return ("yes", "no")[int(flag)], np.array([1, 2])[int(flag)]
    return [1, 2][flag]


def array_indexed_by_a_bool(rng, queries):
    flag = rng.random() < 0.5
    return np.array([1.0, 2.0])[flag]


def negative_indices(rng, queries):
    i = int(rng.integers(-5, 5))
    return queries[i], queries[i:], queries[:i], queries[-1], np.array(queries)[i], "abcde"[i], (1, 2, 3, 4, 5)[i]


def index_past_zero_wraps(rng, queries):
    i = int(rng.integers(0, 3))
    return queries[i - 1], queries[i - 2 : i], queries[i - 1 : i + 1]


def negative_zero(rng, n):
    x = -0.0 if rng.random() < 0.5 else 0.0
    return (
        x,
        x == 0,
        -x,
        x + 0.0,
        x * -1,
        abs(x),
        max(x, 0),
        max(0, x),
        min(0.0, x),
        round(x),
        str(x),
        math.copysign(1, x),
    )


def negative_zero_in_sums(rng, n):
    x = -0.0 if rng.random() < 0.5 else 0.0
    return sum([x]), sum([x, x]), x + x, x - x, np.sum([x]), [x] == [0.0], int(x), x or "falsy"


def nan_in_comparisons(rng, n):
    x = math.nan if rng.random() < 0.5 else 1.0
    return x == x, x != x, x < 1, x >= 1, not x, x is None, x == 1.0, (x > 0) == (x <= 0)


def nan_in_extremes(rng, queries):
    x = math.nan if rng.random() < 0.5 else 5.0
    return max(x, 1.0), max(1.0, x), min(x, 1.0), min(1.0, x), max([2.0, x, 3.0]), np.max([2.0, x]), np.maximum(x, 1.0)


def nan_in_sorting(rng, queries):
    x = math.nan if rng.random() < 0.5 else 2.5
    return (
        sorted([3.0, x, 1.0]),
        np.sort([3.0, x, 1.0]),
        sorted([x, 2.0], reverse=True),
        np.argmax([1.0, x]),
        np.argmin([x, 1.0]),
    )


def nan_in_lists(rng, n):
    x = math.nan if rng.random() < 0.5 else 1.0
    return x, [x] == [x], (x, 1) == (x, 1), [x, x].count(x), x in (x,), [x] < [x, 1]


def nan_and_membership(rng, n):
    x = float("nan") if rng.random() < 0.5 else 1.0
    return 1.0 in [x], x in [1.0, 2.0], [x, 1.0].count(1.0), [x, 1.0].index(1.0)


def nan_in_clipping(rng, n):
    x = math.nan if rng.random() < 0.5 else 0.5
    return min(max(x, 0.0), 1.0), max(min(x, 1.0), 0.0), np.clip(x, 0, 1), max(0.0, min(1.0, x))


def first_of_equals_is_kept(rng, n):
    x = int(rng.integers(0, 3))
    return max(1, x / 1), max(x / 1, 1), min(True, x), max([1, 1.0, True]), sorted([1.0, x, True]), np.argmax([x, 1, 1])
