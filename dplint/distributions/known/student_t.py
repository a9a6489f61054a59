"""Student's t distribution with df degrees of freedom, of z = (x - loc) / scale."""

from __future__ import annotations

from typing import Any

from ..distribution import Distribution, Outcomes, of_location_and_scale
from ..law import Law, ShiftCost
from ..numerics import np, special
from ..parameters import positive, real
from ..sampling import scaled
from ..signatures import numpy, scipy, torch_class


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    return scaled(lambda shape: generator.standard_t(parameters["df"], shape), parameters, shape)


def _log_density(z: Any, df: Any) -> Any:
    far = np.abs(z)
    tail = np.where(far < 1e100, np.log1p(z * z / df), 2.0 * np.log(far) - np.log(df))
    return -(df + 1.0) / 2.0 * tail - np.log(df) / 2.0 - special.betaln(df / 2.0, 0.5)


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
    law=Law(
        log_density=_log_density,
        cdf=lambda z, df: special.stdtr(df, z),
        survival=lambda z, df: special.stdtr(df, -z),
        standard=True,
    ),
    sampler=_sample,
    # As for Cauchy noise, with z / sqrt(df) for z and the power (df + 1) / 2.
    shift=ShiftCost(
        cost=lambda shift, df, scale: (df + 1.0) * np.arcsinh(shift / (2.0 * scale * np.sqrt(df))), downward=True
    ),
    noise=True,
)
