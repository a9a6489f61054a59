"""Where reading and running meet: findings that explain a violation are shown with it, as one thing.

A rule has seen why the function should break its claim, and the audit has seen that it does. That is no proof that the
one is the cause of the other, so a report says what explains the violation, and never that it is the only cause. What
cannot be the cause is left out: a line that no run on the two inputs has taken, and what causes events of another kind.

Where the claim is proved without limits, the rule was wrong: what it says does not count, and is only listed.

This is done last, after comments, settings and the baseline have said what is reported: none of these knows of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from dplint import outcomes as out
from dplint.claims import Fixed
from dplint.report.gathered import Gathered, severity_of


def explained(result: out.Result, findings: Iterable[out.Finding]) -> out.Result:
    """The result with those of the findings that explain it, if it is a violation, in the order of the source.

    These count as the violation does where their rule has it so. Of several on one line, and of several that speak of
    one cause, the strongest is shown.
    """
    violation = result.outcome
    if not isinstance(violation, out.Violation):
        return result
    raised = severity_of(result) is out.Severity.ERROR
    found = sorted(
        (_confirmed(one) if raised else one for one in findings if _explains(one, result, violation)),
        key=lambda one: (one.span, one.code),
    )
    shown = _one_a_cause(found)
    return replace(result, explained_by=tuple(shown), same_causes=tuple(one for one in found if one not in shown))


def disproved(result: out.Result, findings: Iterable[out.Finding]) -> list[out.Finding]:
    """Those of the findings that the proof of a claim shows to be wrong: of one without limits, assumptions, or
    arguments that only have their default.
    """
    outcome = result.outcome
    if not isinstance(outcome, out.Proved) or not outcome.scope.full or outcome.scope.assumptions:
        return []
    if outcome.tried is not None:  # it is about outputs, and not about privacy
        return []
    stated = {name for name, _ in result.mechanism.claim.args}
    if any(isinstance(one.values, Fixed) and one.name not in stated for one in outcome.scope.arguments):
        return []
    return [one for one in findings if one.disprovable and _is_inside(one, result)]


def _explains(finding: out.Finding, result: out.Result, violation: out.Violation) -> bool:
    return (
        finding.foretells
        and _is_inside(finding, result)
        and not _is_skipped(finding, result, violation)
        and _causes(finding, violation)
    )


def _is_skipped(finding: out.Finding, result: out.Result, violation: out.Violation) -> bool:
    """Whether it is known that no run on the two inputs has come to the line, or to one where it has its effect."""
    if violation.watched is None:
        return False
    places = [(finding.span, finding.text), *((one.span, one.text) for one in finding.related)]
    here = result.mechanism.span.line
    return any(out.SkippedLine(span.line - here, text) in violation.watched.skipped for span, text in places)


def _causes(finding: out.Finding, violation: out.Violation) -> bool:
    """Whether the finding can cause an event of this kind: an exception, or anything else."""
    witness, watched = violation.counterexample.witness, violation.watched
    crash = watched is not None and watched.crash
    if not crash and not witness.observation.of_exceptions:
        return out.Effect.OUTPUT in finding.effects
    # Where noise decides whether there is an exception, its scale can be the cause.
    decided_by_noise = not crash and _is_random(violation.counterexample.evidence)
    return out.Effect.EXCEPTION in finding.effects or (decided_by_noise and out.Effect.OUTPUT in finding.effects)


def _is_random(evidence: out.Evidence) -> bool:
    """Whether on both inputs some runs have the event, and some have not."""
    if isinstance(evidence, out.CountedEvidence):
        return 0 < evidence.count1 < evidence.runs1 and 0 < evidence.count2 < evidence.runs2
    return all(p.low > 0 and p.high < 1 for p in (evidence.p1, evidence.p2))


def _one_a_cause(findings: Sequence[out.Finding]) -> list[out.Finding]:
    """Those that are shown, in their order: of each line the strongest, and none beside one that says the same."""
    codes = {one.code for one in findings}
    own = [one for one in findings if codes.isdisjoint(one.same_as)]
    strongest: dict[int, out.Finding] = {}
    for one in sorted(own, key=_weakness):
        strongest.setdefault(one.span.line, one)
    return [one for one in own if strongest[one.span.line] is one]


def _weakness(finding: out.Finding) -> tuple[int, bool, bool, str]:
    """What sorts first is shown: what is an error by itself, has a fix, and comes first by its code."""
    grave = (out.Severity.ERROR, out.Severity.WARNING, out.Severity.INFO).index(finding.severity)
    return grave, finding.raised, finding.fix is None, finding.code


def _is_inside(finding: out.Finding, result: out.Result) -> bool:
    mechanism = result.mechanism
    name = finding.function or ""
    inside = name == mechanism.qualname or name.startswith(f"{mechanism.qualname}.")
    return inside and finding.file == mechanism.file


def _confirmed(finding: out.Finding) -> out.Finding:
    if not finding.error_if_refuted or finding.severity is not out.Severity.WARNING:
        return finding
    return replace(finding, severity=out.Severity.ERROR, raised=True)


def meet(gathered: Gathered) -> Gathered:
    """The same, where violations know the findings that explain them; these are found there, and not by themselves.

    What a proof shows to be wrong is no finding any more.
    """
    results = tuple(explained(result, gathered.findings) for result in gathered.results)
    wrong = [one for result in results for one in disproved(result, gathered.findings)]
    used = {place_of(one) for result in results for one in result.explaining} | set(map(place_of, wrong))
    return replace(
        gathered,
        results=results,
        findings=tuple(one for one in gathered.findings if place_of(one) not in used),
        disproved=(*gathered.disproved, *wrong),
    )


def place_of(finding: out.Finding) -> tuple[object, ...]:
    """What tells a finding apart, also after it has become an error."""
    return finding.file, finding.span, finding.code, finding.function
