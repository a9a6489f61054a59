"""The Pareto distribution: survival function (1 + z)^(-a) of z = x - loc >= 0.

NumPy draws it with loc = 0, which is also called the Lomax distribution, `random` with loc = 1.
"""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import positive, real
from ..signatures import numpy, python, scipy, torch_class


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    return parameters["loc"] + generator.pareto(parameters["a"], shape)


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
    sampler=_sample,
)
