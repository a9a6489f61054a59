"""The logarithmic series distribution: the probability of k >= 1 is proportional to p^k / k."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import Parameter
from ..signatures import numpy, scipy

DISTRIBUTION = Distribution(
    name="logseries",
    parameters=(Parameter("p", low=0.0, above=True, high=1.0, below=True),),
    draws=(*numpy("logseries", "p"), *scipy("logser", "p", discrete=True)),
    outcomes=Outcomes.INTEGER,
    formulas=Formulas(
        centre=lambda: 1,  # the least and the likeliest
        support=lambda: (1, math.inf),
    ),
    # Its tail is 2F1(1, k + 1; k + 2; p), which SciPy does not have for large k and p near 1.
)
