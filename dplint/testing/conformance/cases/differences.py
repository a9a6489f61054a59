"""Where NumPy, Python and arithmetic on arrays differ."""

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


def division_by_zero_of_numpy_integers(rng, n):
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


def numpy_integers_wrap(rng, n):
    x = rng.integers(2**61, 2**62)
    return x + x + x, x * 4, -x * 2, x * x


def numpy_integers_with_python_integers(rng, n):
    x = rng.integers(1, 9)
    return x + 1, 10**18 * x, 2**x, x / 3, x // 2, -x // 2, x**2, int(x) * 10**19


def numpy_integer_negative_power(rng, n):
    x = rng.integers(-2, 3)
    return 2**x


def numpy_integer_meets_a_huge_one(rng, n):
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


def truth_of_containers(rng, queries):
    kept = [q for q in queries if rng.random() < 0.25]
    t = tuple(kept)
    return "some" if kept else "none", not t, bool(kept), kept and kept[0], kept or "empty", not kept and True


def truth_of_numbers(rng, n):
    x = rng.integers(-1, 2)
    y = float(x)
    return (1 if x else 0), (1 if y else 0), not x, bool(-0.0), bool(math.nan), x or "zero", y and "nonzero"


def truth_of_a_short_array(rng, n):
    a = rng.integers(0, 2, size=1)
    return "yes" if a else "no", not a, bool(a > 0)


def none_and_missing_values(rng, queries):
    x = None if rng.random() < 0.5 else 0
    return x is None, x is not None, x == None, not x, x or "default", [x] == [None], x in (None, 1), (x, 1) == (0, 1)


def strings_and_numbers_are_not_equal(rng, n):
    x = "1" if rng.random() < 0.5 else 1
    return x == 1, x == "1", x in ["1"], x != 1, [x].count(1), str(x) == "1"


def texts_of_numbers_differ(rng, n):
    x = rng.random() < 0.5
    y = 1 if x else 1.0
    return str(y), f"{y}", str(y == 1), str(1e16 * y), str(1e-5 * y), str(y / 3), str(10**20 * y)


def text_of_numpy_numbers(rng, n):
    x = rng.integers(3)
    y = np.float64(x) / 2
    return str(x), f"{x}", str(y), f"{y}", f"{[int(x)]}"


def chained_comparisons_evaluate_once(rng, n):
    ordered = 0.2 < rng.random() < 0.8
    other = 0 <= rng.integers(-1, 2) <= 0 == False
    return ordered, other, 1 < 2 < 3 != 4, rng.random()


def short_circuits_draw(rng, n):
    a = rng.random() < 0.5 and rng.random() < 0.5
    b = rng.random() < 0.5 or rng.random() < 0.5
    c = (rng.random() if a else 2) if b else rng.integers(3)
    return a, b, c, rng.random()


def order_of_evaluation(rng, n):
    out = [rng.random(), rng.random()]
    t = (rng.random(), out[0] - rng.random())
    return (
        rng.random() - rng.random() * rng.random(),
        t,
        {"a": rng.random(), "b": rng.random()},
        out[int(rng.random() < 0.5)],
    )


def order_of_evaluation_in_assignments(rng, n):
    out = [0, 0, 0]
    out[rng.integers(3)] = rng.random()
    out[rng.integers(3)] += rng.random()
    a, out[rng.integers(3)] = rng.random(), rng.random()
    return a, out


def order_of_evaluation_in_calls(rng, n):
    return _minus(rng.random(), y=rng.random()), _minus(y=rng.random(), x=rng.random()), max(rng.random(), rng.random())


def _minus(x, y):
    return x - y


def order_of_draws_in_parameters(rng, n):
    return rng.normal(rng.random(), rng.random()), rng.laplace(scale=rng.random(), loc=rng.random()), rng.random()


def sum_goes_from_left_to_right(rng, n):
    a = [1e16, 1.0, -1e16, rng.random()]
    return sum(a), a[0] + a[1] + a[2] + a[3], sum(a[::-1]), np.sum(a[:2])


def products_and_sums_are_not_fused(rng, n):
    x, y, z = rng.normal(), rng.normal(), rng.normal()
    return x * y + z, x * y - x * y, (x + y) + z, x + (y + z), x * x - y * y, x / y * y, x * (1 / y)


def floats_print_and_compare_exactly(rng, n):
    x = rng.random()
    return x * 3 == x + x + x, 0.1 + 0.2 == 0.3, x / 3 * 3 == x, str(x), (x + 1) - 1


def power_is_not_repeated_product(rng, n):
    x = rng.normal()
    return x**2, x * x, x**3, x * x * x, abs(x) ** 0.5, math.sqrt(abs(x)), np.float64(x) ** 2, pow(x, 2), x**-1


def power_of_arrays(rng, n):
    a = rng.normal(size=5)
    return a**2, a**3, np.square(a), np.power(a, 2), [x**2 for x in a.tolist()], [x**3 for x in a.tolist()]


def functions_of_scalars_and_arrays(rng, n):
    a = rng.normal(size=9)
    return np.exp(a), [math.exp(x) for x in a], [np.exp(x) for x in a], np.log(np.abs(a)), [math.log(abs(x)) for x in a]


def functions_of_math_on_many_values(rng, n):
    x = rng.normal(0, 3)
    return (
        math.exp(x),
        math.log(abs(x)),
        math.sqrt(abs(x)),
        math.sin(x),
        math.tanh(x),
        math.log1p(abs(x)),
        math.expm1(x),
    )


def functions_of_numpy_on_many_values(rng, n):
    x = rng.normal(0, 3)
    return (
        np.exp(x),
        np.log(abs(x)),
        np.sqrt(abs(x)),
        np.sin(x),
        np.tanh(x),
        np.log1p(abs(x)),
        np.expm1(x),
        np.log2(abs(x)),
    )


def sums_of_arrays(rng, n):
    a, b = rng.normal(size=3), rng.normal(size=20)
    return np.sum(a), a.sum(), sum(a), sum(b), b.sum(), np.mean(b), b.mean(), sum(b.tolist()), np.cumsum(b)[-1]


def sums_of_long_arrays(rng, n):
    a = rng.normal(size=300)
    return a.sum(), np.mean(a), np.std(a), np.dot(a, a), sum(a), a[:129].sum(), a[::2].sum(), np.var(a)


def sums_of_two_dimensional_arrays(rng, n):
    a = rng.normal(size=(12, 9))
    return a.sum(), a.sum(axis=0), a.sum(axis=1), a.mean(axis=0), a @ a[0], np.cumsum(a)


def integers_of_floats(rng, n):
    x = rng.normal(0, 1e10)
    return (
        int(x),
        int(x * 1e10),
        int(-0.5),
        int(x / 1e12),
        math.floor(x * 1e10),
        round(x * 1e10),
        int(1e19) + int(x > 0),
    )


def shifts_and_bits(rng, n):
    x = int(rng.integers(-20, 20))
    return x >> 1, x << 2, x & 7, x | 8, x ^ 5, ~x, x << 60, (x << 65) >> 64, x & 2**70, -1 >> 3


def numpy_shifts_and_bits(rng, n):
    x = rng.integers(0, 20)
    return x >> 1, x << 2, x & 7, x | 8, x ^ 5, ~x, x >> 70


def repetition(rng, queries):
    k = int(rng.integers(-1, 4))
    return [0] * k, "ab" * k, (1,) * k, k * [1, 2], [[0] * 2 for _ in range(k)]


def lexicographic_comparisons(rng, n):
    a, b = [int(rng.integers(3)) for _ in range(2)], [1]
    return a < b, a <= [1, 1], a == [1, 1], (a[0], "x") < (1, "y"), "ab" < "b", [a, b] < [b, a], a > []


def kinds_of_minimum_and_maximum(rng, n):
    x = rng.integers(3)
    return max(x, 1), max(1, x), min(x, 1.0), max(0.5, x), _type_free(max(x, 2)), max(x, True)


def _type_free(x):
    return x + 0


def numpy_scalars_from_arrays(rng, n):
    a = rng.normal(size=2)
    x = a[0]
    return x + 1, x / 1, -x, round(x, 2), x > 0, x // 1, x % 1, abs(x), str(x > 0), [x], int(x), x * True


def numpy_scalars_divide_by_zero(rng, n):
    a = rng.integers(0, 2, size=2) * 1.0
    return a[0] / a[1], a[0] // a[1], a[0] % a[1], 1 / a[1], math.inf > 1 / a[1]


def arrays_divide_by_zero(rng, n):
    a = rng.integers(0, 3, size=4)
    return a / 0, 1 / a, a // 0, a % 0, a / a, np.log(a), np.sqrt(a - 1.0)


def int_arrays_wrap(rng, n):
    a = rng.integers(2**61, 2**62, size=2)
    return a * 4, a + a + a, a.sum() * 2, a.astype(float), a // 2


def casts_of_arrays(rng, n):
    a = rng.normal(0, 3, size=4)
    return (
        a.astype(int),
        a.astype(bool),
        (a > 0).astype(float),
        np.array([1, 0.5]),
        np.array([True, 2]),
        np.array([1, 2], dtype=float),
    )
