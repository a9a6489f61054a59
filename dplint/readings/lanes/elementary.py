"""`log` and `exp` of `math` on lanes, to the last bit: NumPy has its own, which round other ways in one number of 30.

SciPy's Box-Cox transform with exponent 0, and its inverse, are `log` and `exp` of the library that CPython calls, too.
Where they are not, which is tried once, Python is asked number by number as for any other function.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import boxcox, inv_boxcox

from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.functions import Known, number
from dplint.readings.lanes.lane_values import EXACT, FLOATS, INTEGERS, Numbers, Tag, Value
from dplint.readings.lanes.merging import LaneMerger
from dplint.readings.lanes.spaces import Bits, Mask

Floats = NDArray[np.float64]
_TRIED = 5_000
_LARGEST = 700.0


def _log(data: Floats) -> tuple[Floats, Bits | None]:
    return boxcox(data, 0.0), None if data.size and data.min() > 0 else data <= 0


def _exp(data: Floats) -> tuple[Floats, Bits | None]:
    found = inv_boxcox(data, 0.0)
    return found, None if data.size and data.max() < _LARGEST else np.isinf(found) & np.isfinite(data)


@functools.cache
def _is_of_python(function: Callable[[Floats], tuple[Floats, Bits | None]]) -> bool:
    """Whether it gives what `math` does, on numbers of all sizes."""
    exponents = np.random.default_rng(0).uniform(-_LARGEST, _LARGEST, _TRIED)
    near = np.random.default_rng(1).standard_normal(_TRIED)
    tried = np.concatenate([exponents, near])
    own: Callable[[float], float] = math.exp
    if function is _log:
        tried, own = np.concatenate([np.exp(exponents), np.abs(near)]), math.log
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


def _copysign(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    given: list[Any] = [number(merger, argument, active) for argument in arguments]
    if len(given) != 2 or keywords or any(one is None or one.tag not in FLOATS for one in given):
        return None
    return Result(Numbers(active.space, np.copysign(given[0].data, given[1].data), Tag.FLOAT))


KNOWN: Mapping[str, Known] = {
    "math.log": _elementary(_log),
    "math.exp": _elementary(_exp),
    "math.copysign": _copysign,
}
