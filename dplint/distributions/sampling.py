"""Draws for many runs at once of distributions with a location and a scale."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from .numerics import np


def scaled(draw: Callable[[tuple[int, ...]], Any], parameters: Mapping[str, Any], shape: tuple[int, ...]) -> Any:
    """Loc + scale * z for fresh z, which `draw` makes of a shape.

    Raises ValueError for a scale that NumPy's generators refuse: negative, -0.0 or NaN.
    """
    scale, loc = parameters["scale"], parameters.get("loc", 0.0)
    if type(scale) is float:
        good = scale > 0.0 or (scale == 0.0 and math.copysign(1.0, scale) > 0.0)
    else:
        good = bool(np.all(np.greater_equal(scale, 0.0)) and not np.any(np.signbit(scale)))
    if not good:
        raise ValueError("scale < 0")
    drawn = draw(shape)
    drawn *= scale
    if isinstance(loc, np.ndarray) or loc != 0.0:
        drawn += loc
    return drawn
