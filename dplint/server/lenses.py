"""Code lenses above mechanisms, and inlay hints at their draws.

What is known of the mechanisms of a document as it stands: findings that are to be seen, and verdicts with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from lsprotocol import types as lsp

from dplint.check.editor_model import BudgetShare, MechanismView
from dplint.check.noise_amounts import short_noise, spare_noise
from dplint.claims import Span
from dplint.config import Settings, is_reported, level_of, shown
from dplint.jobs import IMPORTING
from dplint.outcomes import Finding, NoViolation, Outcome, Proved, Result, Severity, Underpowered, Violation
from dplint.report import editor
from dplint.report.editor import by_source_title
from dplint.report.explaining import disproved, explained, place_of
from dplint.report.proof_words import shift_words
from dplint.report.repair_words import repair_title
from dplint.report.stability_words import line_title
from dplint.server.documents import Document
from dplint.server.mechanism_state import MechanismState, Phase
from dplint.source.suppressions import useless


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
    for view, known in document.mechanism_states():
        findings += short_noise(view, known.outcome, known.moved_at(view.mechanism.span.line))
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


_OF_NOISE = "DP1"
"""So begin the codes of findings about how much noise is drawn."""


class Command(StrEnum):
    """The commands of the server, under the names that editors call them by."""

    TEST = "dplint.test"
    TEST_DEEPER = "dplint.testDeeper"
    TEST_ALL = "dplint.testAll"
    STOP = "dplint.stop"
    SHOW_COUNTEREXAMPLE = "dplint.showCounterexample"
    SHOW_PROOF = "dplint.showProof"
    SHOW_OUTPUTS = "dplint.showOutputs"
    SHOW_CURVE = "dplint.showCurve"
    WORST = "dplint.worst"
    COPY_TEST = "dplint.copyTest"
    EXPLAIN = "dplint.explain"
    MECHANISMS = "dplint.mechanisms"
    PAUSE = "dplint.pause"
    RESUME = "dplint.resume"


class Mode(StrEnum):
    """Whether audits may run at all."""

    ON = "on"
    PAUSED = "paused"
    UNTRUSTED = "untrusted"


def lenses(document: Document, mode: Mode, function: str | None = None) -> list[lsp.CodeLens]:
    """The state of each mechanism, or of that one, in words, and what can be done about it, above its function."""
    return [
        lens
        for view, state in document.mechanism_states()
        if function in (None, view.mechanism.qualname)
        for lens in _lenses(document, view, state, mode)
    ]


def _lenses(document: Document, view: MechanismView, state: MechanismState, mode: Mode) -> Iterator[lsp.CodeLens]:
    found = state.outcome
    where = document.text.range(view.mechanism.span)
    arguments: list[object] = [document.uri, view.mechanism.qualname]

    def lens(title: str, command: str) -> lsp.CodeLens:
        return lsp.CodeLens(range=where, command=lsp.Command(title=title, command=command, arguments=arguments))

    shown = isinstance(found, Violation) or state.unconfirmed is not None
    evidence = Command.SHOW_COUNTEREXAMPLE if shown else Command.SHOW_PROOF if isinstance(found, Proved) else ""
    yield lens(state_title(document, view, state, mode), evidence)
    if evidence:
        yield lens("show counterexample" if shown else "show proof", evidence)
    if mode is not Mode.ON or not document.may_run:
        return
    if state.busy:
        yield lens("stop", Command.STOP)
    elif isinstance(found, Violation | NoViolation | Underpowered | Proved):
        yield lens("test deeper", Command.TEST_DEEPER)
    else:
        yield lens("test now", Command.TEST)


def state_title(document: Document, view: MechanismView, state: MechanismState, mode: Mode) -> str:
    """The claim and what is known of it: "claims ε = 0.7 · testing, 41k runs"."""
    found, claim = state.outcome, editor.claim_title(view.mechanism.claim)
    verdict = None if found is None or document.waits_for_time(state) else found
    known = None if verdict is None else f"{claim} · {editor.verdict_title(verdict, view.mechanism.claim)}"
    if state.phase is Phase.TESTING and mode is Mode.ON:
        testing = _testing(state)
        return f"{claim} · {testing}" if known is None else f"{known} · {testing}"
    computed = "" if state.by_source is None else by_source_title(state.by_source, view.mechanism.claim)
    if state.unconfirmed is not None:
        return f"{claim} · {computed}" if known is None else f"{known} · {computed}"
    if known is not None:
        return " · ".join(filter(None, (known, repair_title(state.repairs or ()))))
    unknown = _unknown(document, state, mode)
    return f"{claim} · {unknown} ({computed})" if computed else f"{claim} · {unknown}"


def _testing(state: MechanismState) -> str:
    tick = state.tick
    return "importing" if tick and tick.phase == IMPORTING else editor.testing_title(tick.done if tick else 0)


def why_not_run(document: Document, mode: Mode) -> str | None:
    """What keeps the code of a document from being run, as a clause; None if nothing does."""
    reasons = {
        "the workspace is not trusted": mode is Mode.UNTRUSTED,
        "save it as a file first": not document.runnable,
        "the settings say static-only": document.settings.settings.static_only,
        "dplint is paused": mode is Mode.PAUSED,
        "the file does not parse": document.unreadable,
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def _unknown(document: Document, state: MechanismState, mode: Mode) -> str:
    """Why there is no verdict."""
    why = why_not_run(document, mode)
    if why is not None:
        return f"not tested: {why}"
    if state.busy or state.phase is Phase.STOPPED:
        return state.phase.value
    if state.unsaved:
        return f"not tested: {Path(state.unsaved).name} is not saved"
    if document.waits_for_time(state):
        return "waiting for time"
    return "not tested yet" if state.older is None else "changed since it was tested"


def hints(document: Document, first: int, last: int) -> list[lsp.InlayHint]:
    """What each draw in these lines, counted from 1, spends of the budget, where that is known; and how far one record
    moves a function without noise, behind its head, and what lines of a mechanism assign, behind them.
    """
    return [
        lsp.InlayHint(position=document.text.range(span).end, label=label, padding_left=True, tooltip=words)
        for span, (label, words) in _known_of_lines(document)
        if first <= span.end_line <= last
    ]


def _known_of_lines(document: Document) -> Iterator[tuple[Span, tuple[str, str]]]:
    """All places with something to say behind them, each with its label and its words."""
    for view, state in document.mechanism_states():
        line = view.mechanism.span.line
        for span, known in state.moved_at(line):
            title = None if any(one.span == span for one in view.shares) else line_title(known)
            if title is not None:
                yield span, title
        moved = None if state.outcome is None else editor.sensitivity_title(state.outcome, view.mechanism.claim)
        if moved is not None:
            yield Span(line, 1, line, len(document.text.line(line - 1)) + 1), moved
    for view in document.views:
        for share in view.shares:
            shown = None if share.span.file else _hint(document, view, share)
            if shown is not None:
                yield share.span, shown


def _hint(document: Document, view: MechanismView, share: BudgetShare) -> tuple[str, str] | None:
    """Label and words of a draw; None if nothing is known. Where the claim is broken, none of them reassures."""
    label = editor.share_label(share)
    if label is None:
        return None
    state, head = document.states.get(view.mechanism.qualname), view.mechanism.span.line
    added = next((one for span, one in state.moved_at(head) if span == share.span), None) if state else None
    words = editor.share_words(share, view.mechanism.claim, added)
    far = line_title(added) if added is not None and added.beyond(share.pays_for(view.mechanism.claim)) else None
    label = f"{label} ⚠ {far[0]}" if far is not None else label
    wrong = next((one for one in visible_findings(document) if _blames(one, share)), None)
    if wrong is not None:
        return f"{label} ⚠ {wrong.code}", f"{wrong.message[:1].upper()}{wrong.message[1:]}.\n\n{words}"
    known = None if state is None else state.outcome or (None if isinstance(state.older, Proved) else state.older)
    if state is not None and (isinstance(known, Violation) or state.unconfirmed is not None):
        return f"{label}?", f"{_broken(state)}, so this draw may cost more than its scale says. {words}"
    shifts = _shifts(view, known, share)
    return (f"{label} ✓", "\n\n".join(f"Proof: {one}." for one in shifts)) if shifts else (label, words)


def _broken(state: MechanismState) -> str:
    if isinstance(state.outcome, Violation):
        return "The claim is broken"
    by_source = state.unconfirmed is not None
    return "By the source alone, the claim is broken" if by_source else "The claim was broken before your last change"


def _shifts(view: MechanismView, known: Outcome | None, share: BudgetShare) -> list[str]:
    """What a proof says of a draw, or of all if it shifts none; nothing if its places are those of an earlier text."""
    if not isinstance(known, Proved):
        return []
    shifts = known.certificate.shifts
    if not shifts:
        return [known.certificate.words]
    places = {one.span for one in view.shares}
    if any(one.site.span not in places for one in shifts):
        return []
    return [shift_words(one, shifts) for one in shifts if one.site.span == share.span]


def _blames(finding: Finding, share: BudgetShare) -> bool:
    """Whether a finding is about the noise of this draw."""
    one, other = finding.span, share.span
    begins, ends = (one.line, one.column), (one.end_line, one.end_column)
    apart = ends <= (other.line, other.column) or (other.end_line, other.end_column) <= begins
    return finding.code.startswith(_OF_NOISE) and not apart
