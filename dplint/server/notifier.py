"""What is told to the editor: diagnostics pushed or announced, lenses and hints to ask for again, progress, status."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from dplint.server.client import Client
from dplint.server.diagnostics import diagnostics
from dplint.server.documents import Document
from dplint.server.mechanism_state import MechanismState
from dplint.server.notebooks import Notebook
from dplint.server.progress import WorkDone
from dplint.server.projects import Projects
from dplint.server.throttle import Throttle

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
