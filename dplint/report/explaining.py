"""Where reading and running meet: findings that explain a violation are shown with it, as one thing.

A rule has seen why the function should break its claim, and the audit has seen that it does. That is no proof that the
one is the cause of the other, so a report says what explains the violation, and never that it is the only cause.

Where the claim is proved without limits, the rule was wrong: what it says does not count, and is only listed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dplint.claims import Fixed
from dplint.outcomes import Finding, Proved, Result, Severity, Violation
from dplint.report.gathered import Gathered, severity_of


def explained(result: Result, findings: Iterable[Finding]) -> Result:
    """The result with those of the findings that explain it, if it is a violation, in the order of the source.

    These count as the violation does where their rule has it so.
    """
    if not isinstance(result.outcome, Violation):
        return result
    raised = severity_of(result) is Severity.ERROR
    found = [_confirmed(one) if raised else one for one in findings if _explains(one, result)]
    return replace(result, explained_by=tuple(sorted(found, key=lambda one: (one.span, one.code))))


def disproved(result: Result, findings: Iterable[Finding]) -> list[Finding]:
    """Those of the findings that the proof of a claim shows to be wrong: of one without limits, assumptions, or
    arguments that only have their default.
    """
    outcome = result.outcome
    if not isinstance(outcome, Proved) or not outcome.scope.full or outcome.scope.assumptions:
        return []
    stated = {name for name, _ in result.mechanism.claim.args}
    if any(isinstance(one.values, Fixed) and one.name not in stated for one in outcome.scope.arguments):
        return []
    return [one for one in findings if one.disprovable and _is_inside(one, result)]


def _explains(finding: Finding, result: Result) -> bool:
    return finding.foretells and _is_inside(finding, result)


def _is_inside(finding: Finding, result: Result) -> bool:
    mechanism = result.mechanism
    name = finding.function or ""
    inside = name == mechanism.qualname or name.startswith(f"{mechanism.qualname}.")
    return inside and finding.file == mechanism.file


def _confirmed(finding: Finding) -> Finding:
    if not finding.error_if_refuted or finding.severity is not Severity.WARNING:
        return finding
    return replace(finding, severity=Severity.ERROR, raised=True)


def meet(gathered: Gathered) -> Gathered:
    """The same, where violations know the findings that explain them; these are found there, and not by themselves.

    What a proof shows to be wrong is no finding any more.
    """
    results = tuple(explained(result, gathered.findings) for result in gathered.results)
    wrong = [one for result in results for one in disproved(result, gathered.findings)]
    used = {place_of(one) for result in results for one in result.explained_by} | set(map(place_of, wrong))
    return replace(
        gathered,
        results=results,
        findings=tuple(one for one in gathered.findings if place_of(one) not in used),
        disproved=(*gathered.disproved, *wrong),
    )


def reasons(result: Result) -> list[str]:
    """What explains a violation, one sentence each: "line 12: the scale is epsilon, not 1/epsilon (DP101)"."""
    return [f"line {one.span.line}: {one.message} ({one.code}{raised_words(one)})" for one in result.explained_by]


def raised_words(finding: Finding) -> str:
    """How a finding became an error, if it is usually none."""
    return ", an error since the audit has refuted the claim" if finding.raised else ""


def place_of(finding: Finding) -> tuple[object, ...]:
    """What tells a finding apart, also after it has become an error."""
    return finding.file, finding.span, finding.code, finding.function
