"""What is known of the mechanisms of a document as it stands: findings that are to be seen, and verdicts with them."""

from __future__ import annotations

from dataclasses import replace

from dplint.check.sparing import spare_noise
from dplint.config import Settings, is_reported, level_of, shown
from dplint.outcomes import Finding, Proved, Result, Severity, Violation
from dplint.report.explaining import disproved, explained, place_of
from dplint.server.documents import Document
from dplint.source.useless_ignores import useless


def visible_findings(document: Document) -> list[Finding]:
    """The findings in the file of a document that are neither silenced nor deselected, useless comments among them."""
    loaded, settings = document.loaded, document.settings.settings
    if loaded is None:
        return []
    findings = [finding for finding in loaded.findings if finding.file == shown(document.path)]
    states = [(view.mechanism, state) for view, state in document.mechanism_states() if state.outcome is not None]
    for mechanism, state in states:
        repairs = state.repairs_at(mechanism.span.line)
        spare = None if state.outcome is None else spare_noise(mechanism, state.outcome, repairs, settings)
        findings += [] if spare is None else [spare]
    silenced = loaded.suppressions
    if silenced is not None:
        if not loaded.errors:
            results = [
                Result(view.mechanism, known.outcome) for view, known in document.mechanism_states() if known.outcome
            ]
            findings += useless(silenced, [*findings, *results], [view.mechanism for view in loaded.views])
        findings = silenced.silence(findings)[0]
    proved = [
        Result(view.mechanism, known.outcome)
        for view, known in document.mechanism_states()
        if isinstance(known.outcome, Proved)
    ]
    wrong = {place_of(one) for result in proved for one in disproved(result, findings)}
    findings = [one for one in findings if place_of(one) not in wrong]
    return [_levelled(finding, settings) for finding in findings if is_reported(finding.code, settings)]


def _levelled(finding: Finding, settings: Settings) -> Finding:
    level = level_of(finding.code, settings.severity)
    return finding if level is None else replace(finding, severity=Severity(level))


def result_of(document: Document, qualname: str) -> Result | None:
    """The verdict on a mechanism as it stands now, with what explains it; None if there is none."""
    view, state = document.view(qualname), document.states.get(qualname)
    if view is None or state is None or state.outcome is None:
        return None
    result = Result(view.mechanism, state.outcome, repairs=state.repairs_at(view.mechanism.span.line))
    return explained(result, visible_findings(document)) if isinstance(state.outcome, Violation) else result
