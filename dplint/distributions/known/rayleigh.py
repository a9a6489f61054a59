"""The Rayleigh distribution: density z e^(-z^2 / 2) of z = x / scale >= 0."""

from __future__ import annotations

from ..distribution import Distribution, Formulas, above
from ..parameters import positive
from ..signatures import numpy, scipy

DISTRIBUTION = Distribution(
    name="rayleigh",
    parameters=(positive("scale", 1.0),),
    draws=(*numpy("rayleigh", ("scale", 1.0)), *scipy("rayleigh")),
    formulas=Formulas(
        centre=lambda: 0.0,  # nothing is added
        support=above(0.0),
        scale=lambda scale: scale,
        bulk=lambda: (0, 3),
    ),
)
