"""Claims in rho, mu and Renyi divergences against exact losses: what is refuted, by how much, and what is not.

Truths are closed forms, which `fixtures/currency` states with each mechanism.
"""

from __future__ import annotations

import math

import pytest
from scipy import optimize, stats

from dplint.audit.settings import claim_settings
from dplint.outcomes import Result, Violation
from dplint.report.documents import message
from dplint.report.editor import claim_title, verdict_title
from dplint.report.json_document import result_json
from dplint.report.markdown import hover
from tests.audit.conftest import outcome_of
from tests.exact.exact_tools import targets
from tests.exact.test_exact_procedure import alone


def mu_of_pure(epsilon):
    return 2 * stats.norm.ppf(1 / (1 + math.exp(-epsilon)))


def mu_of_total_variation(distance):
    return 2 * stats.norm.ppf((1 + distance) / 2)


def rho_of_laplace(epsilon):
    """The largest of divergence over order (Mironov 2017, proposition 6, and its limit at order 1)."""

    def ratio(a):
        near = math.log(a / (2 * a - 1) * math.exp((a - 1) * epsilon) + (a - 1) / (2 * a - 1) * math.exp(-a * epsilon))
        return near / (a - 1) / a

    return max(epsilon + math.exp(-epsilon) - 1, *(ratio(1 + 1.01**k * 1e-3) for k in range(1200)))


Q = 0.7310585786300049
TRUTHS = {
    "gaussian_a_tenth_off": 0.125,
    "gaussian_half": 0.125,
    "gaussian_variance_as_scale": 8.0,
    "gaussian_mu_a_tenth_off": 1.0,
    "gaussian_renyi_a_tenth_off": 2.0,
    "gaussian_two_answers_move": 0.25,
    "sum_of_replaced": 0.5,
    "histogram_of_replaced": 0.25,
    "laplace_as_bounded_range": rho_of_laplace(0.7),
    "laplace_mu": mu_of_total_variation(1 - math.exp(-0.5)),
    "seldom_without_noise": math.inf,  # with this delta
    "laplace_renyi": math.log(2 / 3 * math.e + math.exp(-2) / 3),
    "response_mu": mu_of_pure(1.0),
    "response_renyi": math.log(Q**2 / (1 - Q) + (1 - Q) ** 2 / Q),
    "uniform_noise": math.inf,
    "two_answers_for_one": 0.25,
    "four_answers_for_two": 0.5,
    "sum_of_larger_records": 0.5,
}


@pytest.mark.process
@pytest.mark.parametrize("name", TRUTHS)
def test_what_is_wrong_is_refuted_by_no_more_than_the_truth(name):
    target = targets("currency/wrong.py")[name]
    outcome, _ = alone(target)
    assert isinstance(outcome, Violation)
    assert outcome.broken is not None
    at = 1 if outcome.broken.kind == "renyi" else 0
    assert outcome.broken.claimed[at] < outcome.broken.least[at] <= TRUTHS[name] * (1 + 1e-9)
    assert outcome.confirmation is None or outcome.confirmation.agrees


def normal_delta(epsilon):
    return stats.norm.cdf(0.5 - epsilon) - math.exp(epsilon) * stats.norm.cdf(-0.5 - epsilon)


CURVES = {
    "laplace_by_curve_a_tenth_off": lambda epsilon: 1 - math.exp((epsilon - 1) / 2),
    "geometric_count_by_curve_of_wider_noise": lambda epsilon: 2 / 3 - math.exp(epsilon) / 3,
    "reply_by_curve_of_two_thirds": lambda epsilon: 0.75 - 0.25 * math.exp(epsilon),
    "gaussian_replaced_by_curve": normal_delta,
}


@pytest.mark.process
@pytest.mark.parametrize("name", CURVES)
def test_a_curve_that_is_too_low_is_refuted_by_no_more_than_the_truth(name):
    outcome = outcome_of(targets("currency/wrong.py")[name], exact_seconds=5.0)
    assert isinstance(outcome, Violation)
    assert outcome.epsilon_lower > outcome.epsilon_tested
    assert CURVES[name](outcome.epsilon_lower) >= outcome.delta_tested * (1 - 1e-9)


@pytest.mark.process
@pytest.mark.parametrize("name", ["gaussian_a_tenth_off", "gaussian_renyi_a_tenth_off"])
def test_how_near_it_comes(name):
    """Where a divergence refutes it, by closed forms, it is the truth but for one percent."""
    outcome, _ = alone(targets("currency/wrong.py")[name])
    at = 1 if outcome.broken.kind == "renyi" else 0
    assert outcome.broken.order is not None
    assert outcome.broken.least[at] >= 0.99 * TRUTHS[name]


@pytest.mark.process
@pytest.mark.parametrize("name", list(targets("currency/right.py")))
def test_what_is_right_is_not_refuted(name):
    """A curve of the project's own is asked in the runner first, which whole audits do."""
    target = targets("currency/right.py")[name]
    curve = target.mechanism.claim.promise.kind == "curve"
    outcome = outcome_of(target, exact_seconds=5.0, max_runs=5_000) if curve else alone(target)[0]
    assert not isinstance(outcome, Violation)


def test_the_points_of_a_promise_share_the_level():
    """One setting for each point and value of the parameter: bets divide alpha by their number."""
    mechanism = targets("currency/right.py")["gaussian_by_rho"].mechanism
    settings = claim_settings(mechanism, (0.2, 0.7, 1.5))
    assert len(settings) == 12
    assert [one.last for one in settings] == [False, False, False, True] * 3
    for one in settings:
        (rho,) = one.promised.amounts
        mu = math.sqrt(2 * rho)
        lost = stats.norm.cdf(mu / 2 - one.epsilon / mu) - math.exp(one.epsilon) * stats.norm.cdf(
            -mu / 2 - one.epsilon / mu
        )
        assert lost <= one.delta  # normal noise of this rho keeps each point


def test_a_lower_bound_for_epsilon_is_one_for_mu():
    """At the point of a violation, the mu of which the exact curve goes through it."""
    (setting, *_) = claim_settings(targets("currency/wrong.py")["gaussian_mu_half"].mechanism, (0.7,))
    broken = setting.broken(1.1 * setting.epsilon)

    def over(mu):
        epsilon = 1.1 * setting.epsilon
        lost = stats.norm.cdf(mu / 2 - epsilon / mu)
        return lost - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu) - setting.delta

    assert broken.least[0] == pytest.approx(optimize.brentq(over, 0.1, 5.0), rel=1e-6)


@pytest.mark.process
def test_words_are_of_the_claim():
    target = targets("currency/wrong.py")["gaussian_a_tenth_off"]
    outcome, _ = alone(target)
    result = Result(target.mechanism, outcome)
    assert "is not 0.1125-zCDP: rho is at least 0.12" in message(result)
    assert claim_title(target.mechanism.claim) == "claims rho = 0.1125"
    assert "where rho = 0.1125 is claimed" in verdict_title(outcome, target.mechanism.claim)
    told = hover(target.mechanism, outcome, "")
    assert "rho = 0.1125" in told
    assert "1e-09 follow from it" in told
    assert "need not refute the claim by itself" in told
    document = result_json(result)
    assert document["claim"]["promise"] == "rho = 0.1125"
    assert document["broken"]["kind"] == "rho"
    assert document["spend"] is None
