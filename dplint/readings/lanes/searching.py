"""What is looked for in lists on lanes: `count`, `index`, `in` and `bisect`; None where only Python knows how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from dplint.program.meaning import COMPARE
from dplint.readings.lanes.arithmetic import Operand, Result, compare
from dplint.readings.lanes.functions import Known, holds, number, truth
from dplint.readings.lanes.lane_values import EXACT, FLOATS, Array, Lists, Mixed, Numbers, Tag, Uniform, Value
from dplint.readings.lanes.merging import LaneMerger, as_lists
from dplint.readings.lanes.places import everywhere
from dplint.readings.lanes.spaces import Bits, Mask

_BYTE = 255
"""The most that eight bits count."""


def equal_items(merger: LaneMerger, lists: Lists, wanted: Value, active: Mask) -> list[Bits] | None:
    """For each position the lanes whose item is equal; None where there may be NaN, which is equal to itself here."""
    found: list[Bits] = []
    for position, item in enumerate(lists.items):
        if _may_be_nan(merger, item, active):
            return None
        equal = compare(merger, "==", item, wanted, active)
        bits = None if equal is None else truth(merger, equal, active)
        if bits is None:
            return None
        found.append(bits if lists.lengths is None else bits & (lists.lengths > position))
    return found


def _may_be_nan(merger: LaneMerger, item: Value, active: Mask) -> bool:
    """Whether a scalar is NaN in any lane, which is no other and yet the same object."""
    match merger.at(item, active.space):
        case Uniform(value=float() as one) if one != one:  # noqa: PLR0124
            return True
        case Numbers(data=data) | Mixed(payload=data):
            return bool(np.isnan(data).any())
    return False


def ordered(merger: LaneMerger, operator: str, left: Value, right: Value, active: Mask) -> Value | None:
    """Two tuples or two lists of scalars, each of one length: the first items that differ decide, then the lengths."""
    if operator not in COMPARE or operator[0] not in "<>":
        return None
    one, other = (as_lists(merger.at(value, active.space), active.space) for value in (left, right))
    if (
        one is None
        or other is None
        or one.tuples is not other.tuples
        or one.lengths is not None
        or other.lengths is not None
    ):
        return None
    found: Value = Uniform(COMPARE[operator](len(one.items), len(other.items)))
    for pair in reversed([*zip(one.items, other.items, strict=False)]):
        equal, decided = (compare(merger, by, *pair, active) for by in ("==", operator))
        bits = None if equal is None else truth(merger, equal, active)
        if bits is None or decided is None or any(_may_be_nan(merger, item, active) for item in pair):
            return None
        found = merger.merge(active.space, ~bits, merger.at(decided, active.space), merger.at(found, active.space))
    return found


def _searched(merger: LaneMerger, arguments: Sequence[Value], active: Mask) -> list[Bits] | None:
    lists = as_lists(merger.at(arguments[0], active.space), active.space)
    return None if lists is None or len(arguments) != 2 else equal_items(merger, lists, arguments[1], active)


def _count(
    merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    equal = _searched(merger, arguments, active)
    if equal is None:
        return None
    total = np.zeros(active.space.size, np.int64)
    for bits in equal:
        total += bits
    return Result(Numbers(active.space, total, Tag.INT, max(len(equal), 1)))


def _index(
    merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    equal = _searched(merger, arguments, active)
    if equal is None:
        return None
    # As many as stand before the first one that is equal.
    where: Array = np.zeros(active.space.size, np.uint8 if len(equal) <= _BYTE else np.int64)
    missing = everywhere(active)
    for bits in equal:
        missing = missing & ~bits
        where += missing
    return Result(
        Numbers(active.space, where.astype(np.int64), Tag.INT, max(len(equal), 1)), missing if missing.any() else None
    )


def _bisect(side: Literal["left", "right"]) -> Known:
    """Numbers among edges in order."""

    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        edges = arguments[0]
        one = number(merger, arguments[1], active) if len(arguments) == 2 and not keywords else None
        if one is not None and not isinstance(edges, Uniform):
            return _bisect_in_each(merger, edges, one, active, side)
        if one is None or not isinstance(edges, Uniform) or not isinstance(edges.value, list | tuple):
            return None
        # As floats, integers have to be themselves.
        if not all(type(edge) is float or (type(edge) is int and abs(edge) <= EXACT) for edge in edges.value):
            return None
        if one.tag not in FLOATS and one.bound > EXACT:
            return None
        ordered = np.array(edges.value, np.float64)
        # NaN is neither below nor above anything for Python.
        if not (ordered[1:] >= ordered[:-1]).all() or np.isnan(ordered).any() or np.isnan(one.data).any():
            return None
        found = np.searchsorted(ordered, one.data.astype(np.float64), side)
        return Result(Numbers(active.space, found.astype(np.int64), Tag.INT, max(len(ordered), 1)))

    return call


def _bisect_in_each(
    merger: LaneMerger, edges: Value, one: Operand, active: Mask, side: Literal["left", "right"]
) -> Result | None:
    """Floats among edges that each lane has its own of."""
    lists = as_lists(merger.at(edges, active.space), active.space)
    if lists is None or lists.lengths is not None or not lists.items or one.tag not in FLOATS:
        return None
    numbers = [number(merger, item, active) for item in lists.items]
    rows = [edge.data for edge in numbers if edge is not None and edge.tag in FLOATS]
    # In lanes whose edges are in no order, or not to be compared, Python's own halving decides.
    if len(rows) < len(numbers) or not all(holds(low <= high, active.bits) for low, high in pairwise(rows)):
        return None
    if not all(holds(~np.isnan(data), active.bits) for data in (*rows, one.data)):
        return None
    found: Any = sum((row <= one.data if side == "right" else row < one.data).astype(np.int64) for row in rows)
    return Result(Numbers(active.space, np.broadcast_to(found, (active.space.size,)), Tag.INT, len(rows)))


KNOWN: Mapping[str, Known] = {
    "bisect.bisect": _bisect("right"),
    "bisect.bisect_right": _bisect("right"),
    "bisect.bisect_left": _bisect("left"),
}

METHODS: Mapping[str, Known] = {"count": _count, "index": _index}
"""Methods of lists, with the receiver as the first argument."""


def membership(merger: LaneMerger, operator: str, left: Value, right: Value, active: Mask) -> Value | None:
    """`item in list` and `item not in list`."""
    equal = _searched(merger, [right, left], active) if operator in ("in", "not in") else None
    if equal is None:
        return None
    found: Bits = np.zeros(active.space.size, np.bool_)
    for bits in equal:
        found |= bits
    return Numbers(active.space, found if operator == "in" else ~found, Tag.BOOL)
