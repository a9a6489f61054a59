"""Texts as editors send them: lines as LSP and Python count them, positions in the units that were agreed on.

pygls breaks lines at form feeds and other separators too, where neither the protocol nor Python does; an edit behind
one would land in another line. So the documents here keep their own lines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import Any

from lsprotocol import types as lsp
from pygls.workspace import PositionCodec, TextDocument, Workspace

from dplint.claims import Span

_BREAK = re.compile(r"\r\n|\r|\n")


class Text:
    """A text and where its lines begin. encoding: the units that an editor counts characters in."""

    def __init__(self, text: str, encoding: str = lsp.PositionEncodingKind.Utf16) -> None:
        self.text = text
        self.encoding = lsp.PositionEncodingKind(encoding)
        self._codec = PositionCodec(self.encoding)

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each line; the first one is 0."""
        return [0, *(found.end() for found in _BREAK.finditer(self.text))]

    def line(self, number: int) -> str:
        """A line without its end, counted from 0; empty beyond the last one."""
        if not 0 <= number < len(self.starts):
            return ""
        following = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[number] : following].rstrip("\r\n")

    def offset(self, position: lsp.Position) -> int:
        """The place in the text, in code points. Beyond the end of a line it is that end, as the protocol says."""
        if position.line >= len(self.starts):
            return len(self.text)
        line = self.line(position.line)
        if line.isascii():
            return self.starts[position.line] + min(position.character, len(line))
        column, left = 0, position.character
        while column < len(line) and (left := left - self._units(line[column])) >= 0:
            column += 1
        return self.starts[position.line] + column

    def position(self, offset: int) -> lsp.Position:
        """The position of a place in the text."""
        number = bisect_right(self.starts, offset) - 1
        return lsp.Position(number, self._units(self.text[self.starts[number] : offset]))

    def range(self, span: Span) -> lsp.Range:
        """The range of a span; one that reaches beyond the text is cut off there."""
        return lsp.Range(self._place(span.line, span.column), self._place(span.end_line, span.end_column))

    def _place(self, line: int, column: int) -> lsp.Position:
        if line > len(self.starts):
            return self.position(len(self.text))
        text = self.line(line - 1)
        # What reads the text drops a byte order mark, which an editor counts.
        mark = line == 1 and text.startswith("\ufeff")
        return lsp.Position(line - 1, self._units(text[: column - 1 + mark]))

    def place(self, position: lsp.Position) -> tuple[int, int]:
        """Line and column as spans have them, both from 1, in code points."""
        offset = self.offset(position)
        number = bisect_right(self.starts, offset) - 1
        mark = number == 0 and self.text.startswith("\ufeff")
        return number + 1, max(1, offset - self.starts[number] + 1 - mark)

    def _units(self, text: str) -> int:
        return len(text) if text.isascii() else int(self._codec.client_num_units(text))

    def edited(self, change: lsp.TextDocumentContentChangeEvent) -> Text:
        """The text after a change of a part or of all of it."""
        if not isinstance(change, lsp.TextDocumentContentChangePartial):
            return Text(change.text, self.encoding)
        first, last = self.offset(change.range.start), self.offset(change.range.end)
        if first > last:
            first, last = last, first
        return Text(self.text[:first] + change.text + self.text[last:], self.encoding)


class Buffer(TextDocument):
    """An open document of pygls, with lines that are those of the protocol."""

    def apply_change(self, change: lsp.TextDocumentContentChangeEvent) -> None:
        """Take in a change."""
        self._source = (
            Text(self.source, self.position_codec.encoding or lsp.PositionEncodingKind.Utf16).edited(change).text
        )

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines with their ends."""
        text = Text(self.source)
        ends = [*text.starts[1:], len(text.text)]
        return tuple(text.text[start:end] for start, end in zip(text.starts, ends, strict=True))


class Buffers(Workspace):
    """The workspace of pygls, with such documents."""

    def _create_text_document(
        self, doc_uri: str, source: str | None = None, version: int | None = None, language_id: str | None = None
    ) -> Buffer:
        options: dict[str, Any] = {"sync_kind": self._sync_kind, "position_codec": self.position_codec}
        return Buffer(doc_uri, source=source, version=version, language_id=language_id, **options)
