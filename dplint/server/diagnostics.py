"""Diagnostics of a document: findings and verdicts together, always of the version that stands there now."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types as lsp

from dplint import outcomes as out
from dplint.check.editor_model import MechanismView
from dplint.check.judging import judged, unproved
from dplint.claims import Span
from dplint.codes import page_path
from dplint.config.selection import is_reported, level_of
from dplint.report import editor, problem_words
from dplint.report.editor import unconfirmed_json, unconfirmed_message
from dplint.report.explaining import explained, place_of
from dplint.report.gathered import SharedFailure, code_of, scope_of, severity_of, shared_failures
from dplint.server.documents import Document, Text
from dplint.server.lenses import visible_findings
from dplint.source.files import content_of

SOURCE = "dplint"
_LEVELS = {
    out.Severity.ERROR: lsp.DiagnosticSeverity.Error,
    out.Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    out.Severity.INFO: lsp.DiagnosticSeverity.Information,
}


def diagnostics(document: Document) -> list[lsp.Diagnostic]:
    """All diagnostics of the text as it stands; of a document that was not read yet there are none."""
    loaded = document.loaded
    if loaded is None:
        return []
    wanted = visible_findings(document)
    verdicts = list(_verdicts(document, wanted))
    explaining = {place_of(one): known for known in verdicts for one in known.result.explaining}
    return [
        *(_error(document, error) for error in loaded.errors),
        *(_finding(document, finding, explaining.get(place_of(finding))) for finding in wanted),
        *(_verdict(document, one) for one in verdicts if scope_of(one.result) is None),
        *(_unconfirmed(document, view, against) for view, against in _by_source(document)),
        *(_finding(document, finding, None) for finding in _unproved(document)),
        *(_shared(document, failure) for failure in shared_failures([one.result for one in verdicts])),
    ]


def _unproved(document: Document) -> Iterator[out.Finding]:
    """What lacks the proof that the settings ask for; not said of an earlier version of the source."""
    settings, loaded = document.settings.settings, document.loaded
    for view, state in document.mechanism_states():
        missing = unproved(view.mechanism, state.outcome, settings) if state.outcome is not None else None
        if missing is None or (loaded is not None and loaded.suppressions and loaded.suppressions.silences(missing)):
            continue
        found = judged(missing, settings)
        if isinstance(found, out.Finding):
            yield found


@dataclass(frozen=True, slots=True)
class _Known:
    """A verdict that is shown. stale: it is about an earlier version of the source."""

    view: MechanismView
    result: out.Result
    code: str
    stale: bool


def _verdicts(document: Document, findings: Sequence[out.Finding]) -> Iterator[_Known]:
    loaded, settings = document.loaded, document.settings.settings
    for view, state in document.mechanism_states():
        # What the source as it stands says takes the place of what was known of an earlier one.
        outcome = state.outcome or (state.older if state.unconfirmed is None else None)
        if outcome is None or document.will_go_on(state):
            continue
        code = code_of(outcome)
        # What could not be checked must not vanish.
        if code is None or not (isinstance(outcome, out.Failed) or is_reported(code, settings)):
            continue
        level = level_of(code, settings.severity)
        result = out.Result(view.mechanism, outcome, severity=None if level in (None, "off") else out.Severity(level))
        if loaded is not None and loaded.suppressions is not None and loaded.suppressions.silences(result):
            continue
        stale = state.outcome is None
        yield _Known(view, result if stale else explained(result, findings), code, stale)


def _verdict(document: Document, known: _Known) -> lsp.Diagnostic:
    """A verdict on an earlier version of the source is told apart: it is no error of what stands there now."""
    view, result = known.view, known.result
    severity = out.Severity.INFO if known.stale else severity_of(result) or out.Severity.INFO
    related: list[out.Related] = []
    if isinstance(result.outcome, out.Violation):
        related = [out.Related(one.span, f"{one.code}: {one.message}") for one in result.explained_by]
        related.append(out.Related(view.mechanism.claim_span, "the claim that is broken"))
        related += (editor.related(share) for share in view.shares)
    return _diagnostic(
        document,
        view.mechanism.span,
        known.code,
        editor.stale_message(result) if known.stale else editor.message(result),
        _LEVELS[severity],
        related,
        {"function": view.mechanism.qualname, "stale": known.stale},
    )


def _by_source(document: Document) -> Iterator[tuple[MechanismView, out.Unconfirmed]]:
    """What speaks against claims by the source alone, unless settings or a comment leave such violations out."""
    loaded, settings = document.loaded, document.settings.settings
    silenced = None if loaded is None else loaded.suppressions
    for view, state in document.mechanism_states():
        against = state.unconfirmed
        if against is None or not is_reported(against.code, settings):
            continue
        if silenced is None or not silenced.silences_mechanism(view.mechanism, against.code):
            yield view, against


def _unconfirmed(document: Document, view: MechanismView, against: out.Unconfirmed) -> lsp.Diagnostic:
    """A warning at most: nobody has called the function."""
    level = level_of(against.code, document.settings.settings.severity)
    severity = out.Severity.INFO if level == "info" else out.Severity.WARNING
    return _diagnostic(
        document,
        view.mechanism.span,
        against.code,
        unconfirmed_message(view.mechanism, against),
        _LEVELS[severity],
        [out.Related(view.mechanism.claim_span, "the claim that it is against"), *map(editor.related, view.shares)],
        {"function": view.mechanism.qualname, "stale": False, "bySource": unconfirmed_json(against)},
    )


def _finding(document: Document, finding: out.Finding, verdict: _Known | None) -> lsp.Diagnostic:
    """A finding that explains a violation is part of that: its line is marked, but it is no problem of its own."""
    data = {"function": finding.function, "fixable": finding.fixable}
    if verdict is None:
        severity, message = _LEVELS[finding.severity], finding.message
    else:
        severity, message = lsp.DiagnosticSeverity.Hint, editor.confirmed_message(finding, verdict.result)
    related = *finding.way, *(one for one in finding.related if one.span not in {step.span for step in finding.way})
    return _diagnostic(document, finding.span, finding.code, message, severity, related, data)


def _shared(document: Document, failure: SharedFailure) -> lsp.Diagnostic:
    """What keeps all mechanisms of the file from being tested, once, at the line where it happened."""
    severity = _LEVELS[problem_words.severity(failure)]
    text = "\n".join([problem_words.text(failure), *filter(None, [editor.cure(failure.results[0])])])
    span = _whole_line(document, failure.line)
    data = {"functions": [one.mechanism.qualname for one in failure.results]}
    return _diagnostic(document, span, problem_words.code(failure), text, severity, (), data)


def _whole_line(document: Document, number: int) -> Span:
    line = max(1, number)
    text = document.text.line(line - 1)
    start = len(text) - len(text.lstrip())
    return Span(line, start + 1, line, max(start + 2, len(text.rstrip()) + 1))


def _error(document: Document, error: out.CheckError) -> lsp.Diagnostic:
    """Something that could not be read, at its whole line."""
    span = _whole_line(document, error.line or 1)
    message = f"{error.message}; nothing here is tested until that is mended"
    return _diagnostic(document, span, None, message, lsp.DiagnosticSeverity.Warning, (), {})


def _diagnostic(
    document: Document,
    span: Span,
    code: str | None,
    message: str,
    severity: lsp.DiagnosticSeverity,
    related: Iterable[out.Related],
    data: Mapping[str, object],
) -> lsp.Diagnostic:
    return lsp.Diagnostic(
        range=document.text.range(span),
        message=message,
        severity=severity,
        code=code,
        code_description=link(code),
        source=SOURCE,
        related_information=[
            lsp.DiagnosticRelatedInformation(_location(document, one.span), one.message) for one in related
        ]
        or None,
        data=data,
    )


def _location(document: Document, span: Span) -> lsp.Location:
    """A place in the document, or in another module, of which the file is read for the units that columns count."""
    if not span.file:
        return lsp.Location(document.uri, document.text.range(span))
    path = Path(span.file).absolute()
    text = (content_of(path) or b"").decode("utf-8", "replace")
    return lsp.Location(path.as_uri(), Text(text, document.text.encoding).range(span))


def link(code: str | None) -> lsp.CodeDescription | None:
    """The page of a code, which is installed with dplint."""
    path = None if code is None else page_path(code)
    return None if path is None else lsp.CodeDescription(path.as_uri())


def result_id(items: list[lsp.Diagnostic]) -> str:
    """A name for a set of diagnostics: the same for the same."""
    return hashlib.sha256(repr(items).encode("utf-8", "replace")).hexdigest()[:16]
