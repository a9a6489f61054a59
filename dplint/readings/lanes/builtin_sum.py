"""The builtin `sum` on lanes, as the user's Python has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dplint.readings.lanes.arithmetic import Result, binary
from dplint.readings.lanes.functions import Known, holds, number, sequence
from dplint.readings.lanes.lane_values import NUMPY, Array, Lists, Mixed, Numbers, Tag, Uniform, Value, tag_of
from dplint.readings.lanes.merging import LaneMerger
from dplint.readings.lanes.spaces import Bits, Mask


def summing(compensated: bool) -> Known:
    """The builtin `sum`; since Python 3.12 it compensates the rounding of floats (Neumaier's algorithm)."""

    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        lists = sequence(merger, arguments[0], active)
        if lists is None or len(arguments) > 1 or keywords:
            return None
        if compensated:
            tags = set[Tag | None]().union(*(_tags_of(merger.at(item, active.space)) for item in lists.items))
            if None in tags or (Tag.FLOAT in tags and tags & NUMPY):
                return None
            if Tag.FLOAT in tags:  # NumPy's floats are added as they come
                return _compensated(merger, lists, active)
        total: Value = Uniform(0)
        for position, item in enumerate(lists.items):
            added = binary(merger, "+", total, item, active)
            if added is None:
                return None
            there = None if lists.lengths is None or position == 0 else lists.lengths > position
            total = merger.merge(active.space, there, added.value, total)
        return _of_none(merger, total, lists)

    return call


def _of_none(merger: LaneMerger, total: Value, lists: Lists) -> Result:
    """The sum, which is the integer 0 where there are no items."""
    if lists.lengths is None or lists.lengths.all():
        return Result(total)
    return Result(merger.merge(lists.space, lists.lengths == 0, Uniform(0), total))


def _tags_of(value: Value) -> set[Tag | None]:
    """The types that a scalar has; None for any other value."""
    match value:
        case Numbers(tag=tag):
            return {tag}
        case Mixed(tags=tags):
            return set(map(Tag, np.unique(tags).tolist()))
        case Uniform(value=inner):
            return {tag_of(inner)}
    return {None}


def _compensated(merger: LaneMerger, lists: Lists, active: Mask) -> Result | None:
    """Floats, beside which Python's integers may be zero: the releases of Python differ in how they add others."""
    space = active.space
    total: Array = np.zeros(space.size)
    lost: Array = np.zeros(space.size)
    floats: Bits = np.zeros(space.size, np.bool_)
    for position, item in enumerate(lists.items):
        there: Bits = np.ones(space.size, np.bool_) if lists.lengths is None else lists.lengths > position
        found = _floats_and_zeros(merger, item, there, active)
        if found is None:
            return None
        data, new = found
        more = total + data
        bigger = np.abs(total) >= np.abs(data)
        lost = lost + np.where(bigger, (total - more) + data, (data - more) + total)
        total, floats = more, floats | new
    corrected = np.where((lost != 0) & np.isfinite(lost), total + lost, total)
    result = Numbers(space, corrected, Tag.FLOAT)
    return Result(result if floats.all() else merger.merge(space, floats, result, Uniform(0)))


def _floats_and_zeros(merger: LaneMerger, item: Value, there: Bits, active: Mask) -> tuple[Array, Bits] | None:
    """What an item adds where it is there, and where that is a float; None if it may add another integer."""
    one = number(merger, item, active)
    if one is not None and one.tag is Tag.FLOAT:
        return (one.data if there.all() else np.where(there, one.data, 0.0)), there
    mixed = merger.mixed(item, active.space)
    if mixed is None:
        return None
    floats = (mixed.tags == Tag.FLOAT) & there
    zeros = (mixed.tags == Tag.INT) & (mixed.payload == 0)
    return (np.where(floats, mixed.payload, 0.0), floats) if holds(floats | zeros | ~there, active.bits) else None
