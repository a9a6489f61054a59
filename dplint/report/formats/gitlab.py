"""GitLab's Code Quality report: one array of JSON, shown in merge requests.

Of each entry GitLab reads `description`, `check_name`, `fingerprint`, `severity`, `location.path` and the line where
the location begins; it compares fingerprints with those of the target branch to tell what is new.
"""

from __future__ import annotations

import json

from dplint.outcomes import Result, Severity, Violation
from dplint.report import problem_words
from dplint.report.fingerprints import SourceLine, fingerprints
from dplint.report.format import Format
from dplint.report.gathered import Gathered, Problem, place, problems
from dplint.report.json_values import Json
from dplint.source.cell_names import split_cell

NO_CODE = "not-checked"
"""The name of the check for an error, which has no code."""

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def gitlab(gathered: Gathered, source: SourceLine) -> str:
    """The array of a check, sorted by place; `[]` where nothing is wrong."""
    found = problems(gathered)
    entries = zip(found, fingerprints(found, source), strict=True)
    return json.dumps([_entry(problem, fingerprint) for problem, fingerprint in entries], indent=2) + "\n"


def _entry(problem: Problem, fingerprint: str) -> Json:
    file, line, column = place(problem)
    span = problem_words.span(problem)
    begin: Json = {"line": line, "column": column}
    end: Json = begin if span is None else {"line": span.end_line, "column": span.end_column}
    return {
        "description": problem_words.in_file(problem),
        "check_name": problem_words.code(problem) or NO_CODE,
        "fingerprint": fingerprint,
        "severity": _severity(problem),
        "location": {"path": split_cell(file)[0], "positions": {"begin": begin, "end": end}},
    }


def _severity(problem: Problem) -> str:
    """GitLab's five words: what could not be checked blocks, a violation is critical, the rest by its severity."""
    if problem_words.prevents_checking(problem):
        return "blocker"
    severity = problem_words.severity(problem)
    if severity is Severity.ERROR and isinstance(problem, Result) and isinstance(problem.outcome, Violation):
        return "critical"
    return _SEVERITIES[severity]


FORMAT = Format.of_text(
    "gitlab",
    "GitLab's Code Quality",
    lambda report: gitlab(report.gathered, report.source),
)
