"""The gamma distribution: density z^(shape - 1) e^(-z) / Gamma(shape) of z = x / scale >= 0."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import positive
from ..signatures import numpy, python, scipy, standard, torch_class

DISTRIBUTION = Distribution(
    name="gamma",
    parameters=(positive("shape"), positive("scale", 1.0)),
    draws=(
        *numpy("gamma", "shape", ("scale", 1.0)),
        *standard("standard_gamma", "shape", fixed=(("scale", 1.0),)),
        *python("gammavariate", "alpha=shape", "beta=scale"),
        *scipy("gamma", "a=shape"),
        *torch_class("Gamma", "concentration=shape", "rate=1/scale"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda: 0.0,  # nothing is added, as for exponential noise
        support=lambda: (0.0, math.inf),
        scale=lambda scale: scale,
    ),
)
