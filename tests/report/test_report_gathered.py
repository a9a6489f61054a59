"""Order, selection and exit codes."""

from dataclasses import replace
from typing import get_args

import pytest
import report_samples as samples

from dplint.outcomes import Outcome, Plan, Result, Severity, Silenced
from dplint.report import gathered, json_document
from dplint.report.format import Report
from dplint.report.formats.concise import concise
from dplint.report.gathered import exit_code, gather, is_selected
from dplint.report.style import KIND_COLOURS
from dplint.report.summary import summary

VIOLATION = samples.RESULTS[0]
FINE = Result(samples.mechanism("fine", line=60), samples.NO_VIOLATION)
UNTESTABLE = Result(samples.mechanism("u", line=80), samples.UNTESTABLE)
FAILED = Result(samples.mechanism("f", line=90), samples.FAILED)
ERROR_FINDING, WARNING = samples.FINDINGS


@pytest.mark.parametrize(
    ("events", "code"),
    [
        ((), 0),
        ((FINE,), 0),
        ((FINE, UNTESTABLE), 0),
        ((WARNING,), 0),
        ((ERROR_FINDING,), 1),
        ((FINE, VIOLATION), 1),
        ((FAILED,), 2),
        ((samples.ERROR,), 2),
        ((VIOLATION, FAILED), 2),
        ((VIOLATION, samples.ERROR), 2),
    ],
)
def test_exit_codes(events, code):
    assert exit_code(gather(events)) == code


def test_a_planned_mechanism_without_an_outcome_is_an_error():
    gathered = gather((Plan((FINE.mechanism, VIOLATION.mechanism)), FINE))
    assert [(error.file, error.line) for error in gathered.errors] == [("src/release.py", 5)]
    assert "noisy_max" in gathered.errors[0].message
    assert exit_code(gathered) == 2
    assert gathered.counts["mechanisms"] == 2


@pytest.mark.parametrize(
    ("code", "select", "ignore", "selected"),
    [
        ("DP101", (), (), True),
        ("DP101", ("DP1",), (), True),
        ("DP101", ("DP2",), (), False),
        ("DP101", (), ("DP1",), False),
        ("DP101", ("DP101",), ("DP1",), True),
        ("DP101", ("DP1",), ("DP101",), False),
        ("DP101", ("DP1",), ("DP1",), False),
        ("DP102", ("DP",), ("DP101",), True),
    ],
)
def test_the_longest_prefix_decides_and_ignore_wins_a_tie(code, select, ignore, selected):
    assert is_selected(code, select, ignore) is selected


def test_what_could_not_be_checked_cannot_be_deselected():
    events = (VIOLATION, FINE, UNTESTABLE, FAILED, *samples.FINDINGS, samples.ERROR)
    gathered = gather(events, ignore=("DP",))
    assert [result.mechanism.qualname for result in gathered.results] == ["fine", "f"]
    assert gathered.findings == ()
    assert gathered.errors == (samples.ERROR,)
    assert gathered.hidden == 4
    assert "4 hidden" in summary(gathered, 1.0)


def test_concise_lines_bear_place_code_and_message():
    *lines, last = concise(Report(gather(samples.EVENTS), 33.4)).splitlines()
    starts = [line.split(" ")[:2] for line in lines]
    assert starts == [
        ["src/broken.py:3:1:", "error"],
        ["src/release.py:4:5:", "DP001"],
        ["src/release.py:5:5:", "DP901"],
        ["src/release.py:6:37:", "DP101"],
        ["src/release.py:12:5:", "DP901"],
        ["src/release.py:20:5:", "DP901"],
        ["src/release.py:30:5:", "DP901"],
        ["src/release.py:40:5:", "DP901"],
        ["src/release.py:50:5:", "DP901"],
        ["src/release.py:80:5:", "DP904"],
        ["src/release.py:90:5:", "DP905"],
        ["src/release.py:100:5:", "DP909"],
    ]
    assert last.startswith(
        "11 mechanisms: 6 violations, 1 proved, 1 without a violation found, 1 underpowered, 1 untestable, 1 failed"
    )


def test_a_message_of_many_lines_is_one_concise_line():
    error = replace(samples.ERROR, message="expected ':'\n  def f()\n        ^", line=None)
    assert concise(Report(gather((error,)), 0.0, quiet=True)) == "src/broken.py:1:1: error expected ':' def f() ^\n"


def test_the_summary_states_level_and_expected_false_alarms():
    """Two audits at level 0.001 make at most 0.002 false alarms in expectation; a failed one makes none."""
    assert "level 0.001 a mechanism: at most 0.002 false alarms" in summary(gather((VIOLATION, FINE, FAILED)), 1.0)
    assert "false alarms" not in summary(gather((FAILED, UNTESTABLE)), 1.0)
    assert summary(gather(()), 0.0).startswith("No mechanism tested")


def test_warnings_do_not_fail_a_check_but_are_counted():
    gathered = gather((WARNING, replace(WARNING, severity=Severity.INFO, code="DP102")))
    assert exit_code(gathered) == 0
    assert gathered.counts["findings"] == 2


def test_what_comments_silence_is_counted_and_kept_apart():
    silenced = (Silenced(VIOLATION), Silenced(ERROR_FINDING))
    gathered = gather((Plan((VIOLATION.mechanism, FINE.mechanism)), FINE, *silenced))

    assert (gathered.results, gathered.findings, gathered.errors) == ((FINE,), (), ())
    assert all(one in gathered.silenced for one in silenced)
    assert "2 silenced by comments" in summary(gathered, 1.0)
    assert gathered.counts["mechanisms"] == 2
    assert exit_code(gathered) == 0


def test_of_the_silenced_only_the_selected_count():
    gathered = gather((Silenced(VIOLATION), Silenced(ERROR_FINDING)), ignore=("DP9",))

    assert gathered.silenced == (Silenced(ERROR_FINDING),)
    assert gathered.hidden == 1


def test_tables_of_verdicts_have_every_outcome():
    """A verdict without a name, words or a colour would end a report with a KeyError, on the day that it comes up."""
    outcomes = set(get_args(Outcome))
    assert set(gathered._VERDICTS) == set(json_document._OF_VERDICT) == outcomes
    assert set(gathered.VERDICT_WORDS) == {*gathered._VERDICTS.values(), "proved-in-part"}
    assert set(gathered.VERDICT_WORDS) <= set(KIND_COLOURS)
