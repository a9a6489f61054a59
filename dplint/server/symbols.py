"""The mechanisms of a document as its symbols, each with its state: for editors that list those and show no lenses."""

from __future__ import annotations

from lsprotocol import types as lsp

from dplint.claims import Span
from dplint.server.documents import Document, first_line
from dplint.server.lenses import Mode, state_title


def symbols(document: Document, mode: Mode) -> list[lsp.DocumentSymbol]:
    """A symbol for each mechanism, from its claim to its last line."""
    found = []
    for view, state in document.mechanism_states():
        last = len(document.text.line(view.last - 1)) + 1
        whole = document.text.range(Span(first_line(view), 1, view.last, last))
        found.append(
            lsp.DocumentSymbol(
                name=view.mechanism.qualname,
                kind=lsp.SymbolKind.Function,
                range=whole,
                selection_range=document.text.range(view.mechanism.span),
                detail=state_title(document, view, state, mode),
            )
        )
    return found
