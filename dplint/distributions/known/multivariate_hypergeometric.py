"""The multivariate hypergeometric distribution: how many of each colour are drawn, none twice."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import other, whole
from ..signatures import GENERATOR, SIZE, Argument, outside, scipy

DISTRIBUTION = Distribution(
    name="multivariate_hypergeometric",
    parameters=(other("colors"), whole("nsample")),
    draws=(
        *outside(
            GENERATOR,
            "multivariate_hypergeometric",
            "colors",
            "nsample",
            Argument("size", SIZE, None),
            Argument("method", None, "marginals"),
        ),
        *scipy("multivariate_hypergeom", "m=colors", "n=nsample", discrete=True),
    ),
    outcomes=Outcomes.VECTOR,
    # Of each count the whole number nearest to its mean; they need not sum to nsample.
    formulas=Formulas(centre=lambda colors, nsample: [math.floor(nsample * one / sum(colors) + 0.5) for one in colors]),
)
