"""Notebooks: their Python cells are one document, as on the command line, and what is known of it goes to the cells.

The text is that of the cells as they stand in the editor, saved or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import attrs
from lsprotocol import types as lsp
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from dplint.check.cells import sentence_in_cells
from dplint.server.configuration import Configuration
from dplint.server.diagnostics import diagnostics
from dplint.server.documents import Document, Text
from dplint.source.notebooks import SUFFIX, is_notebook, open_notebook


@dataclass(frozen=True, slots=True)
class CellText:
    """A Python cell as it stands. number: its place among all cells, from 1."""

    number: int
    uri: str
    version: int | None
    source: str


class Notebook:
    """A notebook: its cells, and the document that they are read as."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._cells: tuple[CellText, ...] = ()
        self._module = open_notebook(())

    @property
    def cells(self) -> tuple[str, ...]:
        """The addresses of its Python cells, in their order."""
        return tuple(one.uri for one in self._cells)

    def take(self, cells: Sequence[TextDocument], version: int, encoding: str) -> set[str]:
        """All cells as they are now, those that hold no Python among them; the addresses of those that are gone."""
        before = set(self.cells)
        numbered = enumerate(cells, start=1)
        self._cells = tuple(
            CellText(number, one.uri, one.version, one.source)
            for number, one in numbered
            if one.language_id == "python"
        )
        self._module = open_notebook([(one.number, one.source) for one in self._cells])
        self.document.take_text(Text(self._module.text, encoding), version)
        return before - set(self.cells)

    def source(self, index: int) -> str:
        """The text of a cell."""
        return self._cells[index].source

    def cell(self, uri: str) -> Cell:
        """One of its cells."""
        return Cell(self, self.cells.index(uri))

    def diagnostics(self) -> Iterator[tuple[str, int | None, list[lsp.Diagnostic]]]:
        """The diagnostics of each cell, with its address and version."""
        found: dict[str, list[lsp.Diagnostic]] = {uri: [] for uri in self.cells}
        for item in diagnostics(self.document) if self._cells else ():
            uri, where = self.place(item.range)
            told = [self._related(one) for one in item.related_information or ()]
            message = sentence_in_cells(item.message, str(self.document.path), self._module, item.range.start.line + 1)
            found[uri].append(attrs.evolve(item, range=where, message=message, related_information=told or None))
        for one in self._cells:
            yield one.uri, one.version, found[one.uri]

    def _related(self, item: lsp.DiagnosticRelatedInformation) -> lsp.DiagnosticRelatedInformation:
        if item.location.uri != self.document.uri:
            return item
        uri, where = self.place(item.location.range)
        return lsp.DiagnosticRelatedInformation(lsp.Location(uri, where), item.message)

    def place(self, where: lsp.Range) -> tuple[str, lsp.Range]:
        """The cell of a range of the module, and the range there."""
        index = self.index(where.start.line)
        return self._cells[index].uri, _up(where, self.before(index))

    def index(self, line: int) -> int:
        """The cell of a line of the module, which counts from 0; the line that heads a cell belongs to that."""
        return self._module.numbers.index(self._module.place(line + 1)[0])

    def before(self, index: int) -> int:
        """How many lines stand before a cell."""
        return self._module.firsts[index] - 1

    def edit(self, found: lsp.WorkspaceEdit) -> lsp.WorkspaceEdit:
        """An edit of the module as one of its cells; of other files it stays as it is."""
        if found.changes is not None:
            changes: dict[str, list[lsp.TextEdit]] = {}
            for one in found.changes.get(self.document.uri, ()):
                uri, where = self.place(one.range)
                changes.setdefault(uri, []).append(lsp.TextEdit(where, one.new_text))
            return lsp.WorkspaceEdit(changes=changes)
        made: list[Any] = []
        for change in found.document_changes or ():
            if isinstance(change, lsp.TextDocumentEdit) and change.text_document.uri == self.document.uri:
                made += self._edits([one for one in change.edits if isinstance(one, lsp.TextEdit)])
            else:
                made.append(change)
        return lsp.WorkspaceEdit(document_changes=made)

    def _edits(self, edits: Iterable[lsp.TextEdit]) -> Iterator[lsp.TextDocumentEdit]:
        by_cell: dict[str, list[lsp.TextEdit]] = {}
        for one in edits:
            uri, where = self.place(one.range)
            by_cell.setdefault(uri, []).append(lsp.TextEdit(where, one.new_text))
        versions = {one.uri: one.version for one in self._cells}
        for uri, mine in by_cell.items():
            yield lsp.TextDocumentEdit(lsp.OptionalVersionedTextDocumentIdentifier(uri, versions[uri]), list(mine))


class Notebooks(dict[str, Notebook]):
    """The open ones, by their addresses."""

    def cell(self, uri: str) -> Cell | None:
        """The cell of that address, None if there is none."""
        return next((one.cell(uri) for one in self.values() if uri in one.cells), None)


def new_notebook(uri: str, configuration: Configuration, encoding: str, *, trusted: bool) -> Notebook:
    """A notebook that was opened, still without cells; one that stands in no file is not run."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    file = Path(path) if path is not None else Path.cwd() / f"untitled{SUFFIX}"
    settings = configuration.of_file(file, trusted=trusted)
    return Notebook(
        Document(uri, file, Text("", encoding), None, settings, runnable=path is not None and is_notebook(path))
    )


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a notebook, as what an editor asks about."""

    notebook: Notebook
    number: int

    @property
    def uri(self) -> str:
        """Its address."""
        return self.notebook.cells[self.number]

    @property
    def source(self) -> str:
        """Its text."""
        return self.notebook.source(self.number)

    @property
    def _before(self) -> int:
        return self.notebook.before(self.number)

    def holds(self, where: lsp.Range) -> bool:
        """Whether a range of the module begins in it."""
        return self.notebook.index(where.start.line) == self.number

    def up(self, where: lsp.Range) -> lsp.Range:
        """A range of the module in the cell."""
        return _up(where, self._before)

    def down(self, where: lsp.Range) -> lsp.Range:
        """A range of the cell in the module."""
        return lsp.Range(self.position(where.start), self.position(where.end))

    def position(self, where: lsp.Position) -> lsp.Position:
        """A position of the cell in the module."""
        return lsp.Position(where.line + self._before, where.character)

    # what an editor asked for, of the module, as it is to be shown in the cell

    def lenses(self, found: Sequence[lsp.CodeLens]) -> list[lsp.CodeLens]:
        """Those of mechanisms of the cell, with commands that name it."""
        mine = []
        for one in found:
            if self.holds(one.range):
                command = one.command and self._own(one.command)
                mine.append(attrs.evolve(one, range=self.up(one.range), command=command))
        return mine

    def _own(self, command: lsp.Command) -> lsp.Command:
        """The same about a mechanism of the cell, if it is about one of the notebook."""
        first, *others = command.arguments or [None]
        return attrs.evolve(command, arguments=[self.uri, *others]) if first == self.notebook.document.uri else command

    def hints(self, found: Sequence[lsp.InlayHint]) -> list[lsp.InlayHint]:
        """Those of lines of the cell."""
        return [
            attrs.evolve(one, position=self.up(lsp.Range(one.position, one.position)).start)
            for one in found
            if self.holds(lsp.Range(one.position, one.position))
        ]

    def hover(self, found: lsp.Hover | None) -> lsp.Hover | None:
        """A hover over a place of the cell."""
        if found is None or found.range is None:
            return found
        return attrs.evolve(found, range=self.up(found.range))

    def asked(self, params: lsp.CodeActionParams) -> lsp.CodeActionParams:
        """The question, asked of the module."""
        items = [attrs.evolve(one, range=self.down(one.range)) for one in params.context.diagnostics]
        context = attrs.evolve(params.context, diagnostics=items)
        return attrs.evolve(params, range=self.down(params.range), context=context)

    def actions(self, found: Sequence[lsp.CodeAction]) -> list[lsp.CodeAction]:
        """Actions whose edits are those of cells."""
        made = []
        for one in found:
            items = [attrs.evolve(item, range=self.up(item.range)) for item in one.diagnostics or ()]
            edit, command = one.edit, one.command and self._own(one.command)
            edit = self.notebook.edit(edit) if edit is not None else None
            made.append(attrs.evolve(one, diagnostics=items or None, edit=edit, command=command))
        return made

    def mechanisms(self, found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Those of the cell, with its lines."""
        mine = [one for one in found if self.notebook.index(one["first"]) == self.number]
        return [one | {"first": one["first"] - self._before, "last": one["last"] - self._before} for one in mine]

    def view(self, found: dict[str, Any]) -> dict[str, Any]:
        """What a view of the editor shows of a mechanism of the cell; places in other cells are left out."""
        view, before = found["view"], self._before
        mine = [one for one in view["places"] if self.notebook.index(one["line"] - 1) == self.number]
        places = [
            one
            | {
                "line": one["line"] - before,
                "range": {end: at | {"line": at["line"] - before} for end, at in one["range"].items()},
            }
            for one in mine
        ]
        source = view["source"]
        if source is not None:
            source = source | {key: source[key] - before for key in ("firstLine", "fault") if key in source}
        return found | {"view": view | {"uri": self.uri, "places": places, "source": source}}


def _up(where: lsp.Range, lines: int) -> lsp.Range:
    first = max(0, where.start.line - lines)
    character = where.start.character if where.start.line >= lines else 0
    return lsp.Range(
        lsp.Position(first, character),
        lsp.Position(max(first, where.end.line - lines), where.end.character if where.end.line >= lines else 0),
    )
