"""The noncentral F distribution: F, with a numerator that is noncentral chi-square."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import Parameter, positive
from ..signatures import numpy, scipy

DISTRIBUTION = Distribution(
    name="noncentral_f",
    parameters=(positive("dfnum"), positive("dfden"), Parameter("nonc", low=0.0)),
    draws=(
        *numpy("noncentral_f", "dfnum", "dfden", "nonc"),
        *scipy("ncf", "dfn=dfnum", "dfd=dfden", "nc=nonc"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda: 1.0,  # as for F
        support=lambda: (0.0, math.inf),
    ),
)
