"""The law of a standardized draw as text: the name of the distribution, and the parameters that are left.

Runs in the user's interpreter, and in the worker that reads it.
"""

from __future__ import annotations

import json
from typing import Any, Dict, Mapping, Tuple

from ..distributions import Distribution, of


def law_key(name: str, shape: Mapping[str, Any]) -> str:
    """The text. shape: the parameters that no location and scale takes away."""
    return name if not shape else f"{name} {json.dumps(shape, sort_keys=True)}"


def read_law(key: str) -> Tuple[Distribution, Dict[str, Any]]:
    """The distribution, and all of its parameters."""
    name, _, shape = key.partition(" ")
    distribution = of(name)
    return distribution, standard_parameters(distribution, json.loads(shape) if shape else {})


def standard_parameters(distribution: Distribution, shape: Mapping[str, Any]) -> Dict[str, Any]:
    """These, and location 0 and scale 1."""
    return {one.name: shape.get(one.name, one.default) for one in distribution.parameters}
