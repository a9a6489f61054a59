"""Whether many runs at once give what the user's own function gives on the same draws."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dplint.runner.batch import Batch, Group, LeafKind

_TEXTUAL = np.zeros(max(LeafKind) + 1, np.bool_)
_TEXTUAL[[LeafKind.STRING, LeafKind.BIGINT, LeafKind.OTHER]] = True


def first_difference(lanes: Batch, function: Batch, tolerance: float = 0.0) -> int | None:
    """The first run whose outputs differ; None if there is none.

    tolerance: by which floats may differ, relative to the larger one or to 1.
    """
    differing = np.ones(lanes.runs, np.bool_)
    theirs = {group.skeleton: _ordered(group, function) for group in function.groups}
    for group in lanes.groups:
        other = theirs.get(group.skeleton)
        if other is None:
            continue
        mine = _ordered(group, lanes)
        _, here, there = np.intersect1d(mine.rows, other.rows, assume_unique=True, return_indices=True)
        equal = (mine.kinds[here] == other.kinds[there]).all(axis=1)
        equal &= _equal(mine.values[here], other.values[there], mine.kinds[here], tolerance).all(axis=1)
        differing[mine.rows[here[equal]]] = False
    return int(differing.argmax()) if differing.any() else None


def _ordered(group: Group, batch: Batch) -> Group:
    """The group with texts instead of their numbers: a hash that both batches share."""
    textual = _TEXTUAL[group.kinds]
    if not textual.any():
        return group
    codes = np.array([float(hash(text) % 2**52) for text in batch.strings], np.float64)
    values = group.values.copy()
    values[textual] = codes[values[textual].astype(np.intp)]
    return Group(group.skeleton, group.rows, group.kinds, values)


def _equal(one: NDArray[Any], other: NDArray[Any], kinds: NDArray[np.uint8], tolerance: float) -> NDArray[np.bool_]:
    left, right = one.astype(np.float64, copy=False), other.astype(np.float64, copy=False)
    same: NDArray[np.bool_] = (left == right) & (np.signbit(left) == np.signbit(right))
    same |= np.isnan(left) & np.isnan(right)
    if not tolerance:
        return same
    with np.errstate(invalid="ignore"):
        larger = np.maximum(np.abs(left), np.abs(right))
        close = np.abs(left - right) <= np.minimum(tolerance * np.maximum(larger, 1.0), np.finfo(np.float64).max)
    return np.asarray(same | (close & (kinds == LeafKind.FLOAT)))
