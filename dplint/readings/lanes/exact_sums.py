"""`math.fsum` and `statistics.fmean` on lanes: sums that are rounded once, as CPython's.

Partial sums are kept without an error (Shewchuk, "Adaptive precision floating-point arithmetic and fast robust
geometric predicates", Discrete & Computational Geometry 18, 1997), and rounded half to even in the end.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.distinct import combinations
from dplint.readings.lanes.functions import Known, number, sequence
from dplint.readings.lanes.lane_values import EXACT, FLOATS, TRUTHS, Lists, Numbers, Tag, Value
from dplint.readings.lanes.merging import LaneMerger, is_of_data
from dplint.readings.lanes.places import where_not
from dplint.readings.lanes.spaces import Bits, Mask

Floats = NDArray[np.float64]
_MOST_ITEMS = 16
"""Partial sums grow with the square of the items: of more, CPython is as fast."""


def exact_sum(rows: Sequence[Floats]) -> tuple[Floats, Bits]:
    """The sum in each lane, rounded once, and in which lanes it is known: not where a partial sum is not finite."""
    partials: list[Floats] = []
    for row in rows:
        rest = row
        for place, partial in enumerate(partials):
            rest, partials[place] = _two_sum(rest, partial)
        partials.append(rest)
    high, low, below = partials[-1], np.zeros_like(partials[-1]), np.zeros_like(partials[-1])
    for partial in reversed(partials[:-1]):
        more, error = _two_sum(high, partial)
        going = low == 0
        below = np.where(going | (below != 0), below, partial)
        high, low = np.where(going, more, high), np.where(going, error, low)
    # Halfway between two floats, what is below decides.
    twice = 2 * low
    other = high + twice
    high = np.where((np.sign(low) == np.sign(below)) & (below != 0) & (other - high == twice), other, high)
    # The error of a sum may be too large where the sum is not (Boldo, Graillat, Muller, "On the robustness of the 2Sum
    # and Fast2Sum algorithms", ACM Trans. Math. Softw. 44, 2017).
    known = np.isfinite(sum(partials[1:], partials[0])) & np.isfinite(high)
    return high + 0.0, known  # a sum of nothing but -0.0 is 0.0


def _two_sum(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """The rounded sum, and its error (Knuth, The Art of Computer Programming, volume 2, 4.2.2, theorem B)."""
    total = one + other
    back = total - one
    return total, (one - (total - back)) + (other - back)


def _fsum(merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask) -> Result | None:
    lists = sequence(merger, arguments[0], active) if len(arguments) == 1 and not keywords else None
    return None if lists is None else _of_lists(merger, lists, active)


def _of_lists(merger: LaneMerger, lists: Lists, active: Mask) -> Result | None:
    numbers = [] if is_of_data(lists) else [number(merger, item, active) for item in lists.items]
    known = [one for one in numbers if one is not None and (one.tag in FLOATS | TRUTHS or one.bound <= EXACT)]
    if not 0 < len(known) == len(numbers) <= _MOST_ITEMS or any(one.tag is Tag.NP_INT for one in known):
        return None
    few = combinations([lists], active.space, None, merger)
    if few is not None:
        return _of_each(merger.explode(lists, active.space, few.representatives), few.numbers, active)
    rows: list[Floats] = []
    for position, one in enumerate(known):
        row = np.broadcast_to(np.asarray(one.data, np.float64), (active.space.size,))
        rows.append(row if lists.lengths is None else np.where(lists.lengths > position, row, 0.0))
    found, sure = exact_sum(rows)
    return Result(Numbers(active.space, found, Tag.FLOAT), where_not(sure, active))


def _of_each(lists: Sequence[Sequence[float]], numbers: NDArray[np.intp], active: Mask) -> Result | None:
    """Of a few lists, each of which many lanes have; None where CPython refuses one."""
    with suppress(ValueError, OverflowError):
        return Result(Numbers(active.space, np.array(list(map(math.fsum, lists)))[numbers], Tag.FLOAT))
    return None


def _fmean(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    """Of lists that are not empty."""
    lists = sequence(merger, arguments[0], active) if len(arguments) == 1 and not keywords else None
    total = None if lists is None or lists.lengths is not None else _of_lists(merger, lists, active)
    if lists is None or total is None:
        return None
    assert isinstance(total.value, Numbers)
    return Result(Numbers(active.space, total.value.data / len(lists.items), Tag.FLOAT), total.failed)


KNOWN: Mapping[str, Known] = {"math.fsum": _fsum, "statistics.fmean": _fmean}
"""By name of the function."""
