"""Claims by a curve of the project's own: it is asked in the runner, looked at, and then tested at its points.

The truth is the curve of normal noise that moves by half of its sigma (Balle and Wang, ICML 2018, theorem 8).
"""

from __future__ import annotations

import pytest

from dplint.definitions import Promised
from dplint.outcomes import Failed, FailureKind, NoViolation, Underpowered, Untestable, Violation
from dplint.report.words import lower_words
from tests.audit.conftest import outcome_of

pytestmark = pytest.mark.process

SOURCE = """
from statistics import NormalDist

def exact(epsilon):
    below = NormalDist().cdf
    return max(0.0, below(0.25 - 2 * epsilon) - math.exp(epsilon) * below(-0.25 - 2 * epsilon))

def less(epsilon):
    return 0.9 * exact(epsilon)

def growing(epsilon):
    return 0.1 + epsilon / 100

def failing(epsilon):
    return 1 / epsilon

def worded(epsilon):
    return "little"

def m(rng, answers):
    return [answer + rng.normal(0.0, 2.0) for answer in answers]
"""


def found(targets, curve, **given):
    target = targets(SOURCE, f'curve={curve}, neighbors="l2", size=2')["m"]
    return target, outcome_of(target, **given)


@pytest.mark.parametrize(
    "given", [{"exact_seconds": 5.0, "max_runs": 5_000}, {"exact_seconds": 0.0, "max_runs": 40_000}]
)
def test_a_curve_that_is_kept_is_not_refuted(targets, given):
    _, outcome = found(targets, "exact", **given)

    assert isinstance(outcome, NoViolation | Underpowered)


def test_a_curve_that_is_a_tenth_too_low_is_refuted_by_no_more_than_the_truth(targets):
    _, outcome = found(targets, "less", exact_seconds=5.0)

    assert isinstance(outcome, Violation)
    assert outcome.broken is not None
    assert Promised(outcome.broken.kind, outcome.broken.claimed).short == "private by the claimed curve"
    assert lower_words(outcome) == "its curve would have to be at least 1.1 times as large"
    times = [
        least / claimed for least, claimed in zip(outcome.broken.least, outcome.broken.claimed, strict=True) if claimed
    ]
    assert 1.05 < max(times) <= 1 / 0.9 + 1e-6


def test_what_is_no_curve_is_untestable(targets):
    _, outcome = found(targets, "growing")

    assert isinstance(outcome, Untestable)
    why = "growing, which is claimed as curve, is no privacy curve: it grows between epsilon = 0 and 0.0625"
    assert outcome.reason.startswith(why)


@pytest.mark.parametrize(
    ("curve", "words"),
    [
        ("failing", "the curve failed at epsilon = 0: ZeroDivisionError"),
        ("worded", "the curve gives 'little' at epsilon = 0, no number"),
        ('":nothing"', "which curve of the claim names, is not to be found"),
    ],
)
def test_a_curve_that_cannot_be_asked_is_a_failure(targets, curve, words):
    _, outcome = found(targets, curve)

    assert isinstance(outcome, Failed)
    assert outcome.kind is FailureKind.INPUT
    assert words in outcome.reason
