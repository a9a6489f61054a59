"""Projects of open documents: settings that change, and what is wrong in their pyproject.toml."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types as lsp

from dplint.check.tables import Tables
from dplint.claims import Span
from dplint.config import ConfigError, shown
from dplint.contents import content
from dplint.outcomes import CheckError, Finding
from dplint.server.configuration import Configuration
from dplint.server.diagnostics import SOURCE, link
from dplint.server.documents import Document, Text
from dplint.server.mechanism_state import MechanismState


@dataclass(slots=True)
class Projects:
    """Keeps the settings of documents true, and publishes what is wrong in the files that they come from.

    Such a file is no document of this server: editors do not ask for its diagnostics, so these are always pushed.
    """

    configuration: Configuration
    documents: Mapping[str, Document]
    tell: Callable[[lsp.PublishDiagnosticsParams], None]
    warn: Callable[[str], None]
    _published: dict[Path, list[lsp.Diagnostic]] = field(default_factory=dict)
    _warned: set[str] = field(default_factory=set)

    def renew_settings(self, document: Document, *, trusted: bool) -> list[MechanismState]:
        """Take in changed settings of a document; the mechanism states that do not hold under them any more."""
        found = self.configuration.of_file(document.path, trusted=trusted)
        before, document.settings = document.settings, found
        if found.error is not None:
            self.warn_once(f"{found.error} Until that is mended, dplint does without.")
        return document.forget() if found.settings != before.settings else []

    def warn_once(self, text: str) -> None:
        """Show a warning that was not shown before."""
        if text not in self._warned:
            self._warned.add(text)
            self.warn(text)

    def publish(self, document: Document) -> None:
        """Tell what is wrong in the pyproject.toml of a document, or that it was mended."""
        path = document.settings.pyproject
        if path is None:
            return
        items = self._items(path)
        if items != self._published.get(path, []):
            self.tell(lsp.PublishDiagnosticsParams(uri=path.as_uri(), diagnostics=items))
            self._published[path] = items

    def _items(self, path: Path) -> list[lsp.Diagnostic]:
        try:
            text = Text(content(path).decode("utf-8", "replace"))
        except OSError:
            return []
        mine = [document for document in self.documents.values() if document.settings.pyproject == path]
        tables = Tables()
        for one in mine:
            tables.met(one.path, one.settings.settings)
        wrong = {str(one.settings.error): one.settings.error for one in mine if one.settings.error is not None}
        errors: list[ConfigError | CheckError] = [*wrong.values(), *tables.lost()]
        found = []
        for error in errors:
            if error.file == shown(path):
                line = error.line or 1
                span = Span(line, 1, line, len(text.line(line - 1)) + 1)
                found.append(_item(text, span, None, error.message))
        told: set[Finding] = set()
        for document in mine:
            told |= {one for one in (document.loaded.findings if document.loaded else ()) if one.file == shown(path)}
        ordered = sorted(told, key=lambda one: (one.span, one.code))
        return found + [_item(text, one.span, one.code, one.message) for one in ordered]


def _item(text: Text, span: Span, code: str | None, message: str) -> lsp.Diagnostic:
    return lsp.Diagnostic(
        range=text.range(span),
        message=message,
        severity=lsp.DiagnosticSeverity.Error,
        code=code,
        code_description=link(code),
        source=SOURCE,
    )
