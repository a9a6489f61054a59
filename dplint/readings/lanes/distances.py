"""`math.hypot` and `math.dist` on lanes, to the last bit.

CPython gives the float next to the exact value, unless that lies within some 2^-90 of itself of the middle between two
floats. Here the exact value is found to 2^-72 of itself, which tells that float wherever the middle is 2^-70 away.
Python is asked for the others, one number in some hundred thousand, and for what is so large or so small that squares
leave the range of floats. Where Python has another algorithm, which is tried once, it is asked for all.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.functions import Known, number, sequence
from dplint.readings.lanes.lane_values import EXACT, FLOATS, INTEGERS, Numbers, Tag, Value
from dplint.readings.lanes.merging import LaneMerger
from dplint.readings.lanes.places import everywhere
from dplint.readings.lanes.spaces import Bits, Mask

Floats = NDArray[np.float64]
_MOST = 16
"""Numbers of a norm, for which the bounds above hold."""
_LEAST = 2.0**-400
"""Of larger norms the squares, and the errors of squares, are floats; if they are too large, nothing comes of them."""
_UPPER_HALF = np.int64(-1 << 27)
"""The bits of a float without the lower 27 of its 53 digits."""
_MARGIN = 2.0**-70
_AT_ONCE = 8_192
"""Lanes whose numbers stay in cache."""
_TRIED = 5_000


def norms(columns: Sequence[Floats], asked: Bits) -> Floats:
    """`math.hypot` of the numbers of each lane, in columns of shape (lanes,). asked: the lanes that are of account."""
    found, sure = np.empty(len(asked)), np.empty(len(asked), np.bool_)
    with np.errstate(all="ignore"):
        for start in range(0, len(asked), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            found[part], sure[part] = _rounded([column[part] for column in columns])
    if not sure.all():
        zero = functools.reduce(np.logical_and, [column == 0 for column in columns])
        found[zero] = 0.0
        rows = np.flatnonzero(asked & ~(sure | zero))
        found[rows] = list(map(math.hypot, *(column[rows].tolist() for column in columns)))
    return found


def _rounded(columns: Sequence[Floats]) -> tuple[Floats, Bits]:
    """The norms, and where they are sure to be the floats next to the exact values.

    A root of the sum of squares is corrected by what is left of the sum without the square of the root (as in CPython;
    Borges, "An improved algorithm for hypot(a, b)", arXiv 1904.09481, 2019). Upper parts of squares are exact and added
    without error (Knuth, The Art of Computer Programming, volume 2, 4.2.2, theorem B); lower parts are less than 2^-24
    of their squares, and so what is rounded is less than 2^-76 of the sum for each number, twice that for the root.
    """
    upper, lower = _squared(columns[0])
    for column in columns[1:]:
        more_upper, more_lower = _squared(column)
        total = upper + more_upper
        added = total - upper
        lower = (lower + more_lower) + ((upper - (total - added)) + (more_upper - added))
        upper = total
    root = np.sqrt(upper + lower)
    own_upper, own_lower = _squared(root)
    correction = ((upper - own_upper) + (lower - own_lower)) / (2 * root)
    margin = _MARGIN * root
    found = root + (correction + margin)
    # Rounding is monotonic: what lies between two numbers that round to one float rounds to it, too.
    alike = found == root + (correction - margin)
    return found, alike & (root > _LEAST)


def _squared(data: Floats) -> tuple[Floats, Floats]:
    """The square of the upper half of each number, which is a float, and what is missing, to 2^-76 of the square."""
    half = (data.view(np.int64) & _UPPER_HALF).view(np.float64)
    return half * half, (data - half) * (data + half)


@functools.cache
def _is_of_python() -> bool:
    """Whether CPython's algorithm is the one that is meant above."""
    generator = np.random.default_rng(0)
    tried = generator.standard_normal((4, _TRIED)) * 2.0 ** generator.integers(-30, 30, (4, _TRIED))
    nobody = np.zeros(_TRIED, np.bool_)
    return all(norms(list(tried[:n]), nobody).tolist() == list(map(math.hypot, *tried[:n].tolist())) for n in (2, 3, 4))


def _columns(merger: LaneMerger, items: Sequence[Value], active: Mask) -> list[Floats] | None:
    """Numbers as the floats that Python makes of them; None for anything else."""
    columns: list[Floats] = []
    for item in items:
        one = number(merger, item, active)
        if one is None or not (one.tag in FLOATS or (one.tag in INTEGERS and one.bound <= EXACT)):
            return None
        columns.append(np.broadcast_to(np.asarray(one.data, np.float64), (active.space.size,)))
    return columns


def _normed(columns: Sequence[Floats], active: Mask) -> Result | None:
    if not 0 < len(columns) <= _MOST or not _is_of_python():
        return None
    return Result(Numbers(active.space, norms(columns, everywhere(active)), Tag.FLOAT))


def _hypot(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    columns = None if keywords else _columns(merger, arguments, active)
    return None if columns is None else _normed(columns, active)


def _dist(merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask) -> Result | None:
    if len(arguments) != 2 or keywords:
        return None
    sides: list[list[Floats]] = []
    for argument in arguments:
        lists = sequence(merger, argument, active)
        columns = None if lists is None or lists.lengths is not None else _columns(merger, lists.items, active)
        if columns is None:
            return None
        sides.append(columns)
    if len(sides[0]) != len(sides[1]):
        return None
    with np.errstate(invalid="ignore"):
        return _normed([one - other for one, other in zip(*sides, strict=True)], active)


KNOWN: Mapping[str, Known] = {"math.hypot": _hypot, "math.dist": _dist}
