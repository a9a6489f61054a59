"""The chi-square distribution with df degrees of freedom: a gamma distribution of shape df / 2 and scale 2."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..law import Law, ShiftCost
from ..numerics import LOG_2, np, special
from ..parameters import positive
from ..signatures import numpy, scipy, torch_class
from .gamma import log_density

DISTRIBUTION = Distribution(
    name="chisquare",
    parameters=(positive("df"),),
    draws=(*numpy("chisquare", "df"), *scipy("chi2", "df"), *torch_class("Chi2", "df")),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda: 0.0,  # as for gamma noise
        support=lambda: (0.0, math.inf),
    ),
    law=Law(
        log_density=lambda x, df: log_density(x / 2.0, df / 2.0) - LOG_2,
        cdf=lambda x, df: special.gammainc(df / 2.0, np.maximum(x, 0.0) / 2.0),
        survival=lambda x, df: special.gammaincc(df / 2.0, np.maximum(x, 0.0) / 2.0),
    ),
    # As for the gamma distribution.
    shift=ShiftCost(per_unit=lambda: 0.5, where=lambda df: df >= 2.0),
)
