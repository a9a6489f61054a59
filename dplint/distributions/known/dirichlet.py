"""The Dirichlet distribution: shares that sum to 1."""

from __future__ import annotations

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import other
from ..signatures import GENERATOR, LEGACY, SIZE, Argument, outside, scipy, torch_class

_SIZE = Argument("size", SIZE, None)

DISTRIBUTION = Distribution(
    name="dirichlet",
    parameters=(other("alpha"),),
    draws=(
        *outside(GENERATOR, "dirichlet", "alpha", _SIZE),
        *outside(LEGACY, "dirichlet", "alpha", _SIZE),
        *scipy("dirichlet", "alpha", discrete=True),
        *torch_class("Dirichlet", "concentration=alpha"),
    ),
    outcomes=Outcomes.VECTOR,
    formulas=Formulas(centre=lambda alpha: [one / sum(alpha) for one in alpha]),  # the mean
)
