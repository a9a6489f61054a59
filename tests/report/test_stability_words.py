"""What is said of claims of stability: never a level, never that something is private or stable."""

from dataclasses import replace

import pytest
import report_samples as samples

from dplint.claims import Metric, Stability
from dplint.outcomes import (
    Certificate,
    Effort,
    Finding,
    NotRefuted,
    OutputPair,
    Proved,
    Range,
    Result,
    Scope,
    Severity,
    Sizes,
    StopReason,
    Unstable,
    spend_of,
)
from dplint.report import editor, markdown, words
from dplint.report.documents import message
from dplint.report.explaining import disproved
from dplint.report.gathered import code_of, exit_code, gather, severity_of
from dplint.report.summary import summary

STABILITY = Stability(1.0, 10.0, Metric.L1)
PAIR = OutputPair(d1=[1], d2=[1, 2], arguments=(), output1="[1]", output2="[1, 60]", distance=60.0)
EFFORT = Effort(method="pairs", runs=24, pairs=12, alpha=0.0, stop=StopReason.VIOLATION)
UNSTABLE = Unstable(pair=PAIR, stability=STABILITY, d_out=10.0, effort=EFFORT)
NOT_REFUTED = NotRefuted(furthest=replace(PAIR, distance=8.0), stability=STABILITY, d_out=10.0, effort=EFFORT)

SCOPE = Scope(
    relation="add-remove",
    neighbors="add-remove",
    sensitivity=1.0,
    sizes=Sizes(0, None),
    arguments=(),
    epsilon=Range(low=0.0, high=0.0),
)
CERTIFICATE = Certificate(method="both runs", words="w", shifts=(), cost="0", checked_by=("c",))
PROVED = Proved(scope=SCOPE, certificate=CERTIFICATE, epsilon_upper=0.0, effort=EFFORT, tried=NOT_REFUTED)


def result(outcome):
    mechanism = next(event.mechanism for event in samples.EVENTS if isinstance(event, Result))
    claim = replace(mechanism.claim, epsilon=0.0, relation="add-remove", domain=None, stable=STABILITY)
    return Result(replace(mechanism, claim=claim), outcome)


def test_the_claim_as_it_is_written():
    assert words.claim_words(result(UNSTABLE).mechanism.claim) == 'd_out=10, metric="l1", neighbors="add-remove"'


def test_a_refuted_claim_is_an_error_without_a_level():
    one = result(UNSTABLE)
    assert "is not stable: outputs 60 apart (l1), where 10 is claimed" in message(one)
    assert (code_of(one.outcome), severity_of(one), exit_code(gather([one]))) == ("DP913", "error", 1)
    assert "level" not in summary(gather([one]), 1.0)


def test_what_is_not_refuted_is_no_problem_and_no_promise():
    one = result(NOT_REFUTED)
    assert "is not refuted: 12 pairs; the furthest outputs are 8 apart (l1), where 10 is claimed" in message(one)
    assert (code_of(one.outcome), exit_code(gather([one]))) == (None, 0)
    assert "1 not refuted" in summary(gather([one]), 1.0)


@pytest.mark.parametrize("outcome", [UNSTABLE, NOT_REFUTED])
def test_the_editor_speaks_of_distances_and_not_of_privacy(outcome):
    one = result(outcome)
    told = markdown.hover(one.mechanism, outcome, editor.claim_title(one.mechanism.claim))
    title = editor.verdict_title(outcome, one.mechanism.claim)
    for said in (told, title):
        assert not {"ε", "exp(", "likely", "private", "proved"} & set(said.replace("*", " ").split())
        assert "times as likely" not in said
    assert "at most `10.0` apart (l1)" in told


def test_what_is_proved_says_what_was_tried_and_nothing_of_epsilon():
    one = result(PROVED)
    assert message(one).endswith(
        "is proved for every length, in exact arithmetic; not refuted in 12 pairs; "
        "the furthest outputs are 8 apart (l1), where 10 is claimed; 0 choices of arguments, 24 runs"
    )
    assert (code_of(one.outcome), exit_code(gather([one])), spend_of(one.outcome)) == (None, 0, None)
    assert "epsilon" not in markdown.hover(one.mechanism, PROVED, editor.claim_title(one.mechanism.claim))


def apart(distance):
    return replace(NOT_REFUTED, furthest=replace(PAIR, distance=distance))


PART = replace(PROVED, scope=replace(SCOPE, sizes=Sizes(1, 5)))


@pytest.mark.parametrize(
    ("outcome", "title"),
    [
        (UNSTABLE, "Δ₁ ≥ 60"),
        (NOT_REFUTED, "Δ₁ ≥ 8"),
        (replace(UNSTABLE, pair=replace(PAIR, distance=float("inf"))), "Δ₁ ≥ ∞"),
        (replace(NOT_REFUTED, furthest=None), None),
        (PROVED, "Δ₁ ≤ 10"),
        (replace(PROVED, tried=apart(10.0)), "Δ₁ = 10"),
        (replace(PROVED, tried=replace(NOT_REFUTED, furthest=None)), "Δ₁ ≤ 10"),
        (PART, "Δ₁ ≥ 8"),  # of longer data nothing is proved
        (replace(PROVED, tried=None), None),
    ],
)
def test_a_sensitivity_is_said_as_far_as_it_is_known(outcome, title):
    told = editor.sensitivity_title(outcome, result(outcome).mechanism.claim)
    assert (None if told is None else told[0]) == title
    assert told is None or ("Proved" in told[1]) == ("≥" not in title)


def test_a_bound_that_hangs_on_arguments_is_said_as_it_stands():
    claim = result(PROVED).mechanism.claim
    claim = replace(claim, stable=replace(STABILITY, d_out="cap", metric=Metric.ABSOLUTE))
    assert editor.sensitivity_title(replace(PROVED, tried=apart(10.0)), claim)[0] == "Δ ≤ cap"


def test_a_proof_about_outputs_takes_back_no_finding_about_privacy():
    one = result(replace(PROVED, tried=apart(10.0)))
    found = Finding(
        one.mechanism.file, one.mechanism.span, one.mechanism.qualname, "DP302", Severity.WARNING, "m", disprovable=True
    )
    assert disproved(one, [found]) == []
    assert disproved(replace(one, outcome=replace(PROVED, tried=None)), [found]) == [found]
