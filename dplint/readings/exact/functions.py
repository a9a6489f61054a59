"""The functions that belong to one draw, and what is done with several of them.

The first of them is its density, or a part of a density; the others are probabilities as functions of the draw, so
that they lie between 0 and 1. They stay apart until their product is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from flint import arb, fmpq

from dplint.readings.exact import smooth
from dplint.readings.exact.integrals import Line, convolution, integral_between
from dplint.readings.exact.piecewise import Cell, Piecewise
from dplint.readings.exact.piecewise import product_of as product_of_pieces
from dplint.readings.exact.smooth import Smooth

Function: TypeAlias = Piecewise | Smooth
Functions: TypeAlias = tuple[Function, ...]


def closed(functions: Functions) -> list[Piecewise] | None:
    """The functions if all have a closed form, else None."""
    found = [one for one in functions if isinstance(one, Piecewise)]
    return found if len(found) == len(functions) else None


def product_of(functions: Functions) -> Function:
    """The product."""
    pieces = closed(functions)
    return smooth.product_of(functions) if pieces is None else product_of_pieces(pieces)


def restricted_first(functions: Functions, low: fmpq | None, high: fmpq | None) -> Functions:
    """The functions whose product is zero outside of the interval, and the same within."""
    return (functions[0].restricted(low, high), *functions[1:])


def vanishes(functions: Functions) -> bool:
    """Whether the product is zero everywhere, for certain: the cells where the functions are positive do not meet."""
    common: list[Cell] = [(None, None)]
    for one in functions:
        support = one.support()
        if support != [(None, None)]:
            common = [cell for a in common for b in support if (cell := _meet(a, b)) is not None]
    return not common


def _meet(one: Cell, other: Cell) -> Cell | None:
    low = one[0] if other[0] is None else other[0] if one[0] is None else max(one[0], other[0])
    high = one[1] if other[1] is None else other[1] if one[1] is None else min(one[1], other[1])
    return None if low is not None and high is not None and low >= high else (low, high)


def integral_of(functions: Functions) -> arb:
    """The integral of the product over all."""
    found = product_of(functions)
    return found.total()


def integrated(functions: Functions, lowers: Sequence[Line], uppers: Sequence[Line]) -> Function:
    """The integral of the product between lines, as a function of what the lines are functions of."""
    found = product_of(functions)
    if isinstance(found, Piecewise):
        return integral_between(found, lowers, uppers)
    return found.integral_between(lowers, uppers)


def sum_density(one: Function, other: Function) -> Function | None:
    """The density of the sum of two independent draws, None where it has no closed form."""
    if isinstance(one, Piecewise) and isinstance(other, Piecewise):
        return convolution(one, other)
    return None
