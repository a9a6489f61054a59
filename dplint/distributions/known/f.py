"""The F distribution with dfnum and dfden degrees of freedom."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import positive
from ..signatures import numpy, scipy, torch_class

DISTRIBUTION = Distribution(
    name="f",
    parameters=(positive("dfnum"), positive("dfden")),
    draws=(
        *numpy("f", "dfnum", "dfden"),
        *scipy("f", "dfn=dfnum", "dfd=dfden"),
        *torch_class("FisherSnedecor", "df1=dfnum", "df2=dfden"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda: 1.0,  # where numerator and denominator are alike
        support=lambda: (0.0, math.inf),
    ),
)
