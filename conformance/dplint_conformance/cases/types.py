"""Questions about the type of a value, or the class of an object."""

import abc
import math

import numpy as np


def arithmetic_of_several_types(rng, values):
    x = max(1e-9, np.float64(values[1]) + rng.laplace())
    y = [1, 2.5, True, np.float64(0.5), np.int64(3)][int(rng.integers(5))]
    return (
        x,
        2 * math.pi * x,
        math.log(x),
        1.0 / x,
        x**2,
        round(x, 2),
        y * 3,
        3 - y,
        y / 2,
        7 // y,
        abs(y),
        int(y),
        y < x,
    )


def choices_by_several_types(rng, names):
    y = [1, True, np.int64(2), 0][int(rng.integers(4))]
    return names[y], [rng.random(), 1, 2.5][y], f"{y} and {y * 2}", y == 1, -y if y != 1 else 0
