"""The functions that belong to one draw, and what is done with several of them.

The first of them is its density, or a part of a density; the others are probabilities as functions of the draw, so
that they lie between 0 and 1. They stay apart until their product is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from flint import arb, fmpq

from dplint.readings.exact import smooth
from dplint.readings.exact.affine import NotFollowed
from dplint.readings.exact.gaussian_points import GaussianPoints
from dplint.readings.exact.integrals import Line, convolution, integral_between
from dplint.readings.exact.lattices import Lattice
from dplint.readings.exact.piecewise import Cell, Piecewise, meet
from dplint.readings.exact.piecewise import product_of as product_of_pieces
from dplint.readings.exact.smooth import Smooth

Function: TypeAlias = Piecewise | Smooth | GaussianPoints
Functions: TypeAlias = tuple[Function, ...]


def closed(functions: Functions) -> list[Piecewise] | None:
    """The functions if all have a closed form, else None."""
    found = [one for one in functions if isinstance(one, Piecewise)]
    return found if len(found) == len(functions) else None


def product_of(functions: Functions) -> Function:
    """The product. Raises NotFollowed for discrete Gaussian noise with other factors."""
    if any(isinstance(one, GaussianPoints) for one in functions):
        if len(functions) > 1:
            raise NotFollowed("discrete Gaussian noise that is compared with other noise")
        return functions[0]
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
            common = [cell for a in common for b in support if _is_cell(cell := meet(a, b))]
    return not common


def _is_cell(cell: Cell) -> bool:
    low, high = cell
    return low is None or high is None or low < high


def phase_of(function: Function) -> fmpq | None:
    """What the whole numbers are moved by that it is a function of; None if it is one of real numbers."""
    return function.phase if isinstance(function, Lattice | GaussianPoints) else None


def integral_of(functions: Functions) -> arb:
    """The integral of the product over all."""
    found = product_of(functions)
    return found.total()


def integrated(functions: Functions, lowers: Sequence[Line], uppers: Sequence[Line]) -> Function:
    """The integral of the product between lines, as a function of what the lines are functions of."""
    found = product_of(functions)
    if isinstance(found, Lattice) and any(slope.q != 1 for slope, _ in (*lowers, *uppers)):
        raise NotFollowed("multiples of whole numbers compared with one another")
    if isinstance(found, Piecewise):
        return integral_between(found, lowers, uppers)
    return found.integral_between(lowers, uppers)


def sum_density(one: Function, other: Function) -> Function | None:
    """The density of the sum of two independent draws, None where it has no closed form."""
    if isinstance(one, Piecewise) and isinstance(other, Piecewise) and type(one) is type(other):
        return convolution(one, other)
    return None
