"""Open documents: their text, what was read in it, and what is known of its mechanisms.

Texts as editors send them: lines as LSP and Python count them, positions in the units that were agreed on.

pygls breaks lines at form feeds and other separators too, where neither the protocol nor Python does; an edit behind
one would land in another line. So the documents here keep their own lines.
"""

from __future__ import annotations

import asyncio
import re
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.workspace import PositionCodec, TextDocument, Workspace

from dplint.check.editor_model import LoadedBuffer, MechanismView
from dplint.claims import Span
from dplint.outcomes import Failed, Outcome, Underpowered
from dplint.server.configuration import FileSettings
from dplint.server.mechanism_state import MechanismState, Phase
from dplint.source.files import is_unsaved

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


_REMEMBERED = 200
"""States of earlier sources that are kept for each document: undoing an edit brings its verdict back."""


@dataclass(slots=True, eq=False)
class Document:
    """A Python file that is open in the editor.

    path: of the file. runnable: False for a buffer that has no file yet, and for notebooks. text: the one that was read
    last, which everything known is about. version: of that, as the editor counts. typed: the text and the version that
    stand there now. revision: counts what there is to be read anew, texts and settings. loaded: None before the first
    one. test_when_read: an audit is wanted of what is being read. read_anew: it is, though the text is the same.
    cursor: the last line that the user was seen at, from 1. seen: larger for documents that the user looked at later.
    """

    uri: str
    path: Path
    text: Text
    version: int | None
    settings: FileSettings
    _: KW_ONLY
    runnable: bool = True
    typed: tuple[Text, int | None] = field(init=False)
    loaded: LoadedBuffer | None = None
    revision: int = 0
    read_revision: int = -1
    states: dict[str, MechanismState] = field(default_factory=dict)
    test_when_read: bool = False
    read_anew: bool = False
    cursor: int = 1
    seen: int = 0
    _next_reading: asyncio.Future[None] | None = None
    _earlier: OrderedDict[tuple[str, str], MechanismState] = field(default_factory=OrderedDict)
    _last: dict[str, Outcome] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.typed = self.text, self.version

    @property
    def current(self) -> bool:
        """Whether what was read is what stands there now."""
        return self.loaded is not None and self.read_revision == self.revision

    @property
    def unreadable(self) -> bool:
        """Whether a part of the text could not be read, so that all of it cannot be run."""
        return self.loaded is not None and bool(self.loaded.errors)

    @property
    def may_run(self) -> bool:
        """Whether its code may be run, as far as the document itself is concerned."""
        return self.runnable and not self.unreadable and not self.settings.settings.static_only

    @property
    def views(self) -> tuple[MechanismView, ...]:
        """The mechanisms that can be told apart: of several with one name, the last, as Python has it."""
        found = {view.mechanism.qualname: view for view in (self.loaded.views if self.loaded else ())}
        return tuple(found.values())

    def view(self, qualname: str) -> MechanismView | None:
        """The mechanism of that name."""
        return next((view for view in self.views if view.mechanism.qualname == qualname), None)

    def view_at(self, line: int) -> MechanismView | None:
        """The innermost mechanism whose claim or body holds the line."""
        holding = [view for view in self.views if first_line(view) <= line <= view.last]
        return max(holding, key=lambda view: view.mechanism.span.line, default=None)

    def urgency(self, shown: tuple[MechanismView, MechanismState]) -> tuple[bool, bool]:
        """A key to sort mechanisms by: the one under the cursor first, and last those whose test has failed."""
        view, state = shown
        return view is not self.view_at(self.cursor), isinstance(state.outcome or state.older, Failed)

    def mechanism_states(self) -> Iterator[tuple[MechanismView, MechanismState]]:
        """The mechanisms with what is known of them."""
        for view in self.views:
            state = self.states.get(view.mechanism.qualname)
            if state is not None:
                yield view, state

    def will_go_on(self, state: MechanismState) -> bool:
        """Whether too little of a mechanism was tried to tell so far, and a longer pass follows while nobody types."""
        editor, settings = self.settings.editor, self.settings.settings
        return state.had_little_time and editor.deepen and editor.run != "manual" and settings.runs is None

    def waits_for_time(self, state: MechanismState) -> bool:
        """The same where nothing could be tried at all, on a busy machine for instance."""
        found = state.outcome
        return isinstance(found, Underpowered) and not found.tested and self.will_go_on(state)

    def saved_meanwhile(self) -> Iterator[str]:
        """The mechanisms that waited for another file to be saved, which it is now."""
        for view, state in self.mechanism_states():
            if state.unsaved and not is_unsaved(Path(state.unsaved)):
                state.unsaved = ""
                yield view.mechanism.qualname

    def take_text(self, text: Text, version: int | None) -> None:
        """The text is another one, and is to be read."""
        self.typed = (text, version)
        self.revision += 1

    def next_reading(self) -> asyncio.Future[None]:
        """What is done as soon as another text was read."""
        if self._next_reading is None or self._next_reading.done():
            self._next_reading = asyncio.get_running_loop().create_future()
        return self._next_reading

    def take(self, loaded: LoadedBuffer, text: Text, version: int | None, revision: int) -> list[MechanismState]:
        """What was read in a text; the mechanism states that it has made useless."""
        self.loaded, self.text, self.version, self.read_revision = loaded, text, version, revision
        if self._next_reading is not None and not self._next_reading.done():
            self._next_reading.set_result(None)
        source_keys = {view.mechanism.qualname: view.source_key for view in self.views}
        gone = [name for name, state in self.states.items() if source_keys.get(name) != state.source_key]
        useless = [self._put_away(name) for name in gone]
        for name, source_key in source_keys.items():
            if name not in self.states:
                known = self._earlier.pop((name, source_key), None)
                self.states[name] = known or MechanismState(source_key, older=self._last.get(name))
        return useless

    def forget(self) -> list[MechanismState]:
        """Nothing that is known holds any more, since the settings have changed; the mechanism states that were
        dropped.
        """
        useless = [self._put_away(name) for name in list(self.states)]
        self._earlier.clear()
        self.states = {view.mechanism.qualname: MechanismState(view.source_key) for view in self.views}
        return useless

    def forget_by_source(self) -> None:
        """What was computed without a run does not hold any more: it may hang on files that have changed."""
        for state in (*self.states.values(), *self._earlier.values()):
            state.by_source = None

    def renew(self, qualname: str) -> MechanismState:
        """Begin a mechanism anew whose source is the same, but not what it imports; the mechanism's state that was
        dropped.
        """
        useless = self._put_away(qualname)
        self._earlier.pop((qualname, useless.source_key), None)
        self.states[qualname] = MechanismState(useless.source_key, older=self._last.get(qualname))
        return useless

    def _put_away(self, qualname: str) -> MechanismState:
        """Keep a mechanism's state for the case that its source comes back."""
        state = self.states.pop(qualname)
        if state.outcome is not None:
            self._last[qualname] = state.outcome
        if state.outcome is not None or state.by_source is not None:
            self._earlier[qualname, state.source_key] = replace(state, phase=Phase.IDLE, tick=None)
            while len(self._earlier) > _REMEMBERED:
                self._earlier.popitem(last=False)
        return state


def first_line(view: MechanismView) -> int:
    """The first line of a mechanism: its claim, if that stands above it."""
    return min(view.mechanism.span.line, view.mechanism.claim_span.line)


def least_tested(documents: Iterable[Document]) -> tuple[Document, str] | None:
    """What has been tested least, in the document looked at last; None if nothing may be tested any deeper."""
    found = [
        ((state.passes, -document.seen, view.mechanism.span.line), document, view.mechanism.qualname)
        for document in documents
        if document.settings.editor.deepen and document.settings.editor.run != "manual" and document.current
        for view, state in document.mechanism_states()
        if state.may_deepen
    ]
    return min(found, key=lambda one: one[0])[1:] if found else None
