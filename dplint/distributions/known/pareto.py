"""The Pareto distribution: survival function (1 + z)^(-a) of z = x - loc >= 0.

NumPy draws it with loc = 0, which is also called the Lomax distribution, `random` with loc = 1.
"""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import Law, ShiftCost
from ..numerics import np
from ..parameters import positive, real
from ..signatures import numpy, python, scipy, torch_class


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    return parameters["loc"] + generator.pareto(parameters["a"], shape)


def _log(z: Any) -> Any:
    return np.log1p(np.maximum(z, 0.0))


DISTRIBUTION = Distribution(
    name="pareto",
    parameters=(positive("a"), real("loc", 0.0)),
    draws=(
        *numpy("pareto", "a", fixed=(("loc", 0.0),)),
        *python("paretovariate", "alpha=a", fixed=(("loc", 1.0),)),
        *scipy("lomax", "c=a"),
        *scipy("pareto", "b=a"),
        *torch_class("Pareto", "scale", "alpha=a"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda loc: loc,  # the lowest: nothing is added
        support=lambda loc: (loc, math.inf),
        location=lambda loc: loc,
    ),
    law=Law(
        log_density=lambda z, a: np.where(z >= 0.0, np.log(a) - (a + 1.0) * _log(z), -np.inf),
        cdf=lambda z, a: -np.expm1(-a * _log(z)),
        survival=lambda z, a: np.exp(-a * _log(z)),
        standard=True,
    ),
    sampler=_sample,
    # (a + 1) log((1 + z + s) / (1 + z)) is largest at z = 0; a draw below -s would be moved to what is not possible.
    shift=ShiftCost(cost=lambda shift, a: (a + 1.0) * np.log1p(shift)),
)
