"""The noncentral chi-square distribution: the sum of df squares of normal draws, whose squared means sum to nonc."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import Parameter, positive
from ..signatures import numpy, scipy

DISTRIBUTION = Distribution(
    name="noncentral_chisquare",
    parameters=(positive("df"), Parameter("nonc", low=0.0)),
    draws=(*numpy("noncentral_chisquare", "df", "nonc"), *scipy("ncx2", "df", "nc=nonc")),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda nonc: nonc,  # the sum of the squares of the means
        support=lambda: (0.0, math.inf),
    ),
)
