"""Laws of noise in standard form, cut off at two ends: their mass, and the sample that a uniform number stands for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dplint.distributions import Law
from dplint.readings.ghk.reals import Array, Real, difference, scaled

_TINY = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class StandardLaw:
    """A law that has all functions."""

    law: Law

    def density(self, z: Any) -> Any:
        """0 outside of the support, and at infinity."""
        with np.errstate(all="ignore"):
            assert self.law.log_density is not None
            found = np.exp(self.law.log_density(z))
            return np.where(np.isfinite(z) & np.isfinite(found), found, 0.0)

    def mass(self, low: Real, high: Real) -> Real:
        """P(low < z < high), with full relative accuracy in both tails."""
        with np.errstate(all="ignore"):
            upper = self._cdf(low.value) > 0.5
            above = self._survival(low.value) - self._survival(high.value)
            value = np.maximum(np.where(upper, above, self._cdf(high.value) - self._cdf(low.value)), 0.0)[()]
        top, bottom = (scaled(end.gradient, self.density(end.value)) for end in (high, low))
        return Real(value, difference(top, bottom))

    def sample(self, low: Real, high: Real, uniform: Array) -> Real:
        """The number between the ends that has this share of the mass below it, with its derivatives."""
        with np.errstate(all="ignore"):
            upper = self._cdf(low.value) > 0.5
            above, rest = self._survival(low.value), self._survival(high.value)
            below, most = self._cdf(low.value), self._cdf(high.value)
            share = np.where(upper, above - uniform * (above - rest), below + uniform * (most - below))
            share = np.clip(share, _TINY, 1.0 - 1e-16)
            quantile, upper_quantile = self.law.quantile, self.law.upper_quantile
            assert quantile is not None
            assert upper_quantile is not None
            value = np.where(upper, upper_quantile(share), quantile(share))
            here = np.maximum(self.density(value), _TINY)
            bottom = scaled(low.gradient, -(1 - uniform) * self.density(low.value) / here)
            top = scaled(high.gradient, uniform * self.density(high.value) / here)
        return Real(value, difference(top, bottom))

    def _cdf(self, z: Any) -> Any:
        assert self.law.cdf is not None
        return np.clip(self.law.cdf(z), 0.0, 1.0)

    def _survival(self, z: Any) -> Any:
        assert self.law.survival is not None
        return np.clip(self.law.survival(z), 0.0, 1.0)
