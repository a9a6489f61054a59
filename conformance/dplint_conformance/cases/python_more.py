"""Less common functions and methods of Python's library."""

import heapq
import math
import statistics
from heapq import nlargest

import numpy as np
from scipy import special


def bits(rng, n):
    k = int(rng.integers(20))
    return bin(k), bin(n ^ k).count("1"), hex(k), k.bit_length(), (k >> 1).bit_length(), int(bin(k), 2)


def bits_of_what_has_none(rng, n):
    return bin(n if rng.random() < 0.5 else 1.5)


def whole_ones(rng, values):
    return [v.is_integer() for v in values], float(rng.integers(4) / 2).is_integer(), (rng.random()).is_integer()


def some_of_the_largest(rng, values):
    noisy = [(v + rng.laplace(), i) for i, v in enumerate(values)]
    return heapq.nlargest(2, noisy), nlargest(9, [v for v, _ in noisy]), heapq.nsmallest(1, noisy), nlargest(0, values)


def some_of_the_largest_of_a_generator(rng, values):
    return heapq.nlargest(2, (round(v + rng.laplace()) for v in values)), rng.random()


def some_of_the_largest_of_mixed_ones(rng, values):
    return heapq.nsmallest(2, [rng.random(), None if rng.random() < 0.5 else 1, *values])


def hyperbolic(rng, values):
    x = rng.random()
    return math.asinh(x), math.acosh(1 + x), math.atanh(x), math.remainder(x, 0.3), math.modf(x * 5), math.lcm(4, 6)


def hyperbolic_outside(rng, values):
    return math.acosh(values[1] + rng.random()), math.atanh(2 * rng.random())


def special_ones(rng, values):
    x = rng.random()
    return (
        special.gammaln(x),
        special.erfinv(x),
        special.comb(5, 2),
        special.ndtr(x),
        special.ndtri(x),
        special.xlogy(2, x),
    )


def most_frequent(rng, names):
    return statistics.mode([*names, names[rng.integers(3)]])


def texts(rng, names):
    text = names[rng.integers(3)] + " b"
    plain = text.isalnum(), text.isspace(), text.isupper(), text.islower(), text.swapcase(), text.center(7, "*")
    return (
        *plain,
        text.ljust(5),
        text.rjust(5),
        text.removeprefix("a"),
        text.removesuffix("b"),
        (text + "\nx").splitlines(),
    )


def extremes_of_none_with_a_default(rng, n):
    kept = [x for _ in range(3) if (x := rng.normal()) > 0.5]
    least = rng.random() if rng.random() < 0.5 else None
    return max(kept, default=0), min(kept, default=least), max([*kept, 0.1], default=-1), max(kept, default="none")


def middle_of_several_lengths(rng, n):
    kept = [x for _ in range(5) if (x := rng.normal()) > 0]
    return statistics.median(kept) if kept else None, len(kept)


def tuples_in_order(rng, n):
    one, other = ((int(rng.integers(2)), rng.integers(3) / 2, "ab"[rng.integers(2)]) for _ in range(2))
    return one < other, one <= other, one > other, one >= other, one[:2] < other, [one[0]] >= [other[0]], one < (1,)


def tuples_in_order_of_several_types(rng, n):
    one, other = ([max(rng.integers(2) - 0.5, 0), np.float64(rng.integers(2))] for _ in range(2))
    return one < other, one >= other, one < [0, 1.0, 2], (one[0],) > (0.25,)


def tuples_that_cannot_be_ordered(rng, n):
    one = (1, None if rng.random() < 0.5 else 1.0)
    return (int(rng.integers(3)), 0.5) < one


def nan_or_none_counted(rng, n):
    x = math.nan if rng.random() < 0.5 else None if rng.random() < 0.5 else 1
    return [x, 2].count(x), x in [0, x], x is None


def nan_in_a_tuple_in_order(rng, n):
    x = math.nan if rng.random() < 0.5 else 1.0
    return (x, 1) < (x, 2), (x, 2) <= (x, 1), rng.random()
