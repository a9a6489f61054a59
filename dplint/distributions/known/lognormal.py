"""The lognormal distribution: its logarithm is normal, with that mean and standard deviation."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import positive, real
from ..signatures import numpy, python, scipy, torch_class

DISTRIBUTION = Distribution(
    name="lognormal",
    parameters=(real("mean", 0.0), positive("sigma", 1.0)),
    draws=(
        *numpy("lognormal", ("mean", 0.0), ("sigma", 1.0)),
        *python("lognormvariate", "mu=mean", "sigma"),
        *scipy("lognorm", "s=sigma"),
        *torch_class("LogNormal", "loc=mean", "scale=sigma"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda mean: math.exp(mean),  # the median
        support=lambda: (0.0, math.inf),
    ),
    noise=True,
)
