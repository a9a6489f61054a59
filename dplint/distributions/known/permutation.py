"""A random order of items, each order as likely as any other.

For many runs at once, `sample` takes a count for `x` and gives orders of the numbers below it.
"""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..numerics import np
from ..parameters import other
from ..signatures import GENERATOR, LEGACY, PYTHON, Argument, DrawSignature, arguments, outside, torch

_AXIS = Argument("axis", None, 0)


_LISTED = 7
"""Of up to so many numbers all orders are listed: 5,040, which a cache holds."""


@functools.cache
def _orders(count: int) -> Any:
    """All orders of so many numbers, shape (count, orders)."""
    return np.ascontiguousarray(np.array(list(itertools.permutations(range(count))), np.int64).T)


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    """Shape (x, runs): in each column the numbers below x, in any order.

    An order of the first few is one of a list. Each further number comes to a place that a uniform draw chooses, and
    what stood there goes to the end (Durstenfeld, "Random permutation", 1964).
    """
    count, runs = int(parameters["x"]), int(shape[0])
    listed = min(count, _LISTED)
    drawn = generator.integers(math.factorial(listed), size=runs)
    order = np.empty((count, runs), np.int64)
    np.take(_orders(listed), drawn, axis=1, out=order[:listed], mode="clip")
    every, flat = np.arange(runs), order.reshape(-1)
    for number in range(listed, count):
        place = generator.integers(number + 1, size=runs) * runs + every
        order[number] = number
        order[number] = flat.take(place)
        flat[place] = number
    return order


DISTRIBUTION = Distribution(
    name="permutation",
    parameters=(other("x"),),
    draws=(
        DrawSignature(GENERATOR, "permutation", (*arguments("x"), _AXIS)),
        DrawSignature(LEGACY, "permutation", arguments("x")),
        DrawSignature(GENERATOR, "shuffle", (*arguments("x"), _AXIS), in_place=True),
        *(DrawSignature(family, "shuffle", arguments("x"), in_place=True) for family in (LEGACY, PYTHON)),
        # Along an axis of an array.
        *outside(GENERATOR, "permuted", "x", Argument("axis", None, None), Argument("out", None, None)),
        *torch("randperm", "n=x"),
    ),
    outcomes=Outcomes.ITEMS,
    formulas=Formulas(centre=lambda x: list(range(x) if isinstance(x, int) else x)),  # the order as it was
    sampler=_sample,
    items="x",
)
