"""The Poisson distribution with mean lam."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import Parameter
from ..signatures import numpy, scipy, torch, torch_class

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
)
