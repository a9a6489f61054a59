"""What is told to the editor: diagnostics pushed or announced, lenses and hints to ask for again, progress, status.

Calls that come too often, made one after another at a distance; the last one is never lost.

What a server does beside answering.

What the server is doing, in one object: for a status bar, and for a view that follows an audit.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping, Sequence

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from dplint import __version__
from dplint.config.settings import choose_interpreter
from dplint.outcomes import Failed, NoViolation, Proved, Underpowered, Untestable, Violation
from dplint.server.client import Client
from dplint.server.diagnostics import diagnostics
from dplint.server.documents import Document
from dplint.server.lenses import Mode
from dplint.server.mechanism_state import MechanismState
from dplint.server.notebooks import Notebook
from dplint.server.progress import WorkDone
from dplint.server.projects import Projects
from dplint.source.files import import_place


class Throttle:
    """Calls `action` at once, and then at most every so many seconds."""

    def __init__(self, seconds: float, action: Callable[[], object]) -> None:
        self._seconds = seconds
        self._action = action
        self._next = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def __call__(self) -> None:
        """Have the action done soon."""
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, self._next - loop.time()), self._do)

    def _do(self) -> None:
        self._timer = None
        self._next = asyncio.get_running_loop().time() + self._seconds
        self._action()


_REFRESH_SECONDS = 0.3


class Notifier:
    """Tells one editor, in the ways that it understands, and not more often than it is good for.

    active: the audits that somebody waits for. status: what the server is doing, for an editor that wants to know.
    """

    def __init__(
        self,
        server: LanguageServer,
        client: Client,
        projects: Projects,
        notebooks: Mapping[str, Notebook],
        *,
        active: Callable[[], Sequence[tuple[Document, str, MechanismState]]],
        status: Callable[[], dict[str, object]],
        cancel: Callable[[], None],
    ) -> None:
        self._server = server
        self._client = client
        self._projects = projects
        self._notebooks = notebooks
        self._active = active
        self.work_done = WorkDone(server.work_done_progress, cancel)
        self._lenses = Throttle(_REFRESH_SECONDS, lambda: server.workspace_code_lens_refresh(None))
        self._hints = Throttle(_REFRESH_SECONDS, lambda: server.workspace_inlay_hint_refresh(None))
        self._diagnostics = Throttle(_REFRESH_SECONDS / 2, lambda: server.workspace_diagnostic_refresh(None))
        self._told = Throttle(_REFRESH_SECONDS, lambda: server.protocol.notify("dplint/status", status()))

    def diagnostics(self, document: Document, *, again: bool) -> None:
        """What is known of the text as it stands. again: have an editor that pulls ask once more."""
        if not document.current:
            return
        self._projects.publish(document)
        if self._client.pull:
            if again:
                self._diagnostics()
            return
        for uri, version, items in self.diagnostics_of(document):
            self._push(uri, version, items)

    def nothing(self, *gone: str) -> None:
        """Documents, or cells, were closed."""
        for uri in () if self._client.pull else gone:
            self._push(uri, None, [])

    def diagnostics_of(self, document: Document) -> Iterator[tuple[str, int | None, list[lsp.Diagnostic]]]:
        """The diagnostics of a document, or of each cell of a notebook, by their address and version."""
        notebook = self._notebooks.get(document.uri)
        if notebook is not None:
            yield from notebook.diagnostics()
        else:
            yield document.uri, document.version, diagnostics(document)

    def lenses(self, *, hints: bool = False) -> None:
        """The state of a mechanism is another one. hints: its draws may be, too."""
        if self._client.lens_refresh:
            self._lenses()
        if hints and self._client.hint_refresh:
            self._hints()

    def progress(self) -> None:
        """What is being tested, for those who wait."""
        if self._client.status:
            self._told()
        if self._client.progress:
            active = sorted(self._active(), key=lambda one: one[2].tick is None)
            runs = active[0][2].tick.done if active and active[0][2].tick else 0
            self.work_done.show([name for _, name, _ in active], f", {runs:,} runs" if runs else "")

    def _push(self, uri: str, version: int | None, items: list[lsp.Diagnostic]) -> None:
        self._server.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=items)
        )


_LOG = logging.getLogger(__name__)


class Tasks:
    """Things that run beside each other; what goes wrong in one is logged. log: tells the person at the editor."""

    def __init__(self, log: Callable[[str], None]) -> None:
        self._log = log
        self._running: set[asyncio.Task[None]] = set()

    def begin(self, coroutine: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run something beside."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._running.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOG.error("%s", error, exc_info=error)
            self._log(f"dplint itself failed ({type(error).__name__}: {error}); please report this")


def status(
    documents: Collection[Document], active: Sequence[tuple[Document, str, MechanismState]], mode: Mode
) -> dict[str, object]:
    """The notification `dplint/status`: what may run, what does, how the open documents stand, and who runs it."""
    outcomes = [state.outcome for document in documents for _, state in document.mechanism_states()]
    return {
        "state": mode.value,
        "running": [_running(document, name, state) for document, name, state in active],
        "mechanisms": len(outcomes),
        "violations": sum(isinstance(one, Violation) for one in outcomes),
        "proved": sum(isinstance(one, Proved) and one.scope.full for one in outcomes),
        "provedInPart": sum(isinstance(one, Proved) and not one.scope.full for one in outcomes),
        "noViolation": sum(isinstance(one, NoViolation) for one in outcomes),
        "underpowered": sum(isinstance(one, Underpowered) for one in outcomes),
        "untestable": sum(isinstance(one, Untestable) for one in outcomes),
        "failed": sum(isinstance(one, Failed) for one in outcomes),
        "interpreter": _interpreter(documents, mode),
        "version": __version__,
    }


def _interpreter(documents: Collection[Document], mode: Mode) -> str:
    """The one that runs the code of the document looked at last; that of the server where there is none."""
    last = max(documents, key=lambda one: one.seen, default=None)
    if last is None or mode is Mode.UNTRUSTED:
        return sys.executable
    return choose_interpreter(last.settings.settings, str(import_place(last.path).project_root))


def _running(document: Document, name: str, state: MechanismState) -> dict[str, object]:
    """An audit that goes on. claimed, epsilonLower: the value of the claim it is at and the bound there, if known."""
    tick = state.tick
    standing = None if tick is None else tick.standing
    return {
        "uri": document.uri,
        "function": name,
        "runs": 0 if tick is None else tick.done,
        "phase": state.phase.value,
        "claimed": None if standing is None else standing.epsilon,
        "epsilonLower": None if standing is None else standing.lower,
    }
