"""Workflow commands of GitHub Actions: lines that a runner turns into annotations of the changed files.

`::error title=...,file=...,line=...::message`. GitHub shows ten of each level a step, so the gravest come first.
"""

from __future__ import annotations

from collections.abc import Mapping

from dplint.outcomes import Finding, Severity
from dplint.report import problem_words
from dplint.report.format import Format, Report
from dplint.report.gathered import Problem, placed, problems
from dplint.report.literals import one_line
from dplint.report.summary import summary
from dplint.source.notebooks import split_cell

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def github(report: Report) -> str:
    """A command for each problem, and the summary as a plain line, which `quiet` drops."""
    lines = [command(problem) for problem in sorted(problems(report.gathered), key=_gravity)]
    lines += [] if report.quiet else [summary(report.gathered, report.seconds)]
    return "".join(f"{text}\n" for text in lines)


def command(problem: Problem) -> str:
    """One problem as a command. Its text has the lines of the details too, in an encoding that keeps them on one."""
    at = placed(problem)
    properties = {
        "title": f"dplint {at.code}" if at.code else "dplint: not checked",
        "file": split_cell(at.file)[0],
        "line": str(at.line),
    }
    if at.span is not None:
        properties["endLine"] = str(at.span.end_line)
        # GitHub takes columns only where the range stays on one line.
        if at.span.end_line == at.line:
            properties |= {"col": str(at.column), "endColumn": str(at.span.end_column)}
    return f"::{_LEVELS[at.severity]} {_properties(properties)}::{_data(problem_words.whole(problem))}"


def _gravity(problem: Problem) -> int:
    """What could not be checked before verdicts, and these before findings."""
    return 0 if placed(problem).unchecked else 1 + isinstance(problem, Finding)


def _properties(properties: Mapping[str, str]) -> str:
    return ",".join(f"{name}={_property(value)}" for name, value in properties.items())


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(one_line(text)).replace(":", "%3A").replace(",", "%2C")


FORMAT = Format.of_text("github", "workflow commands, for annotations in GitHub Actions", github)
