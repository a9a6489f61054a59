"""Nothing found with too little power to see twice the claim is `Underpowered`, never `NoViolation`."""

from dataclasses import replace

import pytest

from dplint.audit.too_little import CALLS, sees_something, sees_twice_the_claim, too_little, underpowered
from dplint.claims import Parameter, Span
from dplint.jobs import AuditJob, AuditSettings
from dplint.outcomes import Effort, Power
from dplint.program.refusals import INSTALLED, Unsupported
from dplint.report.words import underpowered_words
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
