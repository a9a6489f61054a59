"""GitLab's Code Quality report: one array of JSON, shown in merge requests.

Of each entry GitLab reads `description`, `check_name`, `fingerprint`, `severity`, `location.path` and the line where
the location begins; it compares fingerprints with those of the target branch to tell what is new.
"""

from __future__ import annotations

import json

from dplint.outcomes import Result, Severity, Violation
from dplint.report import problem_words
from dplint.report.fingerprints import fingerprints
from dplint.report.format import Format, Report
from dplint.report.gathered import Place, Problem, placed, problems
from dplint.report.json_evidence import Json
from dplint.source.notebooks import split_cell

NO_CODE = "not-checked"
"""The name of the check for an error, which has no code."""

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def gitlab(report: Report) -> str:
    """The array of a check, sorted by place; `[]` where nothing is wrong."""
    found = problems(report.gathered)
    entries = zip(found, fingerprints(found, report.source), strict=True)
    return json.dumps([_entry(problem, fingerprint) for problem, fingerprint in entries], indent=2) + "\n"


def _entry(problem: Problem, fingerprint: str) -> Json:
    at = placed(problem)
    begin: Json = {"line": at.line, "column": at.column}
    end: Json = begin if at.span is None else {"line": at.span.end_line, "column": at.span.end_column}
    return {
        "description": problem_words.in_file(problem),
        "check_name": at.code or NO_CODE,
        "fingerprint": fingerprint,
        "severity": _severity(problem, at),
        "location": {"path": split_cell(at.file)[0], "positions": {"begin": begin, "end": end}},
    }


def _severity(problem: Problem, at: Place) -> str:
    """GitLab's five words: what could not be checked blocks, a violation is critical, the rest by its severity."""
    if at.unchecked:
        return "blocker"
    refuted = isinstance(problem, Result) and isinstance(problem.outcome, Violation)
    return "critical" if refuted and at.severity is Severity.ERROR else _SEVERITIES[at.severity]


FORMAT = Format.of_text("gitlab", "GitLab's Code Quality", gitlab)
