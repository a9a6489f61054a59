"""Whether two values are the same, whatever their containers. Runs in the user's interpreter."""

from __future__ import annotations

import math
import sys
from marshal import dumps
from typing import Any

import numpy as np

_NUMBERS = (bool, int, float)


def same(one: Any, other: Any, tolerance: float = 0.0) -> bool:
    """Bit for bit for floats; numbers of one value are the same whatever their types, sequences if their items are.

    A NaN is the same as another NaN, and zeros of different sign are not the same. tolerance: by which numbers may
    differ, relative to the larger one, or to 1; 0 for not at all.
    """
    one, other = _simple(one), _simple(other)
    kind, other_kind = type(one), type(other)
    if kind in _NUMBERS and other_kind in _NUMBERS:
        if tolerance and near(one, other, tolerance):
            return True
        if one == other:
            return bool(one) or math.copysign(1, one) == math.copysign(1, other)
        return bool(one != one and other != other)  # noqa: PLR0124
    if kind is list or other_kind is list:
        return kind is other_kind and (
            _same_bytes(one, other)
            or (len(one) == len(other) and all(same(a, b, tolerance) for a, b in zip(one, other)))  # noqa: B905
        )
    try:
        return kind is other_kind and bool(one == other)
    except Exception:
        return False


def near(one: float, other: float, tolerance: float) -> bool:
    """Whether two numbers differ by a tolerance at most, relative to the larger one or to 1.

    No infinite number is near to any other.
    """
    return bool(abs(one - other) <= min(tolerance * max(1.0, abs(one), abs(other)), sys.float_info.max))


def _same_bytes(one: Any, other: Any) -> bool:
    """A quick yes for lists of plain values; a no means nothing."""
    try:
        return dumps(one, 2) == dumps(other, 2)
    except ValueError:
        return False


def _simple(value: Any) -> Any:
    """NumPy's values and all sequences as numbers and lists."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, (tuple, range)):
        return list(value)
    return value
