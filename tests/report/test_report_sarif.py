"""SARIF: the published schema accepts it, and nothing that failed looks clean in it."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
import report_samples as samples

from dplint.claims import Span
from dplint.codes import CODES
from dplint.outcomes import CheckError, Finding, Related, Result, Severity, Silenced
from dplint.report.format import Report
from dplint.report.formats.sarif import sarif
from dplint.report.gathered import gather

SCHEMA = json.loads((Path(__file__).parent / "sarif-2.1.0.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA, format_checker=jsonschema.FormatChecker())
LINES = samples.SOURCE.splitlines()
ESCAPE = Finding(
    "src/release.py",
    Span(6, 12, 6, 74),
    "noisy_max",
    "DP201",
    Severity.ERROR,
    "the data [raw] is returned",
    related=(
        Related(Span(4, 1, 4, 23), "the claim: epsilon=epsilon"),
        Related(Span(5, 20, 5, 27), "`queries` is the data"),
        Related(Span(6, 20, 6, 21), "it is read here"),
    ),
)


def source(file, line):
    return LINES[line - 1] if file == "src/release.py" and line <= len(LINES) else None


def run(*events, source=source):
    document = json.loads(sarif(Report(gather(events), 1.25, source)))
    VALIDATOR.validate(document)
    return document["runs"][0]


@pytest.mark.parametrize(
    "events",
    [
        (),
        samples.EVENTS,
        (samples.FINDINGS[1], ESCAPE),
        (CheckError("/elsewhere/pyproject.toml", None, "cannot be read"),),
        (Result(samples.mechanism(file="src/sp ace/ü:x.py"), samples.anytime_violation()),),
        (Silenced(samples.FINDINGS[0]),),
    ],
)
def test_the_published_schema_accepts_it(events):
    run(*events)


def test_the_schema_refuses_what_is_no_sarif():
    document = json.loads(sarif(Report(gather(samples.EVENTS), 1.25, source)))
    document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert not VALIDATOR.is_valid(document)
    del document["runs"][0]["tool"]
    assert len(list(VALIDATOR.iter_errors(document))) == 2


def test_every_problem_with_a_code_is_a_result_and_every_code_a_rule():
    found = run(*samples.EVENTS)
    codes = [result["ruleId"] for result in found["results"]]
    assert sorted(codes) == sorted(["DP001", "DP101", *["DP901"] * 6, "DP904", "DP905", "DP909"])
    rules = found["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(CODES)
    for result in found["results"]:
        if result["ruleId"] in CODES:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    (rule,) = [rule for rule in rules if rule["id"] == "DP904"]
    assert rule["help"]["markdown"] == CODES["DP904"].markdown
    assert (rule["defaultConfiguration"]["level"], rule["properties"]["problem.severity"]) == ("warning", "warning")


def test_levels_come_from_severities():
    levels = {result["ruleId"]: result["level"] for result in run(*samples.EVENTS)["results"]}
    wanted = {"DP001": "error", "DP101": "warning", "DP901": "error", "DP904": "warning", "DP905": "error"}
    assert levels.items() >= wanted.items()


def test_a_violation_tells_its_counterexample_in_words_and_in_numbers():
    (result,) = run(Result(samples.mechanism(), samples.anytime_violation()))["results"]
    text = result["message"]["text"]
    assert text.startswith("`noisy_max` is not 0.7-private: at least 1.19\n")
    assert "D1: \\[1.0, 1.0, 2.0, 1.0, 1.0\\]" in text, "brackets would make a link"
    assert "P(`output < 0.5`): 0.118 on D1 (588 of 5,000 runs), 0.036 on D2 (182 of 5,000 runs)" in text
    assert "dplint check src/release.py::noisy_max --seed 7 --runs 360000000 --no-cache" in text
    assert result["properties"]["verdict"] == "violation"
    assert result["properties"]["counterexample"]["witness"]["d1"] == [1.0, 1.0, 2.0, 1.0, 1.0]
    (claim,) = result["relatedLocations"]
    assert claim["physicalLocation"]["region"]["startLine"] == 4
    assert result["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "noisy_max", "kind": "function"}]


@pytest.mark.parametrize("problem", [samples.ERROR, Result(samples.mechanism(), samples.FAILED)])
def test_what_could_not_be_checked_is_no_success(problem):
    (invocation,) = run(samples.RESULTS[6], problem)["invocations"]
    assert invocation["executionSuccessful"] is False
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["level"] == "error"
    said = problem.message if isinstance(problem, CheckError) else problem.outcome.reason
    assert said in notification["message"]["text"]


def test_a_violation_is_a_success_of_the_tool():
    (invocation,) = run(samples.RESULTS[0], samples.FINDINGS[0])["invocations"]
    assert invocation == {"executionSuccessful": True, "toolExecutionNotifications": []}


def test_data_that_escapes_has_a_flow_in_the_order_of_the_source():
    (result,) = run(ESCAPE)["results"]
    assert [place["id"] for place in result["relatedLocations"]] == [1, 2, 3]
    (flow,) = result["codeFlows"][0]["threadFlows"]
    steps = [step["location"]["message"]["text"] for step in flow["locations"]]
    assert steps == ["`queries` is the data", "the data \\[raw\\] is returned", "it is read here"]
    (bare,) = run(replace(ESCAPE, related=ESCAPE.related[:1]))["results"]
    assert "codeFlows" not in bare, "the claim is no step"
    (other,) = run(samples.FINDINGS[1])["results"]
    assert "codeFlows" not in other, "the places that a wrong scale speaks of are no way of data"


def test_a_fix_is_told_with_its_edits():
    (result,) = run(samples.FINDINGS[1])["results"]
    (fix,) = result["fixes"]
    (change,) = fix["artifactChanges"]
    region = {"startLine": 6, "startColumn": 37, "endLine": 6, "endColumn": 48}
    assert change["replacements"] == [{"deletedRegion": region, "insertedContent": {"text": "2 / epsilon"}}]


def test_paths_are_uris_below_the_root_or_absolute():
    places = [
        run(replace(samples.FINDINGS[0], file=file))["results"][0]["locations"][0]["physicalLocation"]
        for file in ("src/a b.py", "/elsewhere/ü.py")
    ]
    artifacts = [place["artifactLocation"] for place in places]
    assert artifacts == [
        {"uri": "src/a%20b.py", "uriBaseId": "%SRCROOT%"},
        {"uri": "file:///elsewhere/%C3%BC.py"},
    ]


def test_what_is_silenced_is_counted_only():
    found = run(Silenced(samples.FINDINGS[0]), Silenced(samples.RESULTS[0]))
    assert found["results"] == []
    assert found["properties"]["summary"]["silenced"] == 2
