"""The same laws by SciPy: for each distribution some parameters, and the frozen distribution of `scipy.stats`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dplint.distributions import Distribution, of


class _DiscreteGaussian(stats.rv_discrete):
    """By its definition, which SciPy does not have: sums of the terms that floats hold."""

    def _pmf(self, k, sigma_squared):
        return np.vectorize(self._one)(k, sigma_squared)

    @staticmethod
    def _one(k, sigma_squared):
        reach = 60 + int(60 * math.sqrt(sigma_squared))
        whole = math.fsum(math.exp(-j * j / (2 * sigma_squared)) for j in range(-reach, reach + 1))
        return math.exp(-k * k / (2 * sigma_squared)) / whole

    def _cdf(self, k, sigma_squared):
        return np.vectorize(self._up_to)(k, sigma_squared)

    def _up_to(self, k, sigma_squared):
        if math.isinf(k):
            return float(k > 0)
        if k >= 0:
            return 1.0 - self._up_to(-k - 1, sigma_squared)
        start = -60 - int(60 * math.sqrt(sigma_squared))
        return math.fsum(self._one(j, sigma_squared) for j in range(min(start, int(k)), int(k) + 1))


def _logistic(z):
    return -np.abs(z) - 2.0 * np.log1p(np.exp(-np.abs(z)))


def _cauchy(z):
    far = np.abs(z)
    return np.where(far < 1e100, -np.log1p(z * z), -2.0 * np.log(far)) - np.log(np.pi)


LOG_DENSITIES = {
    "laplace": lambda z: -np.abs(z) - math.log(2),
    "normal": lambda z: -z * z / 2 - math.log(2 * math.pi) / 2,
    "exponential": lambda z: np.where(z >= 0, -z, -np.inf),
    "gumbel": lambda z: -z - np.exp(-z),
    "logistic": _logistic,
    "cauchy": _cauchy,
    **dict.fromkeys(("uniform", "random"), lambda z: np.where((z >= 0) & (z <= 1), 0.0, -np.inf)),
}
"""Of the common noise, in standard form; `test_laws_by_scipy` holds them against SciPy's."""
discrete_gaussian = _DiscreteGaussian(a=-np.inf, name="discrete_gaussian", shapes="sigma_squared")


@dataclass(frozen=True)
class Same:
    """A distribution of ours with its parameters, and the same law of SciPy's.

    tails: whether SciPy's functions are exact far out; where they are not, tails are held against sums and integrals.
    """

    distribution: Distribution
    parameters: dict[str, Any]
    law: Any
    tails: bool = True
    make: Any = None

    def with_parameters(self, parameters: dict[str, Any]) -> Any:
        """SciPy's law of the same name with others."""
        return self.make(*parameters.values())

    def __str__(self) -> str:
        return f"{self.distribution.name}({', '.join(f'{k}={v:g}' for k, v in self.parameters.items())})"

    def _standard(self, x: Any) -> tuple[Any, dict[str, Any], float]:
        """What the functions of the law take, and the scale."""
        distribution, parameters = self.distribution, self.parameters
        shape = {name: parameters[name] for name in distribution.shape_parameters}
        if not distribution.is_location_scale:
            return np.asarray(x, np.float64), shape, 1.0
        location, scale = distribution.location(parameters), distribution.scale(parameters)
        return (np.asarray(x, np.float64) - location) / scale, shape, scale

    def log_density(self, x: Any) -> Any:
        """By its formula, accurate far out, where SciPy's may be the logarithm of 0."""
        z, _, scale = self._standard(x)
        with np.errstate(all="ignore"):
            return LOG_DENSITIES[self.distribution.name](z) - np.log(scale)

    def density(self, x: Any) -> Any:
        return np.exp(self.log_density(x))

    def cdf(self, x: Any) -> Any:
        """By our law, as the next one."""
        z, shape, _ = self._standard(x)
        with np.errstate(all="ignore"):
            return np.clip(self.distribution.law.cdf(z, **shape), 0.0, 1.0)

    def survival(self, x: Any) -> Any:
        z, shape, _ = self._standard(x)
        with np.errstate(all="ignore"):
            return np.clip(self.distribution.law.survival(z, **shape), 0.0, 1.0)

    def inner(self) -> np.ndarray:
        """Points of the support between two small quantiles."""
        least = 1e-4 if self.distribution.is_discrete else 1e-9
        shares = np.concatenate([np.geomspace(least, 0.1, 9), np.linspace(0.15, 0.85, 15)])
        found = np.unique(np.concatenate([self.law.ppf(shares), self.law.isf(shares)]))
        return found[np.isfinite(found)]

    def far(self) -> np.ndarray:
        """Points down to probabilities of 1e-250 on either side; of a discrete law at most the first 400 integers."""
        if self.distribution.is_discrete:
            low = max(self.law.support()[0], -400)
            return np.arange(low - 2, min(self.law.support()[1], low + 400) + 3)
        shares = np.geomspace(1e-250, 1e-10, 13)
        found = np.unique(np.concatenate([self.law.ppf(shares), self.law.isf(shares), [-3.0, 0.25, 40.0]]))
        return found[np.isfinite(found)]


def _same(name: str, law: Any, *parameters: dict[str, Any], tails: bool = True) -> list[Same]:
    """law: takes the values of the parameters in their order."""
    return [Same(of(name), given, law(*given.values()), tails, law) for given in parameters]


PLACES = ({"loc": 0.0, "scale": 1.0}, {"loc": -1.5, "scale": 0.25}, {"loc": 3.0, "scale": 40.0})
SAMES = [
    *_same("laplace", stats.laplace, *PLACES),
    *_same("normal", stats.norm, *PLACES),
    *_same("gumbel", stats.gumbel_r, *PLACES),
    *_same("logistic", stats.logistic, *PLACES),
    *_same("cauchy", stats.cauchy, *PLACES),
    *_same("exponential", lambda scale: stats.expon(scale=scale), {"scale": 1.0}, {"scale": 0.3}),
    *_same(
        "uniform",
        lambda low, high: stats.uniform(low, high - low),
        {"low": -2.0, "high": 1.5},
        tails=False,  # near its ends
    ),
    *_same("random", stats.uniform, {}),
    *_same(
        "student_t",
        stats.t,
        *({"df": df, "loc": 0.5, "scale": 2.0} for df in (0.7, 3.0, 50.0)),
    ),
    *_same(
        "gamma",
        lambda shape, scale: stats.gamma(shape, scale=scale),
        *({"shape": shape, "scale": 2.0} for shape in (0.4, 1.0, 3.0, 60.0)),
    ),
    *_same("chisquare", stats.chi2, {"df": 0.7}, {"df": 2.0}, {"df": 40.0}),
    *_same("beta", stats.beta, {"a": 0.5, "b": 0.5}, {"a": 2.0, "b": 3.0}, {"a": 50.0, "b": 1.0}),
    *_same(
        "lognormal",
        lambda mean, sigma: stats.lognorm(sigma, scale=np.exp(mean)),
        {"mean": 0.3, "sigma": 0.8},
        {"mean": -2.0, "sigma": 2.0},
    ),
    *_same("rayleigh", lambda scale: stats.rayleigh(scale=scale), {"scale": 0.7}),
    *_same(
        "weibull",
        lambda a, scale: stats.weibull_min(a, scale=scale),
        *({"a": a, "scale": 2.0} for a in (0.5, 1.0, 3.0)),
    ),
    *_same("pareto", stats.lomax, {"a": 0.5, "loc": 0.0}, {"a": 3.0, "loc": 1.0}),
    *_same("power", stats.powerlaw, {"a": 0.5}, {"a": 1.0}, {"a": 3.0}),
    *_same(
        "triangular",
        lambda left, mode, right: stats.triang((mode - left) / (right - left), left, right - left),
        *({"left": -1.0, "mode": mode, "right": 3.0} for mode in (-1.0, 0.0, 3.0)),
        tails=False,  # near its ends
    ),
    *_same(
        "vonmises", lambda mu, kappa: stats.vonmises_line(kappa), {"mu": 0.0, "kappa": 0.5}, {"mu": 0.0, "kappa": 40}
    ),
    *_same(
        "wald",
        lambda mean, scale: stats.invgauss(mean / scale, scale=scale),
        {"mean": 1.0, "scale": 2.0},
        {"mean": 3.0, "scale": 0.5},
        tails=False,  # its quantiles
    ),
    *_same(
        "f",
        stats.f,
        {"dfnum": 2.0, "dfden": 3.0},
        {"dfnum": 1.0, "dfden": 10.0},
        {"dfnum": 20.0, "dfden": 4.0},
    ),
    *_same(
        "noncentral_chisquare",
        stats.ncx2,
        {"df": 2.0, "nonc": 3.0},
        {"df": 1.0, "nonc": 10.0},
        tails=False,
    ),
    *_same(
        "noncentral_f",
        stats.ncf,
        {"dfnum": 2.0, "dfden": 3.0, "nonc": 1.0},
        {"dfnum": 1.0, "dfden": 10.0, "nonc": 3.0},
        tails=False,
    ),
    *_same("geometric", stats.geom, {"p": 0.01}, {"p": 0.3}, {"p": 0.999}, {"p": 1.0}),
    *_same(
        "discrete_laplace",
        stats.dlaplace,
        *({"a": a} for a in (5.0, 1.0, 1 / 30)),
        tails=False,  # its survival function is the complement of the other
    ),
    *_same("discrete_gaussian", discrete_gaussian, *({"sigma_squared": one} for one in (0.25, 2.0, 30.0)), tails=False),
    *_same(
        "planck", lambda scale: stats.planck(1 / scale), *({"scale": scale} for scale in (0.2, 1.0, 30.0)), tails=False
    ),
    *_same(
        "binomial",
        stats.binom,
        *({"n": n, "p": p} for n, p in ((1, 0.3), (10, 0.5), (300, 0.01), (5, 0.0), (5, 1.0), (0, 0.5))),
    ),
    *_same("poisson", stats.poisson, *({"lam": lam} for lam in (0.0, 0.1, 3.0, 150.0))),
    *_same(
        "negative_binomial",
        stats.nbinom,
        *({"n": n, "p": p} for n, p in ((1.0, 0.3), (2.5, 0.5), (0.5, 0.1), (40.0, 0.9), (3.0, 1.0))),
    ),
    *_same("integers", lambda low, high, endpoint: stats.randint(low, high), {"low": -2, "high": 5, "endpoint": 0}),
    *_same("integers", lambda low, high, endpoint: stats.randint(low, high + 1), {"low": 3, "high": 4, "endpoint": 1}),
    *_same("zipf", stats.zipf, {"a": 2.0}, {"a": 5.0}, tails=False),  # survival functions by complement
    *_same("logseries", stats.logser, {"p": 0.1}, {"p": 0.6}, {"p": 0.99}, tails=False),
    *_same(
        "hypergeometric",
        lambda ngood, nbad, nsample: stats.hypergeom(ngood + nbad, ngood, nsample),
        {"ngood": 7, "nbad": 5, "nsample": 4},
        {"ngood": 3, "nbad": 2, "nsample": 5},
    ),
]
each_law = pytest.mark.parametrize("same", SAMES, ids=str)


def with_law(*names: str) -> Any:
    """A mark for the laws that define all of these functions."""
    return pytest.mark.parametrize(
        "same",
        [
            one
            for one in SAMES
            if one.distribution.law is not None
            and all(getattr(one.distribution.law, name) is not None for name in names)
        ],
        ids=str,
    )
