"""The Zipf (zeta) distribution: the probability of k >= 1 is proportional to k^(-a)."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import Parameter
from ..signatures import numpy, scipy

DISTRIBUTION = Distribution(
    name="zipf",
    parameters=(Parameter("a", low=1.0, above=True),),
    draws=(*numpy("zipf", "a"), *scipy("zipf", "a", discrete=True)),
    outcomes=Outcomes.INTEGER,
    formulas=Formulas(
        centre=lambda: 1,  # the least and the likeliest
        support=lambda: (1, math.inf),
    ),
)
