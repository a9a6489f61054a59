"""The triangular distribution: the density rises from `left` to `mode` and falls to `right`."""

from __future__ import annotations

from ..distribution import Distribution, Formulas, Outcomes
from ..parameters import real
from ..signatures import numpy, outside, scipy

DISTRIBUTION = Distribution(
    name="triangular",
    parameters=(real("left"), real("mode"), real("right")),
    draws=(
        *numpy("triangular", "left", "mode", "right"),
        # Its mode may be left out, and is then the middle.
        *outside("python", "triangular", ("low=left", 0.0), ("high=right", 1.0), ("mode", None)),
        *scipy("triang", "c=mode"),
    ),
    outcomes=Outcomes.REAL,
    formulas=Formulas(
        centre=lambda left, mode, right: (left + right) / 2 if mode is None else mode,
        support=lambda left, right: (left, right),
    ),
    condition=lambda left, mode, right: (left <= mode) & (mode <= right) & (left < right),
)
