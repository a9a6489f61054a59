"""The power distribution: distribution function x^a on [0, 1]."""

from __future__ import annotations

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import positive
from ..signatures import numpy, scipy

DISTRIBUTION = Distribution(
    name="power",
    parameters=(positive("a"),),
    draws=(*numpy("power", "a"), *scipy("powerlaw", "a")),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda a: a / (a + 1),  # the mean
        support=lambda: (0.0, 1.0),
    ),
)
