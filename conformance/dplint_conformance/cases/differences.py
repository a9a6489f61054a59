"""Where NumPy, Python and arithmetic on arrays differ."""

import math

import numpy as np


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
