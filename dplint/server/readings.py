"""Reading documents again and again, in the process of the reader: of each the last text, one at a time.

What is typed in one document and not saved, as far as others import it: they are read with it at a pause in typing.

Mechanisms of those are not run before it is saved, as the interpreter takes what is on disk.

Files that a mechanism is made of besides its own: when one of them changes, it is read and tested anew.

One whose module could not be imported is tried again when that may have changed: its text, what it imports, or what is
installed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from dplint.check.editor_model import LoadedBuffer, MechanismView
from dplint.check.loading import audit_settings
from dplint.check.mechanism_keys import MechanismKeys
from dplint.config import Settings
from dplint.outcomes import CheckError
from dplint.server.audits import Audits
from dplint.server.client import Client
from dplint.server.documents import Document
from dplint.server.notifier import Notifier, Tasks
from dplint.server.projects import Projects
from dplint.server.reader import Reader, ReaderError
from dplint.server.reader_messages import Read
from dplint.server.source_losses import SourceLosses
from dplint.source.files import hold, is_unsaved, same_files

_PAUSE_SECONDS = 0.5


class Unsaved:
    """Texts that stand for their files in this process. changed: called some time after one has become another one."""

    def __init__(self, changed: Callable[[Path], None]) -> None:
        self._changed = changed
        self._timers: dict[Path, asyncio.TimerHandle] = {}

    def read(self, path: Path, text: str) -> None:
        """A document has this text."""
        before = is_unsaved(path)
        if hold(path, text.removeprefix("\ufeff")) or before:
            self._later(path)

    def forget(self, path: Path) -> None:
        """It was closed, and what was not saved is lost."""
        if is_unsaved(path):
            hold(path, None)
            self._later(path)

    def close(self) -> None:
        """Nothing is told any more."""
        for timer in self._timers.values():
            timer.cancel()

    def _later(self, path: Path) -> None:
        if (timer := self._timers.pop(path, None)) is not None:
            timer.cancel()
        self._timers[path] = asyncio.get_running_loop().call_later(_PAUSE_SECONDS, self._tell, path)

    def _tell(self, path: Path) -> None:
        del self._timers[path]
        self._changed(path)


_TYPING_SECONDS = 0.5
"""So long after the last key an audit begins, with `run` set to onType."""
_SETTINGS_SECONDS = 2.0
"""An editor that says it can be asked for settings, and does not answer so long, goes without."""


class _Server(Protocol):
    """What readings need of the server that they belong to."""

    client: Client
    projects: Projects
    reader: Reader
    audits: Audits
    source_losses: SourceLosses
    notifier: Notifier
    unsaved: Unsaved

    def is_open(self, document: Document) -> bool: ...

    def test(self, document: Document) -> None: ...

    def everything_changed(self, *, hints: bool) -> None: ...


class Readings:
    """The readings of a server's documents that run, and what waits for them. Lives on its event loop."""

    def __init__(self, server: _Server, tasks: Tasks) -> None:
        self._server = server
        self._tasks = tasks
        self._running: dict[str, asyncio.Task[None]] = {}
        self._typing: dict[str, asyncio.TimerHandle] = {}
        self._configured = asyncio.Event()

    def configured(self) -> None:
        """The settings of the editor are known, or never will be: texts may be read from now on."""
        self._configured.set()

    def read(self, document: Document, *, then_test: bool = False, anew: bool = False) -> None:
        """Have the text read as it stands; of texts that follow one another quickly, the last one.

        anew: also if it was read before, for the settings may have changed.
        """
        if anew:
            document.revision += 1
            document.read_anew = True
        document.test_when_read = document.test_when_read or then_test
        running = self._running.get(document.uri)
        if running is None or running.done():
            self._running[document.uri] = self._tasks.begin(self._read(document))

    async def _read(self, document: Document) -> None:
        await self._wait_for_settings()
        server = self._server
        while server.is_open(document) and not document.current:
            for state in server.projects.renew_settings(document, trusted=server.client.trusted):
                server.audits.drop(state)
            revision, (text, version) = document.revision, document.typed
            try:
                request = Read(document.path, text.text, document.settings.settings)
                loaded = await server.reader.ask(request)
            except ReaderError as error:
                loaded = LoadedBuffer(errors=(CheckError(str(document.path), None, str(error)),))
            assert isinstance(loaded, LoadedBuffer)
            for state in document.take(loaded, text, version, revision):
                server.audits.drop(state)
            if document.runnable:
                server.unsaved.read(document.path, text.text)
            if document.current:
                self._tell_of_reading(document)
        if document.test_when_read and document.current:
            document.test_when_read = False
            if document.settings.editor.run != "manual":
                server.test(document)
            server.notifier.progress()
        if server.is_open(document):
            server.source_losses.look(document)

    def _tell_of_reading(self, document: Document) -> None:
        # After a change of the text, an editor that pulls has asked for this already, and waits.
        self._server.notifier.diagnostics(document, again=document.read_anew)
        document.read_anew = False
        self._server.everything_changed(hints=True)

    async def current(self, document: Document, *, exactly: bool = False) -> None:
        """Wait until what was read is what stands there now, or was typed later; exactly: until nobody types.

        Somebody may type faster than texts are read, and wants to see something all the same.
        """
        wanted = document.revision
        while self._server.is_open(document) and (not document.current if exactly else document.read_revision < wanted):
            self.read(document)
            # Whoever closes the document ends the reading, but not what waits for it.
            waiting = [self._running[document.uri], document.next_reading()]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)

    def test_after_typing(self, document: Document) -> None:
        """With `run` set to onType: test it once nobody types any more."""
        if document.settings.editor.run != "onType":
            return
        timer = self._typing.pop(document.uri, None)
        if timer is not None:
            timer.cancel()
        loop = asyncio.get_running_loop()
        later = loop.call_later(_TYPING_SECONDS, lambda: self.read(document, then_test=True))
        self._typing[document.uri] = later

    def drop(self, uri: str) -> None:
        """End what is done for a document that is closed."""
        for pending in (self._running.pop(uri, None), self._typing.pop(uri, None)):
            if pending is not None:
                pending.cancel()

    def close(self) -> None:
        """End all of them."""
        for timer in self._typing.values():
            timer.cancel()
        for task in self._running.values():
            task.cancel()

    async def _wait_for_settings(self) -> None:
        """Before the first look at a text: what is on and what is off should be known. Not for ever, though."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._configured.wait(), _SETTINGS_SECONDS)
        self._configured.set()


async def changed_mechanisms(documents: Iterable[Document]) -> list[tuple[Document, str]]:
    """The mechanisms with a verdict that are made of something else by now, each as document and name."""
    wanted = [
        (document, view, state)
        for document in documents
        if document.current and not document.unreadable
        for view, state in document.mechanism_states()
        if state.mechanism_key is not None
    ]
    # The texts of now, which are typed in while they are looked at.
    asked = [
        _Asked(document.settings.settings, document.text.text, view, state.cannot_be_imported)
        for document, view, state in wanted
    ]
    found = await asyncio.to_thread(_keys_now, asked)
    return [
        (document, name)
        for (document, view, state), one, key in zip(wanted, asked, found, strict=True)
        if key != (state.import_key if one.of_import else state.mechanism_key)
        and document.states.get(name := view.mechanism.qualname) is state
    ]


async def changed_findings(documents: Iterable[Document]) -> list[Document]:
    """The documents with findings that depend on another file which has changed since."""
    wanted = [
        (document, dict(document.loaded.files))
        for document in documents
        if document.current and document.loaded is not None and document.loaded.files
    ]
    same = await asyncio.to_thread(lambda: [same_files(files) for _, files in wanted])
    return [document for (document, _), still in zip(wanted, same, strict=True) if not still]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A mechanism of a text, and whether what its import is made of is asked for, or what it is."""

    settings: Settings
    text: str
    view: MechanismView
    of_import: bool


def _keys_now(asked: Sequence[_Asked]) -> list[str | None]:
    """Digests of all that mechanisms, or their imports, are made of as they stand in the editor; None where that cannot
    be read.
    """
    keys, found = MechanismKeys(), list[str | None]()
    for one in asked:
        interpreter = audit_settings(one.settings, one.view.mechanism).interpreter
        digest = keys.import_digest if one.of_import else keys.digest
        try:
            found.append(digest(one.view.mechanism, interpreter, one.text))
        except OSError:
            found.append(None)
    return found
