"""The von Mises distribution of angles: density proportional to e^(kappa cos(x - mu)) on [-pi, pi].

`random` gives angles from 0 to 2 pi, which is no draw of a program.
"""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import Parameter, real
from ..signatures import numpy, outside, scipy, torch_class

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
    noise=True,
)
