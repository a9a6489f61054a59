"""Diagnostics of a document: findings and verdicts together, always of the version that stands there now."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from lsprotocol import types as lsp

from dplint.check.buffers import View
from dplint.claims import Span
from dplint.codes import page_path
from dplint.config import Settings, shown
from dplint.config.selection import is_reported, level_of
from dplint.outcomes import (
    CheckError,
    Failed,
    Finding,
    Related,
    Result,
    Severity,
    Violation,
)
from dplint.report import editor
from dplint.report.gathered import code_of, severity_of
from dplint.server.documents import Document
from dplint.source.useless_ignores import useless

SOURCE = "dplint"
_LEVELS = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}


def diagnostics(document: Document) -> list[lsp.Diagnostic]:
    """All diagnostics of the text as it stands; of a document that was not read yet there are none."""
    reading = document.reading
    if reading is None:
        return []
    wanted = visible_findings(document)
    return [
        *(_error(document, error) for error in reading.errors),
        *(_finding(document, finding) for finding in wanted),
        *_verdicts(document),
    ]


def visible_findings(document: Document) -> list[Finding]:
    """The findings in the file of a document that are neither silenced nor deselected, useless comments among them."""
    reading, settings = document.reading, document.settings.settings
    if reading is None:
        return []
    findings = [finding for finding in reading.findings if finding.file == shown(document.path)]
    silenced = reading.suppressions
    if silenced is not None:
        if not reading.errors:
            results = [Result(view.mechanism, known.outcome) for view, known in document.judged() if known.outcome]
            findings += useless(silenced, [*findings, *results], [view.mechanism for view in reading.views])
        findings = silenced.silence(findings)[0]
    return [_levelled(finding, settings) for finding in findings if is_reported(finding.code, settings)]


def _levelled(finding: Finding, settings: Settings) -> Finding:
    level = level_of(finding.code, settings.severity)
    return finding if level is None else replace(finding, severity=Severity(level))


def _verdicts(document: Document) -> Iterator[lsp.Diagnostic]:
    reading, settings = document.reading, document.settings.settings
    for view, judgement in document.judged():
        outcome = judgement.outcome or judgement.older
        if outcome is None:
            continue
        code = code_of(outcome)
        # What could not be checked must not vanish.
        if code is None or not (isinstance(outcome, Failed) or is_reported(code, settings)):
            continue
        level = level_of(code, settings.severity)
        result = Result(view.mechanism, outcome, severity=None if level in (None, "off") else Severity(level))
        if reading is not None and reading.suppressions is not None and reading.suppressions.silences(result):
            continue
        yield _verdict(document, view, result, code, stale=judgement.outcome is None)


def _verdict(document: Document, view: View, result: Result, code: str, *, stale: bool) -> lsp.Diagnostic:
    """A verdict on an earlier version of the source is told apart: it is no error of what stands there now."""
    severity = Severity.INFO if stale else severity_of(result) or Severity.INFO
    related: tuple[Related, ...] = ()
    if isinstance(result.outcome, Violation):
        claim = Related(view.mechanism.claim_span, "the claim that is broken")
        related = (claim, *(editor.related(share) for share in view.shares), *_explaining(document, view))
    return _diagnostic(
        document,
        view.mechanism.span,
        code,
        editor.stale_message(result) if stale else editor.message(result),
        _LEVELS[severity],
        related,
        {"function": view.mechanism.qualname, "stale": stale},
    )


def _explaining(document: Document, view: View) -> Iterator[Related]:
    """What static rules have found in the function."""
    for finding in document.reading.findings if document.reading else ():
        if finding.function == view.mechanism.qualname:
            yield Related(finding.span, f"{finding.code}: {finding.message}")


def _finding(document: Document, finding: Finding) -> lsp.Diagnostic:
    data = {"function": finding.function, "fixable": finding.fixable}
    severity = _LEVELS[finding.severity]
    return _diagnostic(document, finding.span, finding.code, finding.message, severity, finding.related, data)


def _error(document: Document, error: CheckError) -> lsp.Diagnostic:
    """Something that could not be read, at its whole line."""
    line = max(1, error.line or 1)
    text = document.text.line(line - 1)
    start = len(text) - len(text.lstrip())
    span = Span(line, start + 1, line, max(start + 2, len(text.rstrip()) + 1))
    message = f"{error.message}: claims here are not checked"
    return _diagnostic(document, span, None, message, lsp.DiagnosticSeverity.Warning, (), {})


def _diagnostic(
    document: Document,
    span: Span,
    code: str | None,
    message: str,
    severity: lsp.DiagnosticSeverity,
    related: Iterable[Related],
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
            lsp.DiagnosticRelatedInformation(lsp.Location(document.uri, document.text.range(one.span)), one.message)
            for one in related
        ]
        or None,
        data=data,
    )


def link(code: str | None) -> lsp.CodeDescription | None:
    """The page of a code, which is installed with dplint."""
    path = None if code is None else page_path(code)
    return None if path is None else lsp.CodeDescription(path.as_uri())


def result_id(items: list[lsp.Diagnostic]) -> str:
    """A name for a set of diagnostics: the same for the same."""
    return hashlib.sha256(repr(items).encode("utf-8", "replace")).hexdigest()[:16]
