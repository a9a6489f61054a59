"""What keeps a whole module from being tested is told once, at its line, with the cure; and still for each in JSON."""

import io
import json
from xml.etree import ElementTree

import pytest
import report_samples as samples
from rich.console import Console

from dplint.report.format import Report
from dplint.report.formats.concise import concise
from dplint.report.formats.github import github
from dplint.report.formats.gitlab import gitlab
from dplint.report.formats.junit import junit
from dplint.report.formats.sarif import sarif
from dplint.report.gathered import exit_code, gather, problems, shared_failures
from dplint.report.json_document import check_json
from dplint.report.terminal import print_report

GATHERED = gather(samples.IN_SHOP)
SOURCE = {2: "import nowhere"}
REASON = "the import of shop failed: the interpreter /usr/bin/python3 has no module 'nowhere'"


def line_of(file, number):
    return SOURCE.get(number) if file == "src/shop.py" else None


def printed(width):
    stream = io.StringIO()
    print_report(Report(GATHERED, 1.0, line_of), Console(file=stream, width=width))
    return stream.getvalue()


@pytest.mark.parametrize("width", [60, 80, 120])
def test_people_read_it_once_with_line_and_cure(width):
    text = " ".join(printed(width).split())

    assert text.count(REASON) == 1
    assert "3 mechanisms were not tested: count, total and mean" in text
    assert "src/shop.py:2" in text
    assert "2 │ import nowhere" in text
    assert text.count("Install nowhere there") == 1
    assert "Traceback" not in text, "the line says it all"
    assert text.count("was not tested, as is told above") == 3


def test_it_is_one_problem_that_prevents_checking():
    assert len(problems(GATHERED)) == 1
    assert exit_code(GATHERED) == 2
    assert concise(Report(GATHERED, 1.0, quiet=True)) == (
        f"src/shop.py:2:1: DP905 {REASON}; 3 mechanisms were not tested: count, total and mean\n"
    )
    assert github(Report(GATHERED, 1.0, quiet=True)).startswith("::error title=dplint DP905,file=src/shop.py,line=2::")
    (entry,) = json.loads(gitlab(Report(GATHERED, 0.0, line_of)))
    assert (entry["severity"], entry["location"]["positions"]["begin"]["line"]) == ("blocker", 2)


def test_sarif_has_one_result_at_the_line_and_says_that_the_run_was_not_successful():
    (run,) = json.loads(sarif(Report(GATHERED, 1.0, line_of)))["runs"]
    (result,) = run["results"]

    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 2}
    assert "Install nowhere there" in result["message"]["text"]
    assert not run["invocations"][0]["executionSuccessful"]


def test_junit_has_a_case_for_each_mechanism_and_tells_details_once():
    errors = list(ElementTree.fromstring(junit(Report(GATHERED, 1.0))).iter("error"))

    assert len(errors) == 3
    assert sum("Install nowhere there" in (error.text or "") for error in errors) == 1


def test_json_says_it_of_each_mechanism():
    results = json.loads(check_json(Report(GATHERED, 1.0)))["results"]

    assert {(one["verdict"], one["scope"], one["failure_line"]) for one in results} == {("failed", "module", 2)}


def test_failures_of_single_mechanisms_are_no_shared_ones():
    assert shared_failures(samples.RESULTS) == []
