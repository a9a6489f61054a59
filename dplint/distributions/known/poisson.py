"""The Poisson distribution with mean lam."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import INFINITE, Law
from ..numerics import np, special
from ..parameters import Parameter
from ..signatures import numpy, scipy, torch, torch_class


def _log_density(k: Any, lam: Any) -> Any:
    above = np.maximum(k, 0.0)
    return np.where(k >= 0.0, special.xlogy(above, lam) - special.gammaln(above + 1.0) - lam, -np.inf)


DISTRIBUTION = Distribution(
    name="poisson",
    parameters=(Parameter("lam", 1.0, low=0.0),),
    draws=(
        *numpy("poisson", ("lam", 1.0)),
        *scipy("poisson", "mu=lam", discrete=True, in_programs=True),
        *torch("poisson", "input=lam"),
        *torch_class("Poisson", "rate=lam"),
    ),
    outcomes=Outcomes.INTEGER,
    formulas=Formulas(
        centre=lambda lam: math.floor(lam + 0.5),  # the whole number nearest to the mean
        support=lambda: (0, math.inf),
        bulk=lambda lam: (0, 2 * lam + 3),
    ),
    law=Law(
        log_density=_log_density,
        cdf=lambda k, lam: np.where(k < 0.0, 0.0, special.gammaincc(np.maximum(k, 0.0) + 1.0, lam)),
        survival=lambda k, lam: np.where(k < 0.0, 1.0, special.gammainc(np.maximum(k, 0.0) + 1.0, lam)),
    ),
    # f(k) / f(k + s) = (k + s)! / (k! lam^s) grows without bound.
    shift=INFINITE,
)
