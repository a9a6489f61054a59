"""The von Mises distribution of angles: density proportional to e^(kappa cos(x - mu)) on [-pi, pi].

`random` gives angles from 0 to 2 pi, which is no draw of a program.
"""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import INFINITE, Law
from ..numerics import np, special
from ..parameters import Parameter, real
from ..signatures import numpy, outside, scipy, torch_class


def _log_density(x: Any, mu: Any, kappa: Any) -> Any:
    log = kappa * special.cosm1(x - mu) - np.log(2.0 * np.pi * special.i0e(kappa))
    return np.where(np.abs(x) <= np.pi, log, -np.inf)


DISTRIBUTION = Distribution(
    name="vonmises",
    parameters=(real("mu"), Parameter("kappa", low=0.0)),
    draws=(
        *numpy("vonmises", "mu", "kappa"),
        *outside("python", "vonmisesvariate", "mu", "kappa"),
        *scipy("vonmises", "kappa"),
        *torch_class("VonMises", "loc=mu", "concentration=kappa"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda mu: mu,
        support=lambda: (-math.pi, math.pi),
    ),
    law=Law(log_density=_log_density),
    # A shift moves some of what is possible to what is not.
    shift=INFINITE,
    noise=True,
)
