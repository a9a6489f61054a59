"""The negative binomial distribution: the number of failures before the n-th success; n may be any positive number."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import Parameter, positive
from ..signatures import numpy, scipy, torch_class

DISTRIBUTION = Distribution(
    name="negative_binomial",
    parameters=(positive("n"), Parameter("p", low=0.0, above=True, high=1.0)),
    draws=(
        *numpy("negative_binomial", "n", "p"),
        *scipy("nbinom", "n", "p", discrete=True),
        # Its probs are those of what it counts.
        *torch_class("NegativeBinomial", "total_count=n", ("probs", None), ("logits", None)),
    ),
    outcomes=Outcomes.INTEGER,
    formulas=Formulas(
        centre=lambda n, p: math.floor(n * (1 - p) / p + 0.5),  # the whole number nearest to the mean
        support=lambda: (0, math.inf),
    ),
)
