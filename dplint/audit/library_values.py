"""What functions of libraries might give, for runs of a reading that rests on their claims.

A proof knows nothing of what they give. So any value will do that they can give: within the bounds that they are given,
and near the number that noise is added to.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dplint.program.library_claims import BY_DEFAULT, CALLED_WITH, OPENDP_LAPLACE, seen_as

_WIDTHS = {"var": 2, "nanvar": 2, "std": 1, "nanstd": 1}
_BINS = 10
"""Of a histogram, where nothing else is said."""


def seen_parameters(function: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """What can be seen of a call: not what a measurement makes of its data before it adds noise."""
    hidden = {BY_DEFAULT, *(("value", "scale") if function == OPENDP_LAPLACE else ())}
    return {name: value for name, value in parameters.items() if name not in hidden}


def value_of(function: str, parameters: Mapping[str, Any], chance: np.random.Generator) -> Any:
    """A value that a call may give, of its type."""
    name = seen_as(function).rpartition(".")[2]
    if "value" in parameters:
        return _near(parameters, chance)
    if name == "histogram":
        bins, (low, high) = parameters.get("bins", _BINS), parameters["range"]
        return chance.integers(0, 9, bins), np.linspace(low, high, bins + 1)
    data = parameters["array"]
    if name == "count_nonzero":
        return int(chance.integers(0, len(data) + 1))
    low, high = map(float, parameters["bounds"])
    if name in _WIDTHS:
        return float(chance.uniform(0, ((high - low) / 2) ** _WIDTHS[name]))
    times = len(data) if name in ("sum", "nansum") else 1
    return float(chance.uniform(low * times, high * times))


def _near(parameters: Mapping[str, Any], chance: np.random.Generator) -> Any:
    """A number, or each of some, with noise; whole where a measurement is given whole numbers."""
    value = parameters["value"]
    if isinstance(value, list | tuple | np.ndarray):
        return [_near({**parameters, "value": one}, chance) for one in value]
    measured = CALLED_WITH in parameters
    scale = parameters["scale"] if "scale" in parameters else parameters["sensitivity"] / parameters["epsilon"]
    noise = float(chance.laplace(0, scale))
    drawn = value + round(noise) if measured and isinstance(value, int | np.integer) else float(value) + noise
    low, high = parameters.get("lower", drawn), parameters.get("upper", drawn)
    return min(max(drawn, low), high)
