"""The Wald (inverse Gaussian) distribution with a mean, and a scale that is its usual parameter lambda."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import positive
from ..signatures import numpy, scipy

DISTRIBUTION = Distribution(
    name="wald",
    parameters=(positive("mean"), positive("scale")),
    draws=(*numpy("wald", "mean", "scale"), *scipy("invgauss", "mu=mean")),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda mean: mean,
        support=lambda: (0.0, math.inf),
    ),
)
