"""What is said of claims of stability: never a level, never that something is private or stable."""

from dataclasses import replace

import pytest
import report_samples as samples

from dplint.claims import Metric, Stability
from dplint.outcomes import Effort, NotRefuted, OutputPair, Result, StopReason, Unstable
from dplint.report import editor, markdown, words
from dplint.report.documents import message
from dplint.report.gathered import code_of, exit_code, gather, severity_of
from dplint.report.summary import summary

STABILITY = Stability(1.0, 10.0, Metric.L1)
PAIR = OutputPair(d1=[1], d2=[1, 2], arguments=(), output1="[1]", output2="[1, 60]", distance=60.0)
EFFORT = Effort(method="pairs", runs=24, pairs=12, alpha=0.0, stop=StopReason.VIOLATION)
UNSTABLE = Unstable(pair=PAIR, stability=STABILITY, d_out=10.0, effort=EFFORT)
NOT_REFUTED = NotRefuted(furthest=replace(PAIR, distance=8.0), stability=STABILITY, d_out=10.0, effort=EFFORT)


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
