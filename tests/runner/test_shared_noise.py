"""Noise that data values share: each has its law, draws of one run are independent, and data values have the same z."""

from __future__ import annotations

import numpy as np
import pytest

from dplint.distributions import Outcomes, of
from dplint.runner.residual import ResidualDraws
from dplint.runner.shared_noise import SharedNoise
from tests.distributions.test_sampling import LAWS, assert_law

LANES = 20_000
SHARED = {"laplace", "normal", "gumbel", "logistic", "cauchy", "exponential", "uniform", "random", "rayleigh"}


def parameters_of(name, share):
    """Parameters so far on the way from the least to the largest of the range."""
    return {one: type(low)(low + share * (high - low)) for one, (low, high) in LAWS[name][1].items()}


def sources(seed=3, count=2):
    """Sources of draws for so many data values, with one noise."""
    shared = SharedNoise(np.random.SeedSequence(seed))
    found = [ResidualDraws() for _ in range(count)]
    for side, source in enumerate(found):
        source.begin(np.random.SeedSequence(seed, spawn_key=(side,)), shared)
    return found


def numbers(source, name, parameters, lanes=LANES):
    return np.array(source.sampled(of(name), parameters, (lanes,)))


@pytest.mark.parametrize("name", sorted(LAWS))
def test_each_data_value_has_the_law(name):
    """The second asks for more than the first, and with other parameters."""
    first, second = sources()

    for source, share, lanes in ((first, 0.3, LANES // 2), (second, 0.6, LANES)):
        parameters = parameters_of(name, share)
        assert_law(LAWS[name][0](*parameters.values()), numbers(source, name, parameters, lanes))


@pytest.mark.parametrize("name", sorted(SHARED))
def test_data_values_have_the_same_noise_scaled(name):
    first, second = sources()
    distribution, (here, there) = of(name), (parameters_of(name, 0.2), parameters_of(name, 0.9))

    found = [
        (numbers(source, name, given) - distribution.location(given)) / distribution.scale(given)
        for source, given in ((first, here), (second, there))
    ]

    np.testing.assert_allclose(*found, rtol=1e-9, atol=1e-12)


def test_what_is_shared_is_every_law_of_numbers_that_is_one_law_scaled():
    alike = {name for name in LAWS if of(name).outcomes is Outcomes.REAL and of(name).is_location_scale}

    assert alike - {name for name in alike if of(name).shape_parameters} == SHARED


@pytest.mark.parametrize("name", sorted(SHARED))
def test_the_draws_of_a_run_are_independent(name):
    """By Spearman's correlation of two draws in a row, and of the same draw in two blocks: six standard errors."""
    (source, _), (other, _) = sources(3), sources(4)
    given = parameters_of(name, 0.5)
    one, two, elsewhere = numbers(source, name, given), numbers(source, name, given), numbers(other, name, given)

    for left, right in ((one, two), (one, elsewhere)):
        ranks = (np.argsort(np.argsort(side)) for side in (left, right))
        assert abs(np.corrcoef(*ranks)[0, 1]) < 6 / np.sqrt(LANES)


@pytest.mark.parametrize("scale", [0.0, -1.0, np.inf, np.nan])
def test_what_may_be_refused_is_left_to_the_sampler(scale):
    shared = SharedNoise(np.random.SeedSequence(1))

    assert shared.draw("laplace", 1, {"loc": 0.0, "scale": scale}, (5,)) is None
    assert shared.draw("laplace", 1, {"loc": 0.0, "scale": np.array([1.0, scale])}, (2,)) is None
