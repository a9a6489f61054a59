"""The hypergeometric distribution: how many are good among nsample drawn from ngood and nbad, none twice."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..law import INFINITE, Law
from ..numerics import np, special
from ..parameters import whole
from ..signatures import numpy, scipy


def _log_ways(n: Any, k: Any) -> Any:
    """The logarithm of n over k."""
    return -np.log1p(n) - special.betaln(n - k + 1.0, k + 1.0)


def _log_density(k: Any, ngood: Any, nbad: Any, nsample: Any) -> Any:
    inside = np.clip(k, np.maximum(nsample - nbad, 0.0), np.minimum(ngood, nsample))
    log = _log_ways(ngood, inside) + _log_ways(nbad, nsample - inside) - _log_ways(ngood + nbad, nsample)
    return np.where(inside == k, log, -np.inf)


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
    law=Law(log_density=_log_density),
    # A shift moves some of what is possible to what is not.
    shift=INFINITE,
    condition=lambda ngood, nbad, nsample: nsample <= ngood + nbad,
)
