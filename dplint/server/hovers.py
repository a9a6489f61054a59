"""Hovers: a mechanism and what is known of it, and the page of a code."""

from __future__ import annotations

import re

from lsprotocol import types as lsp

from dplint.check.editor_model import MechanismView
from dplint.claims import Span
from dplint.codes import page
from dplint.report.editor import share_words
from dplint.report.markdown import hover as hover_text
from dplint.server.claim_help import key_at, key_words
from dplint.server.documents import Document
from dplint.server.known import result_of
from dplint.server.lenses import Mode, state_title
from dplint.server.mechanism_state import MechanismState

_CODE = re.compile(r"\bDP\d{3}\b")


def hover(document: Document, position: lsp.Position, mode: Mode) -> lsp.Hover | None:
    """What there is to say about a place: a code in a comment, a draw, or a mechanism at its name or its claim."""
    line, column = document.text.place(position)
    code = _code_at(document, line, column)
    if code is not None:
        return code
    key = key_at(document.text, position)
    if key is not None:
        name, where = key
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, f"`{name}`: {key_words()[name]}"), where)
    for view in document.views:
        for share in view.shares:
            inside = not share.span.file and _within(share.span, line, column)
            if inside and (share.of_claim is not None or share.epsilon is not None):
                return _markdown(share_words(share, view.mechanism.claim.sensitivity), document, share.span)
    for view, state in document.mechanism_states():
        for span in (view.mechanism.span, view.mechanism.claim_span):
            if _within(span, line, column):
                return _markdown(_mechanism(document, view, state, mode), document, span)
    return None


def _mechanism(document: Document, view: MechanismView, state: MechanismState, mode: Mode) -> str:
    result = result_of(document, view.mechanism.qualname)
    reasons = () if result is None else result.explained_by
    return hover_text(
        view.mechanism,
        state.outcome,
        state_title(document, view, state, mode),
        reasons,
        state.shown_by_source,
        state.repairs or (),
    )


def _code_at(document: Document, line: int, column: int) -> lsp.Hover | None:
    """The page of a code that stands in a comment."""
    text = document.text.line(line - 1)
    if "#" not in text:
        return None
    for found in _CODE.finditer(text, text.index("#")):
        if found.start() < column <= found.end() + 1 and (known := page(found.group())) is not None:
            return _markdown(known.markdown, document, Span(line, found.start() + 1, line, found.end() + 1))
    return None


def _within(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


def _markdown(text: str, document: Document, span: Span) -> lsp.Hover:
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), document.text.range(span))
