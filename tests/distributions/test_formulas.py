"""Centres, supports, locations and scales, pieces and ranges of parameters, by their definitions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from dplint.distributions import NotDefinedError, Outcomes, distributions, of
from tests.distributions.laws import SAMES, Same, each_law

ALL = list(distributions().values())
STANDARD = [same for same in SAMES if same.distribution.is_location_scale]
SYMMETRIC = [
    "laplace",
    "normal",
    "logistic",
    "cauchy",
    "student_t",
    "uniform",
    "random",
    "discrete_laplace",
    "discrete_gaussian",
    "integers",
]


@each_law
def test_the_centre_is_a_possible_value(same: Same) -> None:
    centre = same.distribution.centre(same.parameters)
    low, high = same.distribution.support(same.parameters)

    assert low <= centre <= high
    if same.distribution.is_discrete:
        assert type(centre) is int
        assert same.law.pmf(centre) > 0.0


@pytest.mark.parametrize("same", [one for one in SAMES if one.distribution.name in SYMMETRIC], ids=str)
def test_the_centre_of_symmetric_noise_is_its_median(same: Same) -> None:
    centre = same.distribution.centre(same.parameters)
    if same.distribution.is_discrete:
        middle = (same.law.ppf(0.5) + same.law.isf(0.5 + 1e-9)) / 2
        assert centre == math.floor(middle)
    else:
        assert centre == pytest.approx(same.law.median(), abs=1e-12)


@pytest.mark.parametrize("name", ["exponential", "gamma", "chisquare", "rayleigh", "weibull"])
def test_the_centre_of_one_sided_noise_adds_nothing(name) -> None:
    (same, *_) = [one for one in SAMES if one.distribution.name == name]

    assert same.distribution.centre(same.parameters) == 0.0


@pytest.mark.parametrize("name", ["geometric", "planck", "zipf", "logseries", "discrete_laplace", "discrete_gaussian"])
def test_the_centre_of_falling_counts_is_the_likeliest(name) -> None:
    for same in [one for one in SAMES if one.distribution.name == name]:
        points = np.arange(-50, 50)
        chances = same.law.pmf(points)

        assert points[np.argmax(chances)] == same.distribution.centre(same.parameters)


@pytest.mark.parametrize("name", ["binomial", "poisson", "negative_binomial", "hypergeometric"])
def test_the_centre_of_other_counts_is_within_half_of_the_mean(name) -> None:
    for same in [one for one in SAMES if one.distribution.name == name]:
        assert abs(same.distribution.centre(same.parameters) - same.law.mean()) <= 0.5 + 1e-12


@pytest.mark.parametrize(
    ("name", "parameters", "centre"),
    [
        ("choice", {"a": ["x", "y", "z"]}, "x"),
        ("choice", {"a": 5}, 0),
        ("choice", {"a": "abc"}, "a"),
        ("permutation", {"x": [3, 1, 2]}, [3, 1, 2]),
        ("permutation", {"x": 3}, [0, 1, 2]),
        ("multinomial", {"n": 10, "pvals": [0.25, 0.75]}, [3, 8]),
        ("multivariate_hypergeometric", {"colors": [3, 9], "nsample": 4}, [1, 3]),
        ("dirichlet", {"alpha": [1.0, 3.0]}, [0.25, 0.75]),
        ("multivariate_normal", {"mean": [1.0, 2.0], "cov": None}, [1.0, 2.0]),
    ],
)
def test_centres_that_are_no_numbers(name, parameters, centre) -> None:
    assert of(name).centre(parameters) == centre


def test_formulas_keep_the_kind_of_their_parameters() -> None:
    """Fractions stay fractions, so that exact readers lose nothing."""
    half = Fraction(1, 2)

    assert of("uniform").centre({"low": Fraction(1, 3), "high": Fraction(2, 3)}) == half
    assert isinstance(of("uniform").centre({"low": Fraction(1, 3), "high": Fraction(2, 3)}), Fraction)
    assert of("laplace").centre({"loc": Fraction(1, 3), "scale": 1}) == Fraction(1, 3)
    assert of("uniform").scale({"low": Fraction(1, 3), "high": Fraction(2, 3)}) == Fraction(1, 3)
    assert of("integers").centre({"low": 0, "high": 10, "endpoint": False}) == 4
    assert of("binomial").centre({"n": 4, "p": Fraction(3, 8)}) == 2


@each_law
def test_the_support_is_that_of_scipy(same: Same) -> None:
    low, high = same.distribution.support(same.parameters)

    if same.parameters != {"p": 1.0}:  # of a geometric draw that is always 1, SciPy does not give the end
        assert (low, high) == pytest.approx(same.law.support())


@pytest.mark.parametrize("same", STANDARD, ids=str)
def test_a_draw_is_location_plus_scale_times_z(same: Same) -> None:
    """The probability up to location + scale * z is the same for other locations and scales."""
    distribution, parameters = same.distribution, same.parameters
    location, scale = distribution.location(parameters), distribution.scale(parameters)
    points = np.array([-3.0, -0.4, 0.1, 0.7, 2.0, 9.0])
    moved = {name: 3 * value if name in distribution.scale_parameters else value for name, value in parameters.items()}
    if distribution.name == "uniform":
        moved = {"low": 4.0, "high": 4.0 + 3 * scale}
    elif "loc" in moved:
        moved["loc"] += 5.0

    other = distribution.location(moved) + distribution.scale(moved) * points
    assert same.law.cdf(location + scale * points) == pytest.approx(same.with_parameters(moved).cdf(other))
    assert distribution.scale(moved) == pytest.approx(3 * scale if distribution.scale_parameters else 1.0)


def test_which_draws_are_a_location_and_a_scaled_z() -> None:
    assert {one.name for one in ALL if one.is_location_scale} == {
        *("laplace", "normal", "gumbel", "logistic", "cauchy", "student_t", "exponential", "gamma", "rayleigh"),
        *("weibull", "pareto", "uniform", "random"),
    }
    assert of("uniform").scale_parameters == ("low", "high")
    assert of("gamma").scale_parameters == ("scale",)
    assert of("integers").scale_parameters == ()
    with pytest.raises(NotDefinedError, match=r"beta distribution is not location \+ scale"):
        of("beta").scale({"a": 1, "b": 1})


@pytest.mark.parametrize("same", [one for one in SAMES if one.distribution.formulas.bulk is not None], ids=str)
def test_the_bulk_holds_most_draws_and_the_centre(same: Same) -> None:
    distribution, parameters = same.distribution, same.parameters
    if parameters.get("p") == 0.01:
        return  # of rare successes the bulk is far out, and a few attempts are what readers look at
    low, high = distribution.bulk(parameters)
    if distribution.is_location_scale:
        location, scale = distribution.location(parameters), distribution.scale(parameters)
        low, high = location + scale * low, location + scale * high

    assert low <= distribution.centre(parameters) <= high
    assert same.law.cdf(high) - same.law.cdf(low - 1e-9) >= 0.8


@pytest.mark.parametrize("name", ["laplace", "exponential", "uniform", "random"])
def test_pieces_are_the_density_of_z(name) -> None:
    distribution = of(name)
    points = np.array([-7.3, -1.0, -0.2, 0.3, 0.6, 1.0 - 1e-9, 2.5, 11.0])

    values = np.zeros(len(points))
    for piece in distribution.pieces:
        low = -np.inf if piece.low is None else float(piece.low)
        high = np.inf if piece.high is None else float(piece.high)
        inside = (low < points) & (points < high)
        value = float(piece.coefficient) * points**piece.power * np.exp(float(piece.rate) * points)
        values += np.where(inside, value, 0.0)

    law = {"laplace": stats.laplace, "exponential": stats.expon}.get(name, stats.uniform)
    assert law.pdf(points) == pytest.approx(values, rel=1e-14)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("laplace", {"loc": 0.0, "scale": 0.0}),
        ("laplace", {"loc": 0.0, "scale": -1.0}),
        ("laplace", {"loc": np.nan, "scale": 1.0}),
        ("laplace", {"loc": np.inf, "scale": 1.0}),
        ("uniform", {"low": 1.0, "high": 1.0}),
        ("geometric", {"p": 0.0}),
        ("geometric", {"p": 1.1}),
        ("binomial", {"n": 2.5, "p": 0.5}),
        ("binomial", {"n": -1, "p": 0.5}),
        ("integers", {"low": 3, "high": 3}),
        ("triangular", {"left": 0.0, "mode": 2.0, "right": 1.0}),
        ("zipf", {"a": 1.0}),
        ("gamma", {"shape": 0.0}),
        ("hypergeometric", {"ngood": 1, "nbad": 1, "nsample": 3}),
    ],
)
def test_without_a_law_parameters_are_not_valid(name, parameters) -> None:
    assert not of(name).valid(parameters)


def test_arrays_broadcast_and_only_invalid_entries_are_not_valid() -> None:
    scale = np.array([[1.0], [-1.0], [2.0]])

    found = of("laplace").valid({"loc": np.array([0.0, 1.0]), "scale": scale})

    assert found.tolist() == [[True] * 2, [False] * 2, [True] * 2]


@pytest.mark.parametrize("name", [one.name for one in ALL if one.outcomes in (Outcomes.VECTOR, Outcomes.ITEMS)])
def test_what_is_no_number_has_no_support_and_says_so(name) -> None:
    distribution = of(name)

    assert distribution.law is None
    with pytest.raises(NotDefinedError, match=f"the {name} distribution has no support: one draw is "):
        distribution.support(dict.fromkeys(distribution.names, 2))


def test_what_has_no_bulk_says_so() -> None:
    with pytest.raises(NotDefinedError, match="the wald distribution has no bulk"):
        of("wald").bulk({"mean": 1.0, "scale": 1.0})


def test_parameters_are_checked_by_name() -> None:
    with pytest.raises(ValueError, match="the gamma distribution needs shape"):
        of("gamma").valid({"scale": 1.0})
    with pytest.raises(ValueError, match="the gamma distribution has no parameter k: known are shape, scale"):
        of("gamma").valid({"shape": 1.0, "k": 1.0})


def test_ranges_in_words() -> None:
    assert [parameter.range for parameter in of("laplace").parameters] == ["loc", "scale > 0"]
    assert [parameter.range for parameter in of("binomial").parameters] == ["n >= 0 (whole)", "0 <= p <= 1"]
    assert [parameter.range for parameter in of("geometric").parameters] == ["0 < p <= 1"]
    assert [parameter.range for parameter in of("logseries").parameters] == ["0 < p < 1"]
