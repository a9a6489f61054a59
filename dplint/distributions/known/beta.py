"""The beta distribution: density x^(a - 1) (1 - x)^(b - 1) / B(a, b) on [0, 1]."""

from __future__ import annotations

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import positive
from ..signatures import numpy, python, scipy, torch_class

DISTRIBUTION = Distribution(
    name="beta",
    parameters=(positive("a"), positive("b")),
    draws=(
        *numpy("beta", "a", "b"),
        *python("betavariate", "alpha=a", "beta=b"),
        *scipy("beta", "a", "b"),
        *torch_class("Beta", "concentration1=a", "concentration0=b"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda a, b: a / (a + b),  # the mean
        support=lambda: (0.0, 1.0),
    ),
)
