"""Notebooks: their Python cells are read as one module, and findings go back to their cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import attrs
from lsprotocol import types as lsp

from dplint.server.diagnostics import diagnostics
from dplint.server.documents import Document
from dplint.server.text import Text
from dplint.source.notebooks import as_python
from dplint.source.text import split_lines


@dataclass(frozen=True, slots=True)
class Joined:
    """Cells as one text. firsts: the line, from 1, at which each cell begins."""

    text: str
    firsts: tuple[int, ...]

    def place(self, line: int) -> tuple[int, int]:
        """The cell of a line of the text, and how many lines stand before that cell."""
        number = max(index for index, first in enumerate(self.firsts) if first <= line)
        return number, self.firsts[number] - 1


def join_cells(cells: Sequence[str]) -> Joined:
    """One text of all cells, line by line; what only IPython understands does nothing."""
    lines: list[str] = []
    firsts = []
    for cell in cells:
        firsts.append(len(lines) + 1)
        lines += split_lines(as_python(cell))
    return Joined("\n".join(lines), tuple(firsts))


class Notebook:
    """A notebook: its cells, and the document that they are read as. It is never run."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._cells: tuple[tuple[str, int | None], ...] = ()
        self._joined = Joined("", (1,))

    @property
    def cells(self) -> tuple[str, ...]:
        """The addresses of its Python cells, in their order."""
        return tuple(uri for uri, _ in self._cells)

    def take(self, cells: Sequence[tuple[str, int | None, str]], version: int, encoding: str) -> None:
        """The cells as they are now: address, version and text of each."""
        self._cells = tuple((uri, number) for uri, number, _ in cells)
        self._joined = join_cells([text for _, _, text in cells] or [""])
        self.document.take_text(Text(self._joined.text, encoding), version)

    def diagnostics(self) -> Iterator[tuple[str, int | None, list[lsp.Diagnostic]]]:
        """The diagnostics of each cell, with its address and version."""
        found: dict[int, list[lsp.Diagnostic]] = {number: [] for number in range(len(self._cells))}
        for item in diagnostics(self.document):
            number, before = self._joined.place(item.range.start.line + 1)
            if number < len(self._cells):
                related = [self._related(one) for one in item.related_information or ()]
                moved = _up(item.range, before)
                found[number].append(attrs.evolve(item, range=moved, related_information=related or None))
        for number, (uri, version) in enumerate(self._cells):
            yield uri, version, found[number]

    def _related(self, item: lsp.DiagnosticRelatedInformation) -> lsp.DiagnosticRelatedInformation:
        number, before = self._joined.place(item.location.range.start.line + 1)
        uri = self._cells[min(number, len(self._cells) - 1)][0]
        return lsp.DiagnosticRelatedInformation(lsp.Location(uri, _up(item.location.range, before)), item.message)


def _up(where: lsp.Range, lines: int) -> lsp.Range:
    return lsp.Range(
        lsp.Position(where.start.line - lines, where.start.character),
        lsp.Position(max(where.start.line, where.end.line) - lines, where.end.character),
    )
