"""Workflow commands: what a runner of GitHub Actions reads out of them.

`unescaped` does what the runner's command parser does: split at the second "::", properties at commas, then unescape.
"""

import re

import pytest
import report_samples as samples

from dplint.claims import Span
from dplint.outcomes import CheckError, Finding, Result, Severity, Silenced
from dplint.report.format import Report
from dplint.report.formats.github import command, github
from dplint.report.gathered import gather

PLACE = Span(4, 5, 4, 22)
COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")
PROPERTIES = {"title", "file", "line", "endLine", "col", "endColumn"}


def unescaped(line):
    """Level, properties and message of a line."""
    found = COMMAND.fullmatch(line)
    assert found, line
    properties = dict(part.split("=", 1) for part in found[2].split(","))
    assert set(properties) <= PROPERTIES
    plain = {name: data(value.replace("%3A", ":").replace("%2C", ",")) for name, value in properties.items()}
    return found[1], plain, data(found[3])


def data(text):
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


def finding(message, severity=Severity.ERROR, file="src/release.py", span=PLACE):
    return Finding(file, span, None, "DP101", severity, message)


@pytest.mark.parametrize(
    ("severity", "level"), [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "notice")]
)
def test_levels_come_from_severities(severity, level):
    assert unescaped(command(finding("x", severity)))[0] == level


@pytest.mark.parametrize("text", ["100% of it", "a::error::b", "%0A", "a, b: c", "::stop-commands::x"])
def test_texts_come_through_as_they_are(text):
    level, _, message = unescaped(command(finding(text)))
    assert (level, message) == ("error", text)


@pytest.mark.parametrize("file", ["src/a,b.py", "src/a:b.py", "C:/x/100%.py"])
def test_names_of_files_come_through_as_they_are(file):
    assert unescaped(command(finding("x", file=file)))[1]["file"] == file


def test_what_a_mechanism_wrote_cannot_begin_a_command_of_its_own():
    failed = Result(samples.mechanism(), samples.FAILED)
    text = github(Report(gather([failed]), 1.0))
    assert "Traceback" in text
    assert len(text.splitlines()) == 2, "one command, one summary"


def test_places_have_columns_only_on_one_line():
    one = unescaped(command(finding("x")))[1]
    assert one == {
        "title": "dplint DP101", "file": "src/release.py", "line": "4", "endLine": "4", "col": "5", "endColumn": "22",
    }  # fmt: skip
    more = unescaped(command(finding("x", span=Span(4, 5, 7, 2))))[1]
    assert {"line": "4", "endLine": "7"}.items() <= more.items()
    assert not {"col", "endColumn"} & set(more)


def test_an_error_without_a_line_is_at_the_first():
    level, properties, message = unescaped(command(CheckError("pyproject.toml", None, "cannot be read")))
    assert (level, properties["line"], message) == ("error", "1", "cannot be read")


def test_a_violation_shows_its_counterexample():
    _, _, message = unescaped(command(samples.RESULTS[0]))
    assert message.startswith("`noisy_max` is not 0.7-private: at least 1.19\n")
    assert "\nD1: [1.0, 1.0, 2.0, 1.0, 1.0]\nD2: " in message
    assert "P(`output < 0.5`): 0.3420 on D1 (171,000 of 500,000 runs), 0.1010 on D2" in message
    assert "(99.9% confidence)" in message


def test_the_gravest_come_first_because_github_shows_ten():
    lines = github(Report(gather(samples.EVENTS), 1.0, quiet=True)).splitlines()
    titles = [unescaped(line)[1]["title"].removeprefix("dplint") for line in lines]
    assert titles[:2] == [": not checked", " DP905"]
    assert titles[2:8] == [" DP901"] * 6
    assert titles[-2:] == [" DP001", " DP101"]


def test_nothing_wrong_is_a_summary_and_no_command():
    text = github(Report(gather([samples.RESULTS[6], Silenced(samples.FINDINGS[0])]), 1.0))
    assert text.startswith("1 mechanism: 1 without a violation found")
    assert "::" not in text
    assert github(Report(gather([samples.RESULTS[6]]), 1.0, quiet=True)) == ""
