"""The Rayleigh distribution: density z e^(-z^2 / 2) of z = x / scale >= 0."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import INFINITE, Law
from ..numerics import np
from ..parameters import positive
from ..signatures import numpy, scipy


def _half_square(z: Any) -> Any:
    return np.maximum(z, 0.0) ** 2 / 2.0


DISTRIBUTION = Distribution(
    name="rayleigh",
    parameters=(positive("scale", 1.0),),
    draws=(*numpy("rayleigh", ("scale", 1.0)), *scipy("rayleigh")),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda: 0.0,  # nothing is added
        support=lambda: (0.0, math.inf),
        scale=lambda scale: scale,
        bulk=lambda: (0, 3),
    ),
    law=Law(
        log_density=lambda z: np.where(z >= 0.0, np.log(np.maximum(z, 0.0)) - _half_square(z), -np.inf),
        cdf=lambda z: -np.expm1(-_half_square(z)),
        survival=lambda z: np.exp(-_half_square(z)),
        standard=True,
    ),
    # log f(z) - log f(z + s) = log z - log(z + s) + s z + s^2 / 2 grows without bound.
    shift=INFINITE,
)
