"""`isinstance` on lanes: asked once for each type that values have, not once for each lane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dplint.program.meaning import function_of
from dplint.readings.lanes.arithmetic import Result
from dplint.readings.lanes.functions import Known
from dplint.readings.lanes.lane_values import (
    DTYPES,
    NUMPY,
    Arrays,
    Dicts,
    Keyed,
    Lists,
    Mixed,
    Numbers,
    Ragged,
    Tag,
    Uniform,
    Value,
)
from dplint.readings.lanes.merging import LaneMerger
from dplint.readings.lanes.spaces import Mask

_EXAMPLES: dict[Tag, Any] = {
    Tag.BOOL: False,
    Tag.INT: 0,
    Tag.FLOAT: 0.0,
    Tag.NONE: None,
    Tag.TEXT: "",
    **{tag: DTYPES[tag](0) for tag in NUMPY},
}
"""A value of each type."""


def _isinstance(
    merger: LaneMerger, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask
) -> Result | None:
    """What Python says of another value of the same type."""
    names = [one.value for one in arguments[1:] if isinstance(one, Uniform)]
    if keywords or len(names) + 1 < len(arguments):
        return None
    known = function_of("isinstance")

    def ask(example: Any) -> bool:
        return bool(known(example, *names))

    match merger.at(arguments[0], active.space):
        case Numbers(tag=tag):
            return Result(Uniform(ask(_EXAMPLES[tag])))
        case Mixed(tags=tags):
            found = np.array([ask(_EXAMPLES[tag]) for tag in Tag])
            return Result(Numbers(active.space, found[tags], Tag.BOOL))
        case Lists(tuples=tuples):
            return Result(Uniform(ask(() if tuples else [])))
        case Arrays() | Ragged():
            return Result(Uniform(ask(np.zeros(0))))
        case Dicts(record=None) | Keyed():
            return Result(Uniform(ask({})))
    return None


KNOWN: Mapping[str, Known] = {"isinstance": _isinstance}
"""By name of the function."""
