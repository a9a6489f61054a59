"""The hypergeometric distribution: how many are good among nsample drawn from ngood and nbad, none twice."""

from __future__ import annotations

import math

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import whole
from ..signatures import numpy, scipy

DISTRIBUTION = Distribution(
    name="hypergeometric",
    parameters=(whole("ngood"), whole("nbad"), whole("nsample")),
    draws=(*numpy("hypergeometric", "ngood", "nbad", "nsample"), *scipy("hypergeom", "M", "n", "N", discrete=True)),
    outcomes=Outcomes.INTEGER,
    formulas=Formulas(
        # The whole number nearest to the mean.
        centre=lambda ngood, nbad, nsample: math.floor(nsample * ngood / (ngood + nbad) + 0.5),
        support=lambda ngood, nbad, nsample: (max(0, nsample - nbad), min(ngood, nsample)),
    ),
    condition=lambda ngood, nbad, nsample: nsample <= ngood + nbad,
)
