"""The noncentral chi-square distribution: the sum of df squares of normal draws, whose squared means sum to nonc."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import Law
from ..numerics import LOG_2, np, special
from ..parameters import Parameter, positive
from ..signatures import numpy, scipy
from .gamma import log_density


def _log_density(x: Any, df: Any, nonc: Any) -> Any:
    order = df / 2.0 - 1.0
    bessel = special.ive(order, np.sqrt(nonc * x))
    log = special.xlogy(order / 2.0, x / nonc) - (np.sqrt(x) - np.sqrt(nonc)) ** 2 / 2.0 + np.log(bessel) - LOG_2
    central = log_density(x / 2.0, df / 2.0) - LOG_2
    return np.where(x > 0.0, np.where(nonc > 0.0, log, central), central - nonc / 2.0)


def _cdf(x: Any, df: Any, nonc: Any) -> Any:
    above = np.maximum(x, 0.0)
    return np.where(nonc > 0.0, special.chndtr(above, df, nonc), special.gammainc(df / 2.0, above / 2.0))


DISTRIBUTION = Distribution(
    name="noncentral_chisquare",
    parameters=(positive("df"), Parameter("nonc", low=0.0)),
    draws=(*numpy("noncentral_chisquare", "df", "nonc"), *scipy("ncx2", "df", "nc=nonc")),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda nonc: nonc,  # the sum of the squares of the means
        support=lambda: (0.0, math.inf),
    ),
    law=Law(log_density=_log_density, cdf=_cdf),
)
