"""The Weibull distribution: survival function e^(-z^a) of z = x / scale >= 0."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import positive
from ..sampling import scaled
from ..signatures import numpy, python, scipy, torch_class


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    return scaled(lambda shape: generator.weibull(parameters["a"], shape), parameters, shape)


DISTRIBUTION = Distribution(
    name="weibull",
    parameters=(positive("a"), positive("scale", 1.0)),
    draws=(
        *numpy("weibull", "a", fixed=(("scale", 1.0),)),
        *python("weibullvariate", "alpha=scale", "beta=a"),
        *scipy("weibull_min", "c=a"),
        *torch_class("Weibull", "scale", "concentration=a"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda: 0.0,  # nothing is added
        support=lambda: (0.0, math.inf),
        scale=lambda scale: scale,
    ),
    sampler=_sample,
)
