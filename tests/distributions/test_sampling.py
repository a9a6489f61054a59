"""Draws for many runs at once have their law: against SciPy's distribution functions, under fixed seeds.

A draw from a law with distribution function F, put through F, is uniform; of a discrete law, the jump at what was drawn
is spread out evenly by a random number of our own. So one Kolmogorov-Smirnov test serves all laws, also where each lane
has parameters of its own. A right sampler fails one with probability LEVEL, had the seed not been fixed.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from dplint.distributions import Outcomes, distributions, of

LEVEL = 1e-7
RUNS = 100_000


class WholeGaussian:
    """Masses proportional to e^(-k^2 / (2 s)), of which those beyond 60 are nothing for an s of at most 8."""

    dist = None

    def __init__(self, sigma_squared):
        self._numbers = np.arange(-60, 61)
        masses = np.exp(-(self._numbers**2) / (2 * np.atleast_1d(sigma_squared)[:, None]))
        self._masses = masses / masses.sum(1, keepdims=True)

    def pmf(self, k):
        return (self._masses * (self._numbers == k[:, None])).sum(1)

    def cdf(self, k):
        return (self._masses * (self._numbers <= k[:, None])).sum(1)


LAWS = {
    "laplace": (stats.laplace, {"loc": (-1.0, 5.0), "scale": (0.3, 4.0)}),
    "normal": (stats.norm, {"loc": (-1.0, 5.0), "scale": (0.3, 4.0)}),
    "gumbel": (stats.gumbel_r, {"loc": (-1.0, 5.0), "scale": (0.3, 4.0)}),
    "logistic": (stats.logistic, {"loc": (-1.0, 5.0), "scale": (0.3, 4.0)}),
    "exponential": (lambda scale: stats.expon(scale=scale), {"scale": (0.3, 4.0)}),
    "uniform": (lambda low, high: stats.uniform(low, high - low), {"low": (-2.0, 1.0), "high": (1.5, 9.0)}),
    "random": (stats.uniform, {}),
    "geometric": (stats.geom, {"p": (0.1, 0.9)}),
    "binomial": (stats.binom, {"n": (2, 40), "p": (0.1, 0.9)}),
    "poisson": (lambda lam: stats.poisson(mu=lam), {"lam": (0.2, 20.0)}),
    "integers": (
        lambda low, high, endpoint: stats.randint(low, high + endpoint),
        {"low": (-3, 2), "high": (3, 12), "endpoint": (0, 1)},
    ),
    "beta": (stats.beta, {"a": (0.5, 3.0), "b": (0.5, 3.0)}),
    "chisquare": (stats.chi2, {"df": (0.5, 6.0)}),
    "gamma": (lambda shape, scale: stats.gamma(shape, scale=scale), {"shape": (0.4, 5.0), "scale": (0.3, 4.0)}),
    "lognormal": (
        lambda mean, sigma: stats.lognorm(sigma, scale=np.exp(mean)),
        {"mean": (-1.0, 1.0), "sigma": (0.2, 1.5)},
    ),
    "negative_binomial": (stats.nbinom, {"n": (1, 9), "p": (0.2, 0.9)}),
    "cauchy": (stats.cauchy, {"loc": (-1.0, 5.0), "scale": (0.3, 4.0)}),
    "student_t": (stats.t, {"df": (0.5, 9.0), "loc": (-1.0, 5.0), "scale": (0.3, 4.0)}),
    "rayleigh": (lambda scale: stats.rayleigh(scale=scale), {"scale": (0.3, 4.0)}),
    "weibull": (lambda a, scale: stats.weibull_min(a, scale=scale), {"a": (0.5, 4.0), "scale": (0.3, 4.0)}),
    "pareto": (stats.lomax, {"a": (0.5, 5.0), "loc": (-1.0, 1.0)}),
    "power": (stats.powerlaw, {"a": (0.5, 5.0)}),
    "triangular": (
        lambda left, mode, right: stats.triang((mode - left) / (right - left), left, right - left),
        {"left": (-3.0, -1.0), "mode": (-0.5, 0.5), "right": (1.0, 4.0)},
    ),
    "wald": (lambda mean, scale: stats.invgauss(mean / scale, scale=scale), {"mean": (0.5, 3.0), "scale": (0.5, 4.0)}),
    "f": (stats.f, {"dfnum": (1.0, 9.0), "dfden": (1.0, 9.0)}),
    "noncentral_chisquare": (stats.ncx2, {"df": (0.5, 6.0), "nonc": (0.1, 5.0)}),
    "noncentral_f": (stats.ncf, {"dfnum": (1.0, 9.0), "dfden": (1.0, 9.0), "nonc": (0.1, 5.0)}),
    "discrete_laplace": (stats.dlaplace, {"a": (0.25, 3.0)}),
    "discrete_gaussian": (WholeGaussian, {"sigma_squared": (0.3, 8.0)}),
    "planck": (lambda scale: stats.planck(1 / scale), {"scale": (0.3, 4.0)}),
    "zipf": (stats.zipf, {"a": (2.5, 6.0)}),
    "logseries": (stats.logser, {"p": (0.1, 0.9)}),
    "hypergeometric": (
        lambda ngood, nbad, nsample: stats.hypergeom(ngood + nbad, ngood, nsample),
        {"ngood": (3, 9), "nbad": (3, 9), "nsample": (1, 5)},
    ),
    "vonmises": (lambda mu, kappa: stats.vonmises_line(kappa, loc=mu), {"mu": (0.0, 0.0), "kappa": (0.3, 4.0)}),
}
"""By canonical name: the law, and the range of each parameter."""


def test_every_distribution_of_numbers_has_a_law_here():
    numbers = {name for name, one in distributions().items() if one.outcomes in (Outcomes.REAL, Outcomes.INTEGER)}

    assert LAWS.keys() == numbers


def uniform_scores(law, drawn, seed):
    """What is uniform if the draws have the law."""
    if hasattr(law.dist, "pdf"):
        return law.cdf(drawn)
    return law.cdf(drawn - 1) + np.random.default_rng(seed).random(drawn.shape) * law.pmf(drawn)


def assert_law(law, drawn, seed=99):
    assert stats.kstest(uniform_scores(law, drawn, seed).ravel(), "uniform").pvalue > LEVEL


def generator(seed):
    return np.random.Generator(np.random.SFC64(seed))


def sample(seed, name, parameters, shape):
    return of(name).sample(generator(seed), parameters, shape)


def fixed(ranges):
    """A number for each parameter, of the type of its bounds."""
    return {
        name: (2 * low + high) / 3 if isinstance(low, float) else (low + high) // 2
        for name, (low, high) in ranges.items()
    }


def varied(ranges, seed):
    """A number for each parameter in each lane."""
    rng = np.random.default_rng(seed)
    found = {}
    for name, (low, high) in ranges.items():
        if name == "endpoint" or low == high:
            found[name] = high
        elif isinstance(low, float):
            found[name] = rng.uniform(low, high, RUNS)
        else:
            found[name] = rng.integers(low, high + 1, RUNS)
    return found


@pytest.mark.parametrize("name", LAWS)
def test_a_distribution_with_the_same_parameters_in_all_lanes(name):
    law, ranges = LAWS[name]
    parameters = fixed(ranges)

    drawn = sample(1, name, parameters, (RUNS,))

    assert drawn.shape == (RUNS,)
    assert_law(law(*parameters.values()), drawn)


@pytest.mark.parametrize("name", [name for name, (_, ranges) in LAWS.items() if ranges])
def test_a_distribution_with_parameters_of_each_lane(name):
    law, ranges = LAWS[name]
    parameters = varied(ranges, seed=5)

    drawn = sample(2, name, parameters, (RUNS,))

    assert_law(law(*parameters.values()), drawn)
    # The lanes with the larger half of some parameter have the law, too: no lane got another one's parameters.
    for values in parameters.values():
        if np.ndim(values):
            half = values > np.median(values)
            own = {key: one[half] if np.ndim(one) else one for key, one in parameters.items()}
            assert_law(law(*own.values()), drawn[half])


@pytest.mark.parametrize("name", LAWS)
def test_a_distribution_in_arrays_of_two_dimensions(name):
    law, ranges = LAWS[name]
    parameters = fixed(ranges)
    shape = (2, 3, RUNS // 6)

    drawn = sample(3, name, parameters, shape)

    assert drawn.shape == shape
    for row in drawn.reshape(6, -1):
        assert_law(law(*parameters.values()), row)
    # Entries of one lane's array have nothing to do with each other.
    scores = uniform_scores(law(*parameters.values()), drawn, 7).reshape(6, -1)
    for first in range(6):
        for second in range(first):
            assert stats.spearmanr(scores[first], scores[second]).pvalue > LEVEL


@pytest.mark.parametrize("name", LAWS)
def test_neighbouring_lanes_are_independent(name):
    law, ranges = LAWS[name]
    parameters = fixed(ranges)

    scores = uniform_scores(law(*parameters.values()), sample(4, name, parameters, (RUNS,)), 8)

    # 64 is the number of signs that one random word gives.
    for distance in (1, 2, 63, 64, 65, 128):
        grid = np.histogram2d(scores[:-distance], scores[distance:], bins=8, range=[(0, 1)] * 2)[0]
        assert stats.chi2_contingency(grid).pvalue > LEVEL


@pytest.mark.parametrize(
    ("name", "parameters", "law"),
    [
        ("geometric", {"p": 0.4}, stats.geom(0.4)),
        ("binomial", {"n": 6, "p": 0.3}, stats.binom(6, 0.3)),
        ("poisson", {"lam": 2.5}, stats.poisson(2.5)),
        ("integers", {"low": 0, "high": 7, "endpoint": False}, stats.randint(0, 7)),
        ("negative_binomial", {"n": 3, "p": 0.6}, stats.nbinom(3, 0.6)),
    ],
)
def test_the_counts_of_a_discrete_distribution(name, parameters, law):
    drawn = sample(5, name, parameters, (RUNS,))

    last = int(law.ppf(1 - 20 / RUNS))  # all further ones together, so that every expected count is at least five
    counts = np.bincount(np.minimum(drawn, last), minlength=last + 1)
    expected = np.append(law.pmf(np.arange(last)), law.sf(last - 1)) * RUNS
    possible = expected > 0
    assert not counts[~possible].any()
    assert stats.chisquare(counts[possible], expected[possible]).pvalue > LEVEL


def test_sign_and_magnitude_of_laplace_are_independent():
    drawn = sample(6, "laplace", {"scale": 1.0}, (4 * RUNS,))

    negative = np.signbit(drawn)
    table = [
        np.histogram(stats.expon.cdf(np.abs(drawn[sign])), bins=20, range=(0, 1))[0] for sign in (negative, ~negative)
    ]
    assert stats.chi2_contingency(table).pvalue > LEVEL
    assert stats.binomtest(int(negative.sum()), len(drawn)).pvalue > LEVEL


@pytest.mark.parametrize("shape", [(1,), (63,), (64,), (65,), (2, 33), (3, 2, 11)])
def test_signs_of_laplace_in_shapes_that_do_not_fill_a_word(shape):
    """Each entry is as often negative as positive, over many small draws."""
    source, turns = generator(7), 3000

    negative = sum(np.signbit(of("laplace").sample(source, {"scale": 1.0}, shape)).astype(int) for _ in range(turns))

    assert negative.shape == shape
    assert stats.binom.cdf(negative.min(), turns, 0.5) * negative.size > LEVEL
    assert stats.binom.sf(negative.max() - 1, turns, 0.5) * negative.size > LEVEL


@pytest.mark.parametrize("weights", [None, [0.1, 0.0, 0.6, 0.3]])
def test_choices_by_weights_or_evenly(weights):
    drawn = sample(8, "choice", {"a": 4, "p": weights}, (RUNS,))

    expected = np.array(weights or [0.25] * 4) * RUNS
    counts = np.bincount(drawn, minlength=4)
    assert not counts[expected == 0].any()
    assert stats.chisquare(counts[expected > 0], expected[expected > 0]).pvalue > LEVEL


def test_vectors_have_their_entries_on_the_first_axis():
    drawn = sample(12, "multinomial", {"n": 10, "pvals": [0.2, 0.3, 0.5]}, (2, RUNS))

    assert drawn.shape == (3, 2, RUNS)
    assert (drawn.sum(axis=0) == 10).all()
    for entry, p in zip(drawn, (0.2, 0.3, 0.5), strict=True):
        assert_law(stats.binom(10, p), entry)


def test_permutations_are_uniform_and_independent():
    table = sample(9, "permutation", {"x": 4}, (48 * 1000,))

    code = (table * np.array([[64], [16], [4], [1]])).sum(axis=0)
    kinds, number = np.unique(code, return_inverse=True)
    assert len(kinds) == 24
    assert (np.sort(table, axis=0) == np.arange(4)[:, np.newaxis]).all()
    assert stats.chisquare(np.bincount(number)).pvalue > LEVEL
    grid = np.histogram2d(number[:-1], number[1:], bins=24)[0]
    assert stats.chi2_contingency(grid).pvalue > LEVEL


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("laplace", {"loc": 0.0, "scale": -1.0}),
        ("laplace", {"loc": 0.0, "scale": float("nan")}),
        ("normal", {"loc": 0.0, "scale": np.array([1.0, -1.0])}),
        ("exponential", {"scale": -0.0}),
        ("uniform", {"low": 1.0, "high": 0.0}),
        ("uniform", {"low": 0.0, "high": float("inf")}),
        ("geometric", {"p": 1.5}),
        ("binomial", {"n": -1, "p": 0.5}),
        ("poisson", {"lam": -1.0}),
        ("integers", {"low": 5, "high": 5, "endpoint": False}),
        ("weibull", {"a": 1.0, "scale": -1.0}),
        ("choice", {"a": 3, "p": [0.5, 0.6, 0.7]}),
    ],
)
def test_what_the_generator_would_refuse_is_refused(name, parameters):
    with pytest.raises((ValueError, TypeError, OverflowError)):
        sample(10, name, parameters, (2,))


def test_one_seed_gives_one_sequence_and_another_seed_another():
    first, again, other = (sample(seed, "laplace", {"scale": 1.0}, (1000,)) for seed in (1, 1, 2))

    assert np.array_equal(first, again)
    assert not np.isin(first, other).any()
