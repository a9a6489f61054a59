"""Student's t distribution with df degrees of freedom, of z = (x - loc) / scale."""

from __future__ import annotations

from typing import Any

from ..distribution import Distribution, Outcomes, of_location_and_scale
from ..law import ShiftCost
from ..parameters import positive, real
from ..sampling import scaled
from ..signatures import numpy, scipy, torch_class


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    return scaled(lambda shape: generator.standard_t(parameters["df"], shape), parameters, shape)


DISTRIBUTION = Distribution(
    name="student_t",
    parameters=(positive("df"), real("loc", 0.0), positive("scale", 1.0)),
    draws=(
        *numpy("standard_t", "df", fixed=(("loc", 0.0), ("scale", 1.0)), distinctive=True),
        *scipy("t", "df"),
        *torch_class("StudentT", "df", ("loc", 0.0), ("scale", 1.0)),
    ),
    outcomes=Outcomes.REAL,
    formulas=of_location_and_scale(-6, 6),
    sampler=_sample,
    # As for Cauchy noise, with z / sqrt(df) for z and the power (df + 1) / 2.
    shift=ShiftCost("bounded", downward=True),
    noise=True,
)
