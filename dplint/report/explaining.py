"""Where reading and running meet: findings that explain a violation are shown with it, as one thing.

A rule has seen why the function should break its claim, and the audit has seen that it does. That is no proof that the
one is the cause of the other, so a report says what explains the violation, and never that it is the only cause.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dplint.outcomes import Finding, Result, Severity, Violation
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


def _explains(finding: Finding, result: Result) -> bool:
    mechanism = result.mechanism
    name = finding.function or ""
    inside = name == mechanism.qualname or name.startswith(f"{mechanism.qualname}.")
    return finding.foretells and finding.file == mechanism.file and inside


def _confirmed(finding: Finding) -> Finding:
    if not finding.error_if_refuted or finding.severity is not Severity.WARNING:
        return finding
    return replace(finding, severity=Severity.ERROR, raised=True)


def meet(gathered: Gathered) -> Gathered:
    """The same, where violations know the findings that explain them; these are found there, and not by themselves."""
    results = tuple(explained(result, gathered.findings) for result in gathered.results)
    used = {place_of(one) for result in results for one in result.explained_by}
    return replace(
        gathered, results=results, findings=tuple(one for one in gathered.findings if place_of(one) not in used)
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
