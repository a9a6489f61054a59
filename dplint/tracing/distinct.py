"""The few distinct values that many lanes share, so that Python is asked once for each of them and not in each lane."""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

import numpy as np

from .kinds import ARRAY, objects
from .lanes import PerLane, tracer

MOST = 32
"""Distinct values; where there are more, lanes are treated one by one."""


def distinct(value: PerLane) -> Optional[Tuple[Any, Any]]:
    """The distinct values of a scalar as rows, and for each lane which of them it has; None where they are many.

    Objects are told apart by where they are in memory: what chose one of a few texts holds the very same.
    """
    if value.form == ARRAY or value.kinds is not None:
        return None
    rows = tracer.raw(value)
    if rows.dtype == object:
        found, codes = each_once(rows)
        return None if codes is None else (objects(found), codes)
    if rows.dtype.kind not in "iu":
        return None
    low, high = int(rows.min()), int(rows.max())
    if high - low >= MOST:
        return None
    codes = rows - low
    there = np.flatnonzero(np.bincount(codes))
    numbered = np.zeros(high - low + 1, np.intp)
    numbered[there] = np.arange(len(there))
    return (there + low).astype(rows.dtype), numbered[codes]


def each_once(rows: Any) -> Tuple[List[Any], Any]:
    """The objects of an array, each once, and for each row which of them it holds; all and None where they are many."""
    rows = np.ascontiguousarray(rows)
    addresses: Any = np.ndarray(rows.shape, np.intp, buffer=rows)
    found: List[Any] = []
    codes, left = np.zeros(len(rows), np.intp), np.arange(len(rows))
    while len(left):
        if len(found) == MOST:
            return rows.tolist(), None
        is_it = addresses[left] == addresses[left[0]]
        codes[left[is_it]] = len(found)
        found.append(rows[left[0]])
        left = left[~is_it]
    return found, codes


def in_lanes(result: Any, codes: Any) -> Any:
    """What was worked out for the distinct values, in all lanes."""
    if isinstance(result, PerLane):
        spread = PerLane(result.rows[codes], result.form, None if result.kinds is None else result.kinds[codes])
        spread.alias_at = result.alias_at
        return spread
    if isinstance(result, dict):
        return {key: in_lanes(item, codes) for key, item in result.items()}
    if isinstance(result, (list, tuple)):
        items = [in_lanes(item, codes) for item in result]
        return type(result)(*items) if hasattr(result, "_fields") else type(result)(items)
    return result
