"""The chi-square distribution with df degrees of freedom: a gamma distribution of shape df / 2 and scale 2."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import positive
from ..signatures import numpy, scipy, torch_class

DISTRIBUTION = Distribution(
    name="chisquare",
    parameters=(positive("df"),),
    draws=(*numpy("chisquare", "df"), *scipy("chi2", "df"), *torch_class("Chi2", "df")),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda: 0.0,  # as for gamma noise
        support=lambda: (0.0, math.inf),
    ),
)
