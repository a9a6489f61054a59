"""Logarithms, exponentials and powers on lanes, to the last bit: NumPy's round other ways in one number of 30.

SciPy's Box-Cox transforms with exponent 0, and their inverses, are those of the library that CPython calls, too, and
NumPy's `float_power` is its `pow`. Where they are not, which is tried once, Python is asked number by number as for
any other function.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import boxcox, boxcox1p, inv_boxcox, inv_boxcox1p

from dplint.readings.lanes.arithmetic import Operand, Result
from dplint.readings.lanes.functions import Known, number
from dplint.readings.lanes.lane_values import EXACT, FLOATS, INTEGERS, Numbers, Tag, Value
from dplint.readings.lanes.merging import LaneMerger
from dplint.readings.lanes.places import everywhere
from dplint.readings.lanes.spaces import Bits, Mask

Floats = NDArray[np.float64]
_TRIED = 5_000
_LARGEST = 700.0


def _log(data: Floats) -> tuple[Floats, Bits | None]:
    return boxcox(data, 0.0), None if data.size and data.min() > 0 else data <= 0


def _log1p(data: Floats) -> tuple[Floats, Bits | None]:
    return boxcox1p(data, 0.0), None if data.size and data.min() > -1 else data <= -1


def _expm1(data: Floats) -> tuple[Floats, Bits | None]:
    found = inv_boxcox1p(data, 0.0)
    return found, None if data.size and data.max() < _LARGEST else np.isinf(found) & np.isfinite(data)


def _exp(data: Floats) -> tuple[Floats, Bits | None]:
    found = inv_boxcox(data, 0.0)
    return found, None if data.size and data.max() < _LARGEST else np.isinf(found) & np.isfinite(data)


@functools.cache
def _is_of_python(function: Callable[[Floats], tuple[Floats, Bits | None]]) -> bool:
    """Whether it gives what `math` does, on numbers of all sizes."""
    exponents = np.random.default_rng(0).uniform(-_LARGEST, _LARGEST, _TRIED)
    near = np.random.default_rng(1).standard_normal(_TRIED)
    own, tried = _OWN[function], np.concatenate([exponents, near])
    if own in (math.log, math.log1p):
        tried = np.concatenate([np.exp(exponents), np.abs(near) if own is math.log else near[near > -1]])
    found, failed = function(tried)
    return failed is None and found.tolist() == [own(value) for value in tried.tolist()]


def _elementary(function: Callable[[Floats], tuple[Floats, Bits | None]]) -> Known:
    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        one = number(merger, arguments[0], active) if len(arguments) == 1 and not keywords else None
        if one is None or not (one.tag in FLOATS or (one.tag in INTEGERS and one.bound <= EXACT)):
            return None
        if not _is_of_python(function):
            return None
        with np.errstate(all="ignore"):  # what fails is told by Python, and other lanes are of no account
            found, failed = function(np.asarray(one.data, np.float64))
        if failed is not None and active.bits is not None:
            failed = failed & active.bits
        return Result(Numbers(active.space, found, Tag.FLOAT), failed if failed is not None and failed.any() else None)

    return call


@functools.cache
def _is_power_of_python() -> bool:
    """Whether `float_power` gives what `**` does, of floats of Python and of NumPy, on numbers of all sizes."""
    base = np.exp(np.random.default_rng(0).uniform(-20, 20, _TRIED))
    exponent = np.random.default_rng(1).uniform(-20, 20, _TRIED)
    exponent[::2] = np.round(exponent[::2])
    found = np.float_power(base, exponent).tolist()
    own = map(operator.pow, base.tolist(), exponent.tolist())
    return bool(found == list(own) == list(map(operator.pow, base, exponent)))


def _powers(given: Sequence[Operand | None], active: Mask) -> tuple[Floats, Bits | None] | None:
    """Powers as floats, and the active lanes whose result is infinite or NaN, and whose operands are not."""
    sides = [
        one for one in given if one is not None and (one.tag in FLOATS or (one.tag is Tag.INT and one.bound <= EXACT))
    ]
    if len(sides) != 2 or not _is_power_of_python():
        return None
    base, exponent = (np.broadcast_to(np.asarray(one.data, np.float64), (active.space.size,)) for one in sides)
    with np.errstate(all="ignore"):
        found = np.float_power(base, exponent)
    odd = ~np.isfinite(found)
    if not odd.any():
        return found, None
    odd &= np.isfinite(base) & np.isfinite(exponent) & everywhere(active)
    return found, odd if odd.any() else None


def power(merger: LaneMerger, left: Value, right: Value, active: Mask) -> Result | None:
    """`left ** right` where one of them is a float; Python is asked where its power is complex."""
    given = [number(merger, left, active), number(merger, right, active)]
    tags = {one.tag for one in given if one is not None}
    known = _powers(given, active) if tags & FLOATS else None
    if known is None:
        return None
    found, odd = known
    if Tag.NP_FLOAT in tags:
        return Result(Numbers(active.space, found, Tag.NP_FLOAT))
    return Result(Numbers(active.space, found, Tag.FLOAT), odd)


def _pow(merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask) -> Result | None:
    known = None if keywords else _powers([number(merger, one, active) for one in arguments], active)
    return None if known is None else Result(Numbers(active.space, known[0], Tag.FLOAT), known[1])


def _copysign(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    given: list[Any] = [number(merger, argument, active) for argument in arguments]
    if len(given) != 2 or keywords or any(one is None or one.tag not in FLOATS for one in given):
        return None
    return Result(Numbers(active.space, np.copysign(given[0].data, given[1].data), Tag.FLOAT))


_OWN: Mapping[Callable[[Floats], tuple[Floats, Bits | None]], Callable[[float], float]] = {
    _log: math.log,
    _log1p: math.log1p,
    _exp: math.exp,
    _expm1: math.expm1,
}
KNOWN: Mapping[str, Known] = {
    **{f"math.{own.__name__}": _elementary(function) for function, own in _OWN.items()},
    "math.copysign": _copysign,
    "math.pow": _pow,
}
