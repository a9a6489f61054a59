"""The JSON document, held against the contract of the design, key by key."""

import json
import math
from dataclasses import replace

import pytest
import report_samples as samples

from dplint.claims import Span
from dplint.outcomes import NoViolation, Proved, Result, Silenced, Violation
from dplint.report.gathered import gather
from dplint.report.json_document import check_json, sweep_json

# DESIGN section 2
RESULT = {
    *("file", "line", "column", "end_line", "end_column", "function", "claim", "verdict", "code", "message"),
    *("evidence", "epsilon_tested", "epsilon_lower", "epsilon_upper", "confidence", "counterexample"),
    *("runs", "seconds", "reason"),
}
COUNTEREXAMPLE = {
    *("d1", "d2", "args", "event", "p1", "p2", "count1", "count2", "runs1", "runs2"),
    *("p_value", "log_e_value", "seed"),
}
FINDING = {
    *("file", "line", "column", "end_line", "end_column", "function", "code", "severity", "message", "fixable"),
}
SUMMARY = {"mechanisms", "violations", "proved", "no_violation", "untestable", "failed", "findings", "seconds"}
VERDICTS = {"violation", "proved", "no-violation", "untestable", "failed"}


def refuse(constant: str) -> object:
    raise AssertionError(f"{constant} is no JSON")


def document(events=samples.EVENTS) -> dict:
    return json.loads(check_json(gather(events), 33.4), parse_constant=refuse)


def test_all_keys_of_the_contract_are_there_for_every_kind_of_outcome():
    found = document()
    assert found["version"] == 1
    assert {result["verdict"] for result in found["results"]} == VERDICTS
    for result in found["results"]:
        assert set(result) >= RESULT
        assert set(result["claim"]) >= {"epsilon", "delta", "neighbors", "sensitivity"}
        assert (result["counterexample"] is not None) == (result["verdict"] == "violation")
        if result["counterexample"]:
            assert set(result["counterexample"]) >= COUNTEREXAMPLE
    assert all(set(finding) >= FINDING for finding in found["findings"])
    assert all(set(error) >= {"file", "line", "message"} for error in found["errors"])
    assert set(found["summary"]) >= SUMMARY


def test_the_numbers_of_a_violation():
    result = next(result for result in document()["results"] if result["function"] == "noisy_max")
    assert (result["file"], result["line"], result["column"]) == ("src/release.py", 5, 5)
    assert (result["end_line"], result["end_column"]) == (5, 14)
    assert (result["code"], result["evidence"]) == ("DP901", "statistical")
    assert (result["epsilon_tested"], result["epsilon_lower"], result["confidence"]) == (0.7, 1.1987, 0.999)
    found = result["counterexample"]
    assert found["d1"] == [1.0, 1.0, 2.0, 1.0, 1.0]
    assert found["args"] == {"epsilon": 0.7, "T": 1, "N": 1}
    assert (found["count1"], found["runs1"], found["p1"]) == (171_000, 500_000, 0.342)
    assert found["seed"] == 7


def test_the_summary_counts():
    summary = document()["summary"]
    expected = {"mechanisms": 10, "violations": 6, "proved": 1, "no_violation": 1, "untestable": 1, "failed": 1}
    assert {key: summary[key] for key in expected} == expected
    assert (summary["findings"], summary["errors"], summary["seconds"]) == (2, 1, 33.4)


def test_infinity_is_a_string_and_nan_never_appears():
    """A loss without bound, and numbers that are not known, in every place that holds a number."""
    violation = samples.violation(d1=[math.nan, math.inf], d2=[0.0, -math.inf], lower=math.inf)
    violation = replace(
        violation,
        confidence=math.nan,
        counterexample=replace(violation.counterexample, p_value=math.nan, interval1=(math.nan, 1.0)),
    )
    proved = replace(samples.PROVED, epsilon_upper=math.nan)
    events = (Result(samples.mechanism(), violation), Result(samples.mechanism("p", line=9), proved))
    first, second = document(events)["results"]
    assert first["epsilon_lower"] == "inf"
    assert first["confidence"] is None
    assert first["counterexample"]["p_value"] is None
    assert first["counterexample"]["d1"] == ["nan", "inf"]
    assert first["counterexample"]["d2"] == [0.0, "-inf"]
    assert second["epsilon_upper"] is None


def test_results_come_by_file_and_line_whatever_the_order_of_the_events():
    forward, backward = document(samples.EVENTS), document(tuple(reversed(samples.EVENTS)))
    assert forward == backward
    lines = [result["line"] for result in forward["results"]]
    assert lines == sorted(lines)
    assert len(lines) == 10


def test_what_was_tested_without_a_violation_is_listed():
    result = next(result for result in document()["results"] if result["function"] == "fine")
    assert [tested["epsilon"] for tested in result["tested"]] == [0.2, 0.7, 1.5]
    assert result["epsilon_tested"] is None, "three values were tested, not one"
    assert result["reason"] == "the budget was used up"
    assert "private" not in result["message"]


def test_a_single_tested_value_is_the_tested_epsilon():
    outcome = replace(samples.NO_VIOLATION, tested=samples.NO_VIOLATION.tested[:1])
    (result,) = document((Result(samples.mechanism(), outcome),))["results"]
    assert (result["epsilon_tested"], result["epsilon_lower"]) == (0.2, 0.1)


@pytest.mark.parametrize("name", ["größe", "𝛆"])
def test_names_beyond_ascii_survive_an_output_that_knows_only_ascii(name):
    text = check_json(gather((Result(samples.mechanism(name), samples.NO_VIOLATION),)), 0.0)
    assert json.loads(text.encode("ascii"))["results"][0]["function"] == name


def test_a_sweep_has_every_point_of_its_curve():
    found = json.loads(sweep_json(samples.curve(), gather(())), parse_constant=refuse)
    assert [line["claimed"] for line in found["curve"]["lines"]] == [0.2, 0.7, 1.5]
    points = found["curve"]["lines"][1]["points"]
    assert [point["epsilon"] for point in points if point["rejected"]] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    assert json.loads(sweep_json(None, gather((samples.ERROR,))))["curve"] is None


def test_the_samples_hold_every_kind_of_outcome():
    """So that the tests above speak for all of them."""
    kinds = {type(result.outcome).__name__ for result in samples.RESULTS}
    assert kinds == {Violation.__name__, Proved.__name__, NoViolation.__name__, "Untestable", "Failed"}


def test_what_the_anytime_test_knows_is_there():
    fine = replace(samples.mechanism("fine"), span=Span(9, 5, 9, 9))
    events = (Result(samples.mechanism(), samples.anytime_violation()), Result(fine, samples.ANYTIME_NO_VIOLATION))
    found = document(events)
    violation, nothing = found["results"]
    assert violation["strongest"]["event"] == "output[-1] < 0.25"
    assert violation["strongest"]["epsilon_lower"] == 1.37
    assert set(violation["strongest"]) >= COUNTEREXAMPLE
    assert violation["counterexample"]["log_e_value"] == 24.0
    assert violation["counterexample"]["epsilon_lower"] == 0.944
    assert violation["confirmation"] == {"count1": 2352, "count2": 728, "runs": 20_000, "agrees": True}
    assert [one["log_e_value"] for one in violation["tested"]] == [0.3, 20.0]
    assert (violation["reason"], violation["power"]) == ("violation found", None)
    assert nothing["power"] == {"claimed": 0.7, "epsilon": 0.78, "share": 0.05, "probability": 0.95}
    assert (nothing["strongest"], nothing["confirmation"]) == (None, None)
    effort = nothing["effort"]
    assert (effort["method"], effort["looks"], effort["earlier_runs"]) == ("anytime", 41, 1_500_000)
    assert found["summary"]["false_alarms_expected"] == pytest.approx(0.002)


def test_what_comments_silence_is_listed():
    silenced = document((Silenced(samples.RESULTS[0]), Silenced(samples.FINDINGS[0])))

    assert silenced["summary"]["silenced"] == 2
    assert {one["code"] for one in silenced["silenced"]} == {"DP901", samples.FINDINGS[0].code}
    assert all(one["message"] and one["line"] for one in silenced["silenced"])
    assert silenced["results"] == silenced["findings"] == []
