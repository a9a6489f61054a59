"""SARIF 2.1.0, the exchange format of static analysis, as GitHub code scanning and editors read it.

One run: the driver with all rules and their pages, a result for each problem that has a code, and an invocation that
did not succeed, with a notification for each reason, where something could not be checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from dplint import __version__
from dplint.codes import CODES, Page
from dplint.outcomes import Severity
from dplint.report import problem_words
from dplint.report.fingerprints import SourceLine, fingerprints
from dplint.report.format import Format
from dplint.report.gathered import Gathered, Problem, problems
from dplint.report.json_values import Json, json_text
from dplint.report.sarif_results import ROOT, level, location, result_sarif, verdict_sarif

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
NOT_CHECKED = "not-checked"
"""The name under which the driver announces its notifications."""

_NOT_CHECKED = (
    "A file could not be read, a setting is wrong, or an audit failed. The results are incomplete, and the exit code "
    "of dplint is 2."
)
_PROBLEM_SEVERITY = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}


def sarif(gathered: Gathered, seconds: float, source: SourceLine) -> str:
    """The document of a check. What comments silence is only counted: it is no alert for anybody."""
    found = problems(gathered)
    rules = list(CODES)
    results = [
        result_sarif(problem, fingerprint, rules)
        for problem, fingerprint in zip(found, fingerprints(found, source), strict=True)
        if problem_words.code(problem) is not None
    ]
    run: dict[str, Json] = {
        "tool": {"driver": _driver()},
        "invocations": [_invocation(found)],
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "The folder in which dplint was run."}}},
        "results": results,
        "properties": {"summary": _summary(gathered, seconds), "verdicts": _verdicts(gathered)},
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _verdicts(gathered: Gathered) -> Json:
    """Mechanisms that are proved, or in which nothing was found: no results, as those would be alerts."""
    return [verdict_sarif(result) for result in gathered.results if problem_words.code(result) is None]


def _driver() -> Json:
    return {
        "name": "dplint",
        "fullName": f"dplint {__version__}, a linter for differential privacy",
        "version": __version__,
        "shortDescription": {"text": "Finds broken privacy promises in plain Python, with counterexamples."},
        "rules": [_rule(page) for page in CODES.values()],
        "notifications": [
            {
                "id": NOT_CHECKED,
                "name": "NotChecked",
                "shortDescription": {"text": "Something could not be checked."},
                "fullDescription": {"text": _NOT_CHECKED},
                "help": {"text": _NOT_CHECKED},
                "defaultConfiguration": {"level": "error"},
            }
        ],
    }


def _rule(page: Page) -> Json:
    return {
        "id": page.code,
        "name": _camel(page.title),
        "shortDescription": {"text": f"{page.title[:1].upper()}{page.title[1:]}."},
        "fullDescription": {"text": page.summary},
        "help": {"text": page.summary, "markdown": page.markdown},
        "defaultConfiguration": {"level": level(page.severity)},
        "properties": {
            "tags": ["privacy", "differential-privacy"],
            "problem.severity": _PROBLEM_SEVERITY[page.severity],
        },
    }


def _camel(title: str) -> str:
    """A title as one word: SARIF wants names of rules to be identifiers."""
    return "".join(word[:1].upper() + word[1:] for word in "".join(c if c.isalnum() else " " for c in title).split())


def _invocation(found: Sequence[Problem]) -> Json:
    """Not successful where something could not be checked, so that nobody takes what is missing for mended."""
    unchecked = [problem for problem in found if problem_words.prevents_checking(problem)]
    return {
        "executionSuccessful": not unchecked,
        "toolExecutionNotifications": [_notification(problem) for problem in unchecked],
    }


def _notification(problem: Problem) -> Json:
    notification: dict[str, Json] = {
        "descriptor": {"id": NOT_CHECKED},
        "level": "error",
        "message": {"text": problem_words.whole(problem)},
        "locations": [location(problem)],
    }
    code = problem_words.code(problem)
    return notification if code is None else {**notification, "associatedRule": {"id": code}}


def _summary(gathered: Gathered, seconds: float) -> Json:
    return {
        **asdict(gathered.counts),
        "silenced": len(gathered.silenced),
        "baseline": len(gathered.known),
        "seconds": round(seconds, 3),
    }


FORMAT = Format.of_text(
    "sarif",
    "SARIF 2.1.0, for code scanning and editors",
    lambda report: sarif(report.gathered, report.seconds, report.source),
)
