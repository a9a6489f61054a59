"""Sets that a program returns, on lanes: as lists of their items in order, as a runner sends them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.functions import Known, sequence
from dplint.readings.lanes.lane_values import Lists, SetOf, Value
from dplint.readings.lanes.merging import LaneMerger
from dplint.readings.lanes.sorting import KNOWN as ORDERS
from dplint.readings.lanes.spaces import Mask


def _made(*, frozen: bool) -> Known:
    """Of the keys of dicts, of which no two are equal; None where arrays do not order them."""

    def call(
        merger: LaneMerger, arguments: Sequence[Value], _keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        lists = sequence(merger, arguments[0], active)
        if lists is not None and not lists.items:
            return Result(SetOf(lists, frozen))
        found = None if lists is None else ORDERS["sorted"](merger, [lists], {}, active)
        return Result(SetOf(found.value, frozen)) if found is not None and isinstance(found.value, Lists) else None

    return call


KNOWN: Mapping[str, Known] = {"frozenset-of": _made(frozen=True), "set-of": _made(frozen=False)}
"""By name of the function."""
