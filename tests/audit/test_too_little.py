"""Nothing found with too little power to see twice the claim is `Underpowered`, never `NoViolation`."""

import math
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace

import pytest

from dplint.audit.betting import spending as spending_module
from dplint.audit.betting.spending import BudgetSpent, Spending
from dplint.audit.too_little import CALLS, sees_something, sees_twice_the_claim, too_little, underpowered
from dplint.check.loading import Target, load_file
from dplint.claims import Parameter, Span
from dplint.config import Settings
from dplint.jobs import AuditJob, AuditSettings
from dplint.outcomes import Effort, Power, Underpowered, Violation
from dplint.program.refusals import INSTALLED, Unsupported
from dplint.report.words import underpowered_words
from tests.audit.conftest import outcome_of
from tests.report.report_samples import ANYTIME_NO_VIOLATION, mechanism

JOB = AuditJob(mechanism=mechanism(), program=Unsupported("a test", Span(7, 1, 7, 2)), settings=AuditSettings())


def power(claimed, epsilon):
    return Power(claimed=claimed, epsilon=epsilon, share=0.05, probability=0.95)


@pytest.mark.parametrize(
    ("powers", "enough"),
    [
        ([], False),
        ([power(1.0, 2.0)], True),
        ([power(1.0, 2.001)], False),
        ([power(1.0, float("inf"))], False),
        ([power(0.2, 0.9), power(1.5, 1.9)], True),
        ([power(0.2, 0.9), power(1.5, 3.1)], False),
        ([power(0.0, 0.1)], True),
        ([power(0.0, 0.2)], False),
    ],
)
def test_twice_the_claim_must_be_in_sight_at_one_of_its_values(powers, enough):
    assert sees_twice_the_claim(powers) is enough


@pytest.mark.parametrize(
    ("powers", "something"),
    [
        ([power(0.2, 0.9), power(1.5, 1.9)], True),
        ([power(0.2, float("inf")), power(1.5, 1.9)], False),
        ([power(0.2, 0.3), power(1.5, float("inf"))], False),
    ],
)
def test_some_loss_must_be_in_sight_at_each_of_the_values(powers, something):
    assert sees_something(powers) is something


def test_a_loss_without_limit_is_no_power():
    """Twice the claim is in sight at one value, and nothing at the other: the words name that one."""
    powers = [power(0.2, float("inf")), power(1.5, 1.9)]
    found = too_little(JOB, replace(ANYTIME_NO_VIOLATION, power=powers[0]), powers)

    assert found.why.endswith("runs are too few for any loss at epsilon = 0.2 to be seen")
    told = underpowered_words(JOB.mechanism, found)
    assert "only a loss of 1.9 or more would have been found with probability 0.95, against a claim of 1.5" in told
    assert "inf" not in told.replace("information", "")


@pytest.mark.parametrize("construct", ["the method drop", INSTALLED])
def test_nobody_is_told_to_rewrite_an_installed_package(construct):
    place = Unsupported(construct, Span(7, 1, 7, 2))
    job = AuditJob(mechanism=mechanism(), program=place, settings=AuditSettings())

    told = " ".join(underpowered(job, Effort(notes=(CALLS,)), "too few").helps)

    assert ("rewriting line 7" in told) is (construct != INSTALLED)
    assert "--budget" in told


def test_nobody_is_told_to_rewrite_pandas():
    of_tables = replace(mechanism(), parameters=(Parameter("queries", annotation="pd.DataFrame"),))
    place = Unsupported("the method apply", Span(7, 1, 7, 2))
    job = AuditJob(mechanism=of_tables, program=place, settings=AuditSettings())

    assert "rewriting" not in " ".join(underpowered(job, Effort(notes=(CALLS,)), "too few").helps)


class Clock:
    """Seconds that pass by half of one whenever somebody asks."""

    def __init__(self):
        self.seconds = 0.0

    def now(self):
        self.seconds += 0.5
        return self.seconds


@pytest.mark.parametrize(
    ("budget", "enough_at", "rejected", "end"),
    [
        (30.0, 0.0, False, 30.0),
        (30.0, 40.0, False, 45.0),  # three steps of a quarter: the first two see too little
        (30.0, math.inf, False, 60.0),
        (30.0, math.inf, True, 30.0),
        (2.0, math.inf, False, 2.0),  # somebody waits for it
    ],
)
def test_a_pass_goes_on_while_too_little_is_seen_up_to_twice_its_budget(budget, enough_at, rejected, end, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(spending_module.time_had, "now", clock.now)
    told = SimpleNamespace(check_cancelled=lambda: None)
    spending = object.__new__(Spending)
    spending.job = SimpleNamespace(settings=SimpleNamespace(budget=budget, max_runs=None))
    spending.session, spending._started, spending._allowed = told, 0.0, budget
    spending.claim_tests = [SimpleNamespace(portfolio=SimpleNamespace(rejected=rejected))]
    monkeypatch.setattr(Spending, "has_seen_enough", lambda _self: clock.seconds >= enough_at)
    with suppress(BudgetSpent):
        while True:
            spending.check_budget()
    assert end <= clock.seconds <= end + 1.0


SMALL_ALONE = """from dplint import dp


@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def adults(rng, ages, epsilon):
    total = 0
    for age in ages:
        if age >= 18:
            total += 1
    return total + rng.laplace(scale=epsilon)
"""


@pytest.mark.process
def test_a_value_of_the_claim_that_had_no_turn_is_no_value_without_a_violation(tmp_path):
    """The loss is 1 / epsilon: kept at 1.5, and broken by far at the value that comes last."""
    path = tmp_path / "adults.py"
    path.write_text(SMALL_ALONE)
    (target,) = [one for one in load_file(path, Settings()) if isinstance(one, Target)]

    few, many = (
        outcome_of(target, epsilons=(0.2, 1.5), max_runs=runs, proof_seconds=0.0, exact_seconds=0.0, seed=2)
        for runs in (15_000, 200_000)
    )

    assert isinstance(few, Underpowered)
    assert "any loss at epsilon = 0.2 to be seen" in few.why
    assert isinstance(many, Violation)
    assert many.epsilon_tested == 0.2
