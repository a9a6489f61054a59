"""JUnit: well-formed, after the rules that Jenkins's and GitLab's readers share, and red where the exit code is not 0.

`checked` holds a report against the rules of the strictest schema in use, junit-10.xsd of Jenkins's xunit plugin:
testsuites > testsuite > testcase and nothing else on these levels; a case has a name and a class, and no attribute that
the schema does not know, such as a line; `skipped` is counted on suites only; times are decimal numbers. Beyond the
schema: at most one of failure, error and skipped; no two cases of the same name; counts that agree with the cases.
"""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
import report_samples as samples

from dplint.outcomes import CheckError, Finding, Result, Severity, Silenced
from dplint.report.format import Report
from dplint.report.formats.junit import junit
from dplint.report.gathered import exit_code, gather

COUNTS = {"tests", "failures", "errors"}
TIME = re.compile(r"\d+\.\d{3}")
STATES = {"failure": "failures", "error": "errors", "skipped": "skipped"}


def checked(*events):
    root = ET.fromstring(junit(Report(gather(events), 1.25)))
    assert root.tag == "testsuites"
    require_counts(root, set())
    names = []
    for suite in root:
        assert suite.tag == "testsuite"
        require_counts(suite, {"skipped", "file"})
        for case in suite:
            assert case.tag == "testcase"
            assert set(case.attrib) == {"classname", "name", "time"}
            assert TIME.fullmatch(case.get("time"))
            assert len([child for child in case if child.tag in STATES]) <= 1
            require_children(case)
            names.append((case.get("classname"), case.get("name")))
    assert len(set(names)) == len(names), "readers tell cases by class and name"
    return root


def require_counts(element, more):
    assert set(element.attrib) == {*COUNTS, "name", "time", *more}
    assert TIME.fullmatch(element.get("time"))
    cases = list(element.iter("testcase"))
    assert int(element.get("tests")) == len(cases)
    for tag, name in STATES.items() if "skipped" in more else ():
        assert int(element.get(name)) == len(list(element.iter(tag)))


def require_children(case):
    for child in case:
        assert child.tag in {*STATES, "system-out"}
        wanted = {"failure": {"type", "message"}, "error": {"type", "message"}, "skipped": {"message"}}
        assert set(child.attrib) == wanted.get(child.tag, set())


def states(root):
    return {case.get("name"): next((child.tag for child in case), None) for case in root.iter("testcase")}


def test_one_case_for_each_mechanism_finding_and_error():
    root = checked(*samples.EVENTS)
    assert states(root) == {
        **dict.fromkeys(("noisy_max", "svt_bools", "svt_mixed", "count_records", "rows", "respond"), "failure"),
        "noisy_max DP001": "failure", "noisy_max DP101": "skipped", "Counter.release": "skipped",
        "endless": "error", "slow": "skipped", "can be checked": "error", "fine": "system-out", "proved": "system-out",
    }  # fmt: skip
    assert [suite.get("name") for suite in root] == ["src/broken.py", "src/release.py"]


@pytest.mark.parametrize(
    "event",
    [*samples.RESULTS, *samples.FINDINGS, samples.ERROR, Silenced(samples.RESULTS[0]), Silenced(samples.FINDINGS[0])],
)
def test_red_exactly_where_the_exit_code_is_not_zero(event):
    root = checked(event)
    assert (int(root.get("errors")) > 0) == (exit_code(gather([event])) == 2)
    assert (int(root.get("failures")) > 0) == (exit_code(gather([event])) == 1)


def test_a_failure_shows_place_and_counterexample():
    (failure,) = checked(samples.RESULTS[0]).iter("failure")
    assert failure.get("type") == "DP901"
    assert failure.get("message").startswith("DP901 `noisy_max` is not 0.7-private")
    assert failure.text.startswith("src/release.py:5: DP901 ")
    assert "\nD1: [1.0, 1.0, 2.0, 1.0, 1.0]\n" in failure.text


def test_alike_findings_are_numbered_and_not_told_by_their_line():
    root = checked(samples.FINDINGS[0], replace(samples.FINDINGS[0], message="another"))
    assert set(states(root)) == {"noisy_max DP001", "noisy_max DP001 (2)"}


@pytest.mark.parametrize("text", ["<a> & ]]> \"'", "\x00\x1b[31m\x0b", "\ud800 \ufffe", "é ε 🙂"])
def test_any_text_is_well_formed(text):
    failed = replace(samples.FAILED, reason=text, detail=text)
    untestable = replace(samples.UNTESTABLE, reason=text)
    document = junit(
        Report(
            gather(
                [
                    Finding(f"src/{text}.py", samples.FINDINGS[0].span, text, "DP101", Severity.ERROR, text),
                    CheckError("x.py", None, text),
                    Result(samples.mechanism("one"), failed),
                    Result(samples.mechanism("two"), untestable),
                ]
            ),
            1.0,
        )
    )
    assert ET.fromstring(document.encode("utf-8")).get("tests") == "4"


def test_nothing_found_is_no_case():
    assert list(checked()) == []
