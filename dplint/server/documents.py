"""Open documents: their text, what was read in it, and what is known of its mechanisms."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from dplint.check.editor_model import LoadedBuffer, MechanismView
from dplint.outcomes import Failed, Outcome, Underpowered
from dplint.server.configuration import FileSettings
from dplint.server.mechanism_state import MechanismState, Phase
from dplint.server.text import Text
from dplint.source.file_digests import is_unsaved

_REMEMBERED = 200
"""States of earlier sources that are kept for each document: undoing an edit brings its verdict back."""


class Document:
    """A Python file that is open in the editor.

    path: of the file. runnable: False for a buffer that has no file yet, and for notebooks. text: the one that was read
    last, which everything known is about. version: of that, as the editor counts. typed: the text and the version that
    stand there now. revision: counts what there is to be read anew, texts and settings. loaded: None before the first
    one. test_when_read: an audit is wanted of what is being read. read_anew: it is, though the text is the same.
    cursor: the last line that the user was seen at, from 1. seen: larger for documents that the user looked at later.
    """

    def __init__(
        self,
        uri: str,
        path: Path,
        text: Text,
        version: int | None,
        settings: FileSettings,
        *,
        runnable: bool = True,
    ) -> None:
        self.uri = uri
        self.path = path
        self.runnable = runnable
        self.text = text
        self.version = version
        self.typed = (text, version)
        self.settings = settings
        self.loaded: LoadedBuffer | None = None
        self.revision = 0
        self.read_revision = -1
        self._next_reading: asyncio.Future[None] | None = None
        self.states: dict[str, MechanismState] = {}
        self.test_when_read = False
        self.read_anew = False
        self.cursor = 1
        self.seen = 0
        self._earlier: OrderedDict[tuple[str, str], MechanismState] = OrderedDict()
        self._last: dict[str, Outcome] = {}

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
