"""Workflow commands of GitHub Actions: lines that a runner turns into annotations of the changed files.

`::error title=...,file=...,line=...::message`. GitHub shows ten of each level a step, so the gravest come first.
"""

from __future__ import annotations

from collections.abc import Mapping

from dplint.outcomes import Finding, Severity
from dplint.report import problem_words
from dplint.report.format import Format
from dplint.report.gathered import Gathered, Problem, place, problems
from dplint.report.literals import one_line
from dplint.report.summary import summary
from dplint.source.cell_names import split_cell

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def github(gathered: Gathered, seconds: float, *, quiet: bool = False) -> str:
    """A command for each problem, and the summary as a plain line, which `quiet` drops."""
    lines = [command(problem) for problem in sorted(problems(gathered), key=_gravity)]
    return "".join(f"{text}\n" for text in [*lines, *([] if quiet else [summary(gathered, seconds)])])


def command(problem: Problem) -> str:
    """One problem as a command. Its text has the lines of the details too, in an encoding that keeps them on one."""
    file, line, column = place(problem)
    code = problem_words.code(problem)
    properties = {
        "title": f"dplint {code}" if code else "dplint: not checked",
        "file": split_cell(file)[0],
        "line": str(line),
    }
    span = problem_words.span(problem)
    if span is not None:
        properties["endLine"] = str(span.end_line)
        # GitHub takes columns only where the range stays on one line.
        if span.end_line == span.line:
            properties |= {"col": str(column), "endColumn": str(span.end_column)}
    level = _LEVELS[problem_words.severity(problem)]
    return f"::{level} {_properties(properties)}::{_data(problem_words.whole(problem))}"


def _gravity(problem: Problem) -> int:
    """What could not be checked before verdicts, and these before findings."""
    if problem_words.prevents_checking(problem):
        return 0
    return 2 if isinstance(problem, Finding) else 1


def _properties(properties: Mapping[str, str]) -> str:
    return ",".join(f"{name}={_property(value)}" for name, value in properties.items())


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(one_line(text)).replace(":", "%3A").replace(",", "%2C")


FORMAT = Format.of_text(
    "github",
    "workflow commands, for annotations in GitHub Actions",
    lambda report: github(report.gathered, report.seconds, quiet=report.quiet),
)
