"""Functions of the laws of `scipy.stats` on lanes: SciPy's own, element by element, in one call for all lanes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dplint.program.meaning import function_of
from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.arrays import sides_of, wrapped
from dplint.readings.lanes.functions import Known
from dplint.readings.lanes.lane_values import Value
from dplint.readings.lanes.merging import LaneMerger
from dplint.readings.lanes.spaces import Mask


def _of_law(name: str) -> Known:
    def call(
        merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
    ) -> Result | None:
        sides = None if keywords else sides_of(merger, arguments, active)
        value = None if sides is None else wrapped(np.asarray(function_of(name)(*sides)), active)
        return None if value is None else Result(value)

    return call


KNOWN: Mapping[str, Known] = {
    name: _of_law(name)
    for law in ("norm", "laplace", "expon", "logistic")
    for name in (f"scipy.stats.{law}.{function}" for function in ("cdf", "pdf", "ppf", "sf"))
}
"""By name of the function."""
