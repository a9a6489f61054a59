"""NumPy's linear algebra on lanes: a matrix in each lane is one of a stack, on which NumPy does the same one by one.

What gives a named tuple (`eigh`, `svd`, `qr`) is not here: no value of lanes is one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.arrays import as_array, wrapped
from dplint.readings.lanes.functions import Known
from dplint.readings.lanes.lane_values import Array, Value
from dplint.readings.lanes.merging import LaneMerger
from dplint.readings.lanes.spaces import Mask


def _stacked(function: Callable[..., Any], *, matrices: int = 1) -> Known:
    """A function of so many arguments, the first of which is a matrix. None where NumPy raises in some lane."""

    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        arrays = [as_array(merger, one, active) for one in arguments]
        if keywords or len(arguments) != matrices or active.bits is not None:
            return None
        given = [one.data for one in arrays if one is not None]
        if len(given) < matrices or given[0].ndim != 3 or any(one.ndim not in (2, 3) for one in given):
            return None
        if any(one.dtype.kind == "b" or not one.size for one in given):
            return None
        # Several vectors NumPy would take for one matrix.
        stacks = [_by_lane(one if one.ndim == 3 else one[:, np.newaxis]) for one in given]
        try:
            found = function(*stacks)
        except np.linalg.LinAlgError:
            return None  # which lane it is
        # A vector is what was given instead of a matrix of one column.
        flat = len(given) > 1 and given[1].ndim == 2
        value = wrapped(_by_element(found[..., 0] if flat else found), active)
        return None if value is None else Result(value)

    return call


def _by_lane(data: Array) -> Array:
    """The lanes first, one matrix after another in memory."""
    return np.ascontiguousarray(np.moveaxis(data, -1, 0))


def _by_element(data: Any) -> Array:
    """The lanes last."""
    return np.ascontiguousarray(np.moveaxis(np.asarray(data), 0, -1))


KNOWN: Mapping[str, Known] = {
    "numpy.linalg.cholesky": _stacked(np.linalg.cholesky),
    "numpy.linalg.det": _stacked(np.linalg.det),
    "numpy.linalg.eigvalsh": _stacked(np.linalg.eigvalsh),
    "numpy.linalg.inv": _stacked(np.linalg.inv),
    "numpy.linalg.pinv": _stacked(np.linalg.pinv),
    "numpy.linalg.solve": _stacked(np.linalg.solve, matrices=2),
}
"""By name of the function."""
