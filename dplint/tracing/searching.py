"""Places of numbers in sorted ones; entries of the table and rules of NumPy's functions."""

from __future__ import annotations

import bisect
from typing import Any, Mapping, Sequence

import numpy as np

from .array_calls import array_of, rule
from .each import differs
from .kinds import ARRAY, NUMPY, PYTHON
from .lanes import PerLane, tracer
from .table import DECLINED, entry


@rule(np.searchsorted)
def _searchsorted(_: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    if len(args) != 2 or set(named) - {"side"} or named.get("side", "left") not in ("left", "right"):
        return None
    rows = _places(args[0], args[1], named.get("side", "left"))
    return None if rows is None else PerLane(rows, ARRAY if rows.ndim > 1 else NUMPY)


def _places(items: Any, wanted: Any, side: str) -> Any:
    """Rows of places; None where these are no sorted numbers, or several are looked for in others in each lane."""
    rows = array_of(items) if differs(items) else np.asarray(items)
    numbers = tracer.raw(wanted) if isinstance(wanted, PerLane) else np.asarray(wanted)
    if rows is None or rows.dtype.kind not in "if" or numbers.dtype.kind not in "if" or np.isnan(numbers).any():
        return None
    if isinstance(wanted, PerLane) and wanted.kinds is not None:
        return None
    if np.isnan(rows).any() or (rows[..., 1:] < rows[..., :-1]).any():
        return None
    if not differs(items):
        return np.searchsorted(rows, numbers, side).astype(np.int64) if rows.ndim == 1 else None  # type: ignore[call-overload]
    if rows.ndim != 2 or numbers.ndim > isinstance(wanted, PerLane):
        return None
    column = numbers[:, None] if numbers.ndim else numbers
    return np.count_nonzero(rows <= column if side == "right" else rows < column, axis=1).astype(np.int64)


def _bisect(side: str) -> Any:
    def known(items: Any, wanted: Any, *others: Any, **named: Any) -> Any:
        if others or named or not isinstance(items, (list, tuple)):
            return DECLINED
        rows = _places(items, wanted, side)
        return DECLINED if rows is None else PerLane(rows, PYTHON)

    return known


entry(bisect.bisect_left)(_bisect("left"))
entry(bisect.bisect_right, bisect.bisect)(_bisect("right"))
