"""Whole audits of mechanisms with nothing to spare, with short rounds and every kind of proposal: few false alarms.

`benchmarks/soundness.py` does the same at scale. Seeds are fixed. Under other seeds a sound engine would fail the
counts with probability below 1e-6 each, by the binomial law at alpha itself.
"""

import math
from dataclasses import replace
from functools import cache
from unittest import mock

import numpy as np
import pytest
from scipy.stats import binom, norm

from benchmarks.in_process import audit_in_process, law_of, mechanism_of
from benchmarks.right_mechanisms import DELTA, EPSILON, Right, gaussian_delta, gaussian_sigma, right_mechanisms
from benchmarks.soundness import ALPHA, EAGER, RECKLESS, limits, simulate
from dplint.audit.betting import proposing
from dplint.audit.betting import rounds as engine
from dplint.audit.betting.portfolio import Portfolio
from dplint.audit.betting.proposing import Lessons
from dplint.claims import Claim, Fixed, Interval
from dplint.events.conditions import Between, ScoreAbove
from dplint.jobs import AuditSettings
from dplint.statistics.betting import log_wealth, optimal_stake
from tests.audit.procedure_tools import at_least, suggesting, suggestion
from tests.examples import one_in

rights = cache(right_mechanisms)
SLOW = {"Laplace histogram", "histogram on lanes", "eight bits", "Gaussian vector"}
"""Learning takes half a second an audit, as their outputs have many elements."""
SHAPED = {"dict of two", "dict of six", "list changed in place", "number in a text"}
RUNS = 10_000


@pytest.fixture(scope="module", params=[2, pytest.param(8, marks=pytest.mark.nightly)], ids=["few", "many"])
def simulated(request):
    """Twenty-two audits, at night sixty-eight; none ends with a violation before its runs are used up."""
    return [
        simulate(name, right, "reckless", RUNS, seed)
        for name, right in rights().items()
        for seed in range(1 if name in SHAPED else max(2, request.param // 4) if name in SLOW else request.param)
    ]


def most(count):
    """The largest number that `count` audits exceed with probability at most 1e-6 if each does with alpha."""
    return int(binom.isf(1e-6, count, ALPHA))


def test_right_claims_are_refuted_no_more_often_than_alpha(simulated):
    """For pure and for (epsilon, delta) claims together, at most 15 of 68, 8 of 22."""
    assert sum(item.alarm for item in simulated) <= most(len(simulated))
    assert most(68) == 15


def test_the_lower_bound_exceeds_the_truth_no_more_often_than_alpha(simulated):
    """At any look: what is reported is the highest bound of all looks. And it is not 0 either."""
    assert sum(item.above for item in simulated) <= most(len(simulated))
    assert np.median([item.lower for item in simulated]) > 0.3


def test_the_mean_of_the_money_is_at_most_one(simulated):
    """Sharper than counting alarms. By optional stopping it is, also for audits that stop where they please."""
    assert_fair([item.money for item in simulated])


def assert_fair(money):
    """Three standard errors; money is capped, which only lowers its mean, so that this is soon said."""
    capped = np.minimum(money, 4.0)
    assert np.mean(capped) <= 1 + 3 * np.std(capped) / math.sqrt(len(capped))


def test_the_worst_event_of_a_right_claim_may_be_suggested():
    """P1 = e^epsilon P2 exactly for every threshold from the larger value up, and the right one is suggested."""
    claim = Claim(epsilon=EPSILON, relation="any", domain=Interval(0, 1, True))
    law = law_of(lambda rng, data, _, runs: data + rng.laplace(scale=1 / EPSILON, size=runs))
    worst = suggesting(*(suggestion(1, 0, at_least(threshold)) for threshold in (1.0, 1.5)))
    right = Right(mechanism_of("count", claim), law)

    found = [simulate("count", right, "going on", 12_000, seed, before=(worst,)) for seed in range(60)]

    assert len(worst.asked) == 60
    assert sum(item.alarm for item in found) <= most(60)
    assert sum(item.above for item in found) <= most(60)
    assert_fair([item.money for item in found])


def test_better_events_are_bet_on(simulated):
    """In audits of every mechanism, so that the counts above speak of them too."""
    paid = {name: sum(item.better for item in simulated if item.name == name) for name in rights()}

    assert min(paid.values()) >= 1
    assert sum(paid.values()) > 2 * len(simulated)


def test_refined_and_learnt_events_are_among_them():
    kinds = set()
    honest = Lessons.better

    def noted(*given, **named):
        found = honest(*given, **named)
        kinds.update(type(c) for proposal in found for c in proposal.event.conditions)
        kinds.update(len(proposal.event.conditions) for proposal in found)
        return found

    with mock.patch.object(Lessons, "better", noted):
        for name in ("eight bits", "Gaussian vector"):
            simulate(name, rights()[name], "reckless", RUNS, seed=1)

    assert {ScoreAbove, Between, 1, 2} <= kinds


@pytest.mark.nightly
def test_stakes_that_know_the_runs_they_are_paid_on_would_be_noticed():
    """An engine that also pays what was seen before a bet entered, at the stake that is best in hindsight."""
    honest = Portfolio.enter

    def cheating(self, proposals):
        for bet in (entered := honest(self, proposals)):
            q1, q2 = (bet.count1 + 0.5) / (bet.runs + 1), (bet.count2 + 0.5) / (bet.runs + 1)
            known = optimal_stake(q1, q2, self.grid, self.delta)
            bet.log_wealth = log_wealth(bet.count1, bet.count2, bet.runs, known, self.grid, self.delta)
        return entered

    with mock.patch.object(Portfolio, "enter", cheating):
        money = [
            simulate(name, rights()[name], "reckless", 5_000, seed).money
            for name in ("randomized response", "Gaussian")
            for seed in range(16)
        ]

    with pytest.raises(AssertionError):
        assert_fair(money)
    assert np.mean(money) > 1.3


@pytest.mark.parametrize(
    "name", one_in(2, ["randomized response", "noisy max on lanes", "leak with probability delta", "Gaussian"])
)
def test_half_of_the_claim_is_refuted(name):
    """So the audits can refute claims at all: here epsilon is half of what is true, at the same delta."""
    right = rights()[name]
    # The mechanism itself is still run at EPSILON.
    fixed = (("epsilon", Fixed(EPSILON)),) if right.mechanism.parameter("epsilon") else ()
    claim = replace(right.mechanism.claim, epsilon=EPSILON / 2, args=fixed)
    wrong = replace(right, mechanism=replace(right.mechanism, claim=claim))

    found = [simulate(name, wrong, "reckless", 40_000, seed) for seed in range(3)]

    assert all(item.alarm for item in found)
    assert all(1 < item.lower <= 2 for item in found)


def test_the_schedule_as_shipped_is_simulated_too():
    """Once for each kind of claim; the benchmark has thousands. At alpha = 0.05 two alarms of two are 1 in 400."""
    found = [
        simulate(name, rights()[name], "as shipped", 100_000, seed=5)
        for name in ("randomized response", "leak with probability delta")
    ]

    assert sum(item.alarm for item in found) < 2
    assert all(item.runs <= 100_100 for item in found)


@pytest.mark.parametrize(("name", "called"), [("noisy max on lanes", False), ("randomized response", True)])
def test_runs_are_simulated_on_lanes_and_as_calls(name, called):
    right = rights()[name]
    settings = AuditSettings(seed=1, epsilons=right.epsilons, max_runs=20_000, deadline=1e9)
    outcome = audit_in_process(right.mechanism, right.law, settings, on_lanes=right.on_lanes).outcome

    assert any(note.startswith("every run calls the function") for note in outcome.effort.notes) == called


def test_the_same_seed_gives_the_same_audit():
    first, second, other = (
        simulate("three epsilons", rights()["three epsilons"], "reckless", RUNS, seed) for seed in (3, 3, 4)
    )

    assert first == second != other


def test_the_gaussian_has_exactly_its_delta():
    """By quadrature over the outputs, not by the formula: the integral of (p1 - e^epsilon p2)+."""
    sigma = gaussian_sigma(EPSILON, DELTA)
    outputs, step = np.linspace(-20 * sigma, 20 * sigma, 400_001, retstep=True)
    excess = norm.pdf(outputs, 1, sigma) - math.exp(EPSILON) * norm.pdf(outputs, 0, sigma)

    assert np.maximum(excess, 0).sum() * step == pytest.approx(DELTA, rel=1e-6)
    assert gaussian_delta(EPSILON, 0.9 * sigma) > DELTA


def test_the_limits_of_a_share_are_those_of_clopper_and_pearson():
    """By their definition: at the limit, the counts on the other side have probability 0.001."""
    low, high = limits(7, 100)

    assert binom.sf(6, 100, low) == pytest.approx(0.001, rel=1e-6)
    assert binom.cdf(7, 100, high) == pytest.approx(0.001, rel=1e-6)
    assert limits(0, 10)[0] == 0.0
    assert limits(10, 10)[1] == 1.0


def test_the_reckless_schedule_changes_what_the_engine_has():
    """A name that the engine no longer has is an error of `mock`; a value equal to its own would be no change."""
    assert all(getattr(engine, name) != value for name, value in RECKLESS.items())
    assert all(getattr(proposing, name) != value for name, value in EAGER.items())
