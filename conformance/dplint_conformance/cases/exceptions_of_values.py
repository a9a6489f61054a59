"""Exceptions that some runs raise because of a value, by an operation or by `raise`; what follows them is not run."""

import math

import numpy as np


def index_out_of_range(rng, queries):
    return queries[int(rng.integers(0, 8))]


def index_out_of_range_below(rng, queries):
    return queries[-int(rng.integers(0, 9))]


def index_of_a_short_list(rng, queries):
    kept = [q for q in queries if rng.random() < 0.4]
    return kept[1] + kept[-1]


def index_of_an_array(rng, queries):
    return np.array(queries)[rng.integers(-8, 8)]


def index_that_is_no_integer(rng, queries):
    i = 1 if rng.random() < 0.5 else 1.0
    return queries[i]


def index_of_a_number(rng, queries):
    x = queries if rng.random() < 0.5 else 3
    return x[0]


def item_set_out_of_range(rng, queries):
    out = [0, 0]
    out[int(rng.integers(0, 4))] = 1
    return out


def key_missing(rng, names):
    table = {"a": 1, "b": 2}
    return table[names[int(rng.integers(3))]]


def key_counted_but_missing(rng, names):
    table = {"a": 1}
    table["a" if rng.random() < 0.5 else "b"] += 1
    return table


def division_by_zero(rng, queries):
    return 1 / int(rng.integers(0, 3))


def division_by_zero_of_kinds(rng, n):
    zero = int(rng.integers(0, 2))
    kind = rng.integers(4)
    if kind == 0:
        return n // zero
    if kind == 1:
        return n % zero
    if kind == 2:
        return n / float(zero)
    return divmod(n, zero)


def division_by_zero_before_a_draw(rng, queries):
    x = 1 / int(rng.integers(0, 2))
    return x + rng.random()


def zero_to_a_negative_power(rng, queries):
    return float(int(rng.integers(0, 2))) ** -1


def logarithm_of_a_negative(rng, queries):
    return math.log(rng.normal())


def logarithm_of_zero(rng, queries):
    return math.log(int(rng.integers(0, 3))), math.log2(4)


def root_of_a_negative(rng, queries):
    return math.sqrt(rng.laplace() + 0.5)


def overflow_of_exp(rng, queries):
    return math.exp(rng.random() * 1400)


def integer_of_nan_and_infinity(rng, queries):
    u = rng.random()
    x = math.nan if u < 0.3 else math.inf if u < 0.6 else u
    return int(x)


def rounding_of_nan_and_infinity(rng, queries):
    u = rng.random()
    return round(float("nan") if u < 0.3 else float("inf") if u < 0.6 else u)


def floor_of_infinity(rng, queries):
    u = rng.random()
    return math.floor(math.inf if u < 0.5 else 10 * u)


def number_of_text(rng, queries):
    text = "12" if rng.random() < 0.5 else "twelve"
    return int(text)


def float_of_text(rng, queries):
    text = "1.5" if rng.random() < 0.5 else "x"
    return float(text)


def raised_explicitly(rng, queries):
    if rng.random() < 0.5:
        raise ValueError("unlucky")
    return queries


def raised_of_several_kinds(rng, queries):
    kind = rng.integers(5)
    if kind == 0:
        raise ValueError
    if kind == 1:
        raise KeyError("k")
    if kind == 2:
        raise RuntimeError(f"kind {kind}")
    if kind == 3:
        raise NotImplementedError()
    return kind


def raised_of_rarer_kinds(rng, queries):
    kind = rng.integers(7)
    if kind == 0:
        raise ArithmeticError
    if kind == 1:
        raise Exception("general")
    if kind == 2:
        raise IndexError(3)
    if kind == 3:
        raise OverflowError
    if kind == 4:
        raise TypeError("a", 1)
    if kind == 5:
        raise ZeroDivisionError
    return kind


def raised_in_a_loop(rng, queries):
    out = []
    for q in queries:
        x = q + rng.laplace()
        if x < -1:
            raise ValueError(x)
        out.append(x)
    return len(out)


def raised_in_while(rng, queries):
    tries = 0
    while rng.random() < 0.6:
        tries += 1
        if tries > 2:
            raise RuntimeError("too many")
    return tries


def raised_in_a_helper(rng, queries):
    total = 0
    for q in queries:
        total += _positive(q + rng.normal())
    return total


def _positive(x):
    if x <= -1:
        raise ValueError("negative")
    return x


def raised_in_a_comprehension(rng, queries):
    return [1 / int(rng.integers(0, 6)) for _ in queries]


def raised_in_a_filter(rng, queries):
    return [q for q in queries if 1 / int(rng.integers(0, 6)) > 0.3]


def raised_in_any(rng, queries):
    return any(1 // int(rng.integers(0, 4)) > 0 for _ in queries)


def raised_in_a_condition(rng, queries):
    if 1 / int(rng.integers(0, 3)) > 0.7:
        return "one"
    return "two"


def raised_in_one_branch(rng, queries):
    x = int(rng.integers(0, 3))
    if rng.random() < 0.5:
        y = 1 / x
    else:
        y = x
    return y, rng.random()


def raised_in_a_conditional_expression(rng, queries):
    x = int(rng.integers(0, 3))
    return 1 / x if rng.random() < 0.6 else "safe"


def guarded_by_and(rng, queries):
    x = int(rng.integers(0, 3))
    return x != 0 and 1 / x > 0.6, x == 0 or 1 / x, (1 / x if x else None)


def asserted(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    assert max(noisy) < 4
    assert min(noisy) > -2, f"too low: {min(noisy)}"
    return len(noisy)
