"""A random order of items, each order as likely as any other.

For many runs at once, `sample` takes a count for `x` and gives orders of the numbers below it.
"""

from __future__ import annotations

from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..numerics import np
from ..parameters import other
from ..signatures import GENERATOR, LEGACY, PYTHON, Argument, DrawSignature, arguments, outside, torch

_AXIS = Argument("axis", None, 0)


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    """Shape (x, runs): in each column the numbers below x."""
    table = np.repeat(np.arange(parameters["x"])[:, np.newaxis], shape[0], axis=1)
    return generator.permuted(table, axis=0)


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
