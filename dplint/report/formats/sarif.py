"""SARIF 2.1.0, the exchange format of static analysis, as GitHub code scanning and editors read it.

One run: the driver with all rules and their pages, a result for each problem that has a code, and an invocation that
did not succeed, with a notification for each reason, where something could not be checked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath
from urllib.parse import quote

from dplint import __version__
from dplint.claims import Span
from dplint.codes import CODES, Page
from dplint.outcomes import Finding, Related, Result, Severity
from dplint.report import problem_words
from dplint.report.change_words import change_entries
from dplint.report.fingerprints import fingerprints
from dplint.report.format import Format, Report
from dplint.report.gathered import Problem, SharedFailure, placed, problems
from dplint.report.json_document import result_json
from dplint.report.json_evidence import Json, fields, json_text
from dplint.source.notebooks import split_cell

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
NOT_CHECKED = "not-checked"
"""The name under which the driver announces its notifications."""

_NOT_CHECKED = (
    "A file could not be read, a setting is wrong, or an audit failed. The results are incomplete, and the exit code "
    "of dplint is 2."
)
_PROBLEM_SEVERITY = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "recommendation"}


def sarif(report: Report) -> str:
    """The document of a check. What comments silence is only counted: it is no alert for anybody.

    What differs from a commit, if that was asked for, is told in the properties of the run.
    """
    gathered, changes = report.gathered, report.changes
    found = problems(gathered)
    rules = list(CODES)
    results = [
        result_sarif(problem, fingerprint, rules)
        for problem, fingerprint in zip(found, fingerprints(found, report.source), strict=True)
        if placed(problem).code is not None
    ]
    # Mechanisms that are proved, or in which nothing was found, are no results, as those would be alerts.
    verdicts: list[Json] = [verdict_sarif(one) for one in gathered.results if placed(one).code is None]
    summary: dict[str, Json] = {
        **gathered.counts,
        "silenced": len(gathered.silenced),
        "baseline": len(gathered.known),
        "seconds": round(report.seconds, 3),
    }
    differing: dict[str, Json] = {}
    if changes is not None:
        differing = {"changes": {"since": changes.commit, "mechanisms": [*change_entries(changes)]}}
    run: dict[str, Json] = {
        "tool": {"driver": _driver()},
        "invocations": [_invocation(found)],
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "The folder in which dplint was run."}}},
        "results": results,
        "properties": {"summary": summary, "verdicts": verdicts, **differing},
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


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
        "defaultConfiguration": {"level": _LEVELS[page.severity]},
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
    unchecked = [problem for problem in found if placed(problem).unchecked]
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
    code = placed(problem).code
    return notification if code is None else {**notification, "associatedRule": {"id": code}}


FORMAT = Format.of_text("sarif", "SARIF 2.1.0, for code scanning and editors", sarif)


ROOT = "%SRCROOT%"
"""The base of relative paths, by the name that GitHub and others expect."""
FINGERPRINT = "dplint/v1"

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_FLOWS = "DP2"
"""Of these codes, on data that escapes, the related places are the way that the data takes."""
_CLAIM = "the claim"
"""How the message of a place begins that is the claim."""
_VERDICT_KEYS = (
    "verdict claim evidence epsilon_tested delta_tested epsilon_lower confidence counterexample strongest confirmation "
    "proof losses spend repairs reason cure runs seconds"
)
_LINK = re.compile(r"([\\\[\]])")


def result_sarif(problem: Problem, fingerprint: str, rules: Sequence[str]) -> Json:
    """A problem that has a code. rules: the codes of the driver, for the index."""
    at = placed(problem)
    assert at.code is not None
    document: dict[str, Json] = {
        "ruleId": at.code,
        "level": _LEVELS[at.severity],
        "message": {"text": _message(problem)},
        "locations": [location(problem)],
        "partialFingerprints": {FINGERPRINT: fingerprint},
    }
    if at.code in rules:
        document["ruleIndex"] = rules.index(at.code)
    file, related = at.file, _related(problem)
    if related:
        document["relatedLocations"] = [
            {"id": number, **_place(file, one.span), "message": {"text": _plain(one.message)}}
            for number, one in enumerate(related, start=1)
        ]
    if isinstance(problem, Result):
        document["properties"] = _numbers(problem)
        document |= _from_findings(problem.explained_by, file)
    if isinstance(problem, Finding):
        document |= _from_findings([problem], file)
    return document


def _from_findings(findings: Sequence[Finding], file: str) -> dict[str, Json]:
    """What only findings have, also those that explain a violation."""
    flows = [_flow(steps, file) for one in findings if (steps := _steps(one))]
    fixes = [_fix(one) for one in findings if one.fix is not None and split_cell(one.file)[1] is None]
    return {**({"codeFlows": flows} if flows else {}), **({"fixes": fixes} if fixes else {})}


def location(problem: Problem) -> dict[str, Json]:
    """The main place of a problem; a whole file where no line is known."""
    at = placed(problem)
    if at.span is not None:
        found = _place(at.file, at.span)
    else:
        region: dict[str, Json] = {} if getattr(problem, "line", None) is None else {"region": {"startLine": at.line}}
        found = {"physicalLocation": {"artifactLocation": _artifact(at.file), **region}}
    if at.function is not None:
        found["logicalLocations"] = [{"fullyQualifiedName": at.function, "kind": "function"}]
    return found


def _message(problem: Problem) -> str:
    """The sentence, and for a verdict the counterexample or the cure below it."""
    whole = isinstance(problem, Result | SharedFailure)
    return _plain(problem_words.whole(problem) if whole else problem_words.in_file(problem))


def _plain(text: str) -> str:
    """Brackets escaped, because in a message of SARIF they make a link."""
    return _LINK.sub(r"\\\1", text)


def _related(problem: Problem) -> list[Related]:
    if isinstance(problem, Finding):
        return list(problem.related)
    if not isinstance(problem, Result):
        return []
    explaining = [Related(one.span, f"{one.code}: {one.message}") for one in problem.explained_by]
    # A claim in pyproject.toml has no place in this file, and the function's name stands for it.
    if problem.mechanism.claim_span != problem.mechanism.span:
        return [*explaining, Related(problem.mechanism.claim_span, _CLAIM)]
    return explaining


def _steps(finding: Finding) -> list[Related]:
    """The way that is known of it; else, of data that escapes, the related places and its own, in the source's order.

    The claim is no step of it. A finding that knows no other place has no way to show.
    """
    if finding.way or not finding.code.startswith(_FLOWS):
        return list(finding.way)
    others = [one for one in finding.related if not one.message.startswith(_CLAIM)]
    return sorted([*others, Related(finding.span, finding.message)], key=lambda one: one.span) if others else []


def _flow(steps: Sequence[Related], file: str) -> Json:
    places: list[Json] = [
        {"location": {**_place(file, step.span), "message": {"text": _plain(step.message)}}} for step in steps
    ]
    return {"threadFlows": [{"locations": places}]}


def _fix(finding: Finding) -> Json:
    assert finding.fix is not None
    replacements: list[Json] = [
        {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}} for edit in finding.fix.edits
    ]
    return {
        "description": {"text": _plain(finding.fix.title)},
        "artifactChanges": [{"artifactLocation": _artifact(finding.file), "replacements": replacements}],
        "properties": {"safe": finding.fix.safe},
    }


def verdict_sarif(result: Result) -> Json:
    """A verdict that is no problem: place, sentence, and what the JSON report says of it."""
    return {
        **location(result),
        "message": {"text": _plain(problem_words.text(result))},
        "properties": _numbers(result),
    }


def _numbers(result: Result) -> Json:
    """What the JSON report says of the verdict, under the same names."""
    document = result_json(result)
    return {name: document[name] for name in _VERDICT_KEYS.split() if document.get(name) not in (None, [])}


def _place(file: str, span: Span) -> dict[str, Json]:
    return {"physicalLocation": {"artifactLocation": _artifact(span.within(file)), "region": _region(span)}}


def _region(span: Span) -> Json:
    """Lines and columns count from 1 and the end is exclusive, as here."""
    return fields(span, "line=startLine column=startColumn end_line=endLine end_column=endColumn")


def _artifact(file: str) -> dict[str, Json]:
    """A relative path hangs from the root; an absolute one, of a file outside the working directory, is a URI."""
    path, cell = split_cell(file)
    if cell is not None:
        # its lines are those of the cell, for nobody knows those of the JSON around it
        return {**_artifact(path), "description": {"text": f"cell {cell}"}}
    if PurePath(file).is_absolute():
        return {"uri": PurePath(file).as_uri()}
    return {"uri": quote(PurePath(file).as_posix()), "uriBaseId": ROOT}
