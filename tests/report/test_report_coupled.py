"""Evidence beside a model of the noise, in every report: what it rests on, and which noise is too small."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from dplint.outcomes import DrawLoss
from dplint.report import violation
from dplint.report.counterexample_view import shown_violation
from dplint.report.format import Report
from dplint.report.gathered import gather
from dplint.report.json_evidence import written
from dplint.report.markdown import hover
from dplint.report.terminal import print_report
from tests.report.evidence_samples import COUPLED, line_of

EVIDENCE = COUPLED.outcome.counterexample.evidence


def printed(result, *, verbose=False):
    stream = io.StringIO()
    print_report(
        Report(gather((result,)), 1.0, line_of, verbose=verbose), Console(file=stream, width=250, no_color=True)
    )
    return " ".join(stream.getvalue().replace("│", " ").split())


def with_losses(*losses, epsilon=1.0):
    found = COUPLED.outcome
    evidence = replace(EVIDENCE, coupled=replace(EVIDENCE.coupled, losses=losses))
    return replace(found, counterexample=replace(found.counterexample, evidence=evidence), epsilon_tested=epsilon)


def test_the_numbers_are_those_of_the_model():
    assert (EVIDENCE.p1, EVIDENCE.p2) == (0.25, 0.0716)
    assert replace(EVIDENCE, coupled=None).p1 == 95 / 400
    assert violation.counted(EVIDENCE, first=True) == "by a model, wrong in 2 of 400 runs"
    assert violation.counted(replace(EVIDENCE, coupled=None), first=False) == "27 of 400 runs"


def test_a_report_says_that_it_is_by_a_model_and_what_is_too_small():
    text = printed(COUPLED)

    assert "by a model, wrong in 2 of 400 runs" in text
    assert violation.why_too_small(COUPLED.outcome) in text
    assert "coupled" not in text, "words of experts are for those who ask"


def test_who_asks_is_told_how_it_is_known():
    text = printed(COUPLED, verbose=True)

    assert violation.coupled(EVIDENCE.coupled, EVIDENCE) in text
    assert "2,000,000 runs of a model" in text
    assert "400 coupled runs of the function itself on D1 and 400 on D2, of which 3 differed" in text
    assert violation.why_too_small(COUPLED.outcome) in text


def test_given_noise_is_told():
    evidence = replace(EVIDENCE, coupled=replace(EVIDENCE.coupled, given=True), runs1=40)

    said = violation.coupled(evidence.coupled, evidence)
    assert (
        "40 coupled runs of the function itself on D1 with noise that brings the model into the event and 400" in said
    )
    assert written(evidence)["coupled"]["given_noise"] is True


def test_others_say_it_too():
    said = violation.coupled(EVIDENCE.coupled, EVIDENCE)
    assert "by a model, wrong in 2 of 400 runs" in hover(COUPLED.mechanism, COUPLED.outcome, "")
    assert said in str(shown_violation(COUPLED))
    document = written(EVIDENCE)["coupled"]
    assert (document["model_runs"], document["differ1"], document["differ2"]) == (2_000_000, 2, 1)
    assert document["losses"][1] == {
        "file": "sums.py", "line": 21, "scale": 166.7, "moved": 50.0, "draws": 2, "loss": pytest.approx(100 / 166.7)
    }  # fmt: skip


def test_a_single_draw_has_the_scale_that_it_needs():
    one = DrawLoss(file="m.py", line=12, scale=9.7087, moved=10.0, draws=1)

    assert violation.why_too_small(with_losses(one)) == (
        "the noise of line 12 hides a change of 10 by scale 9.71, a loss of 1.03: "
        "a scale of at least 10 would keep epsilon = 1"
    )


def test_several_draws_need_scales_that_are_larger_by_a_factor():
    words = violation.why_too_small(with_losses(*EVIDENCE.coupled.losses, epsilon=1.0))

    assert words == (
        "the noise of line 20 hides a change of 100 by scale 154, a loss of 0.65 and each of 2 draws of line 21 hides "
        "a change of 50 by scale 167, a loss of 0.6 in all; together 1.25: scales 1.25 times as large would keep "
        "epsilon = 1"
    )


def test_nothing_is_said_where_it_is_not_known_or_not_the_reason():
    assert violation.why_too_small(with_losses()) is None
    assert violation.why_too_small(with_losses(*EVIDENCE.coupled.losses, epsilon=2.0)) is None
