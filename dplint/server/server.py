"""The language server: open documents, what is read in them, and what is told to the editor."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from dplint import __version__
from dplint.outcomes import Failed
from dplint.server.audits import Audits
from dplint.server.client import Client, read_client
from dplint.server.configuration import Configuration
from dplint.server.documents import Buffers, Document, Text, least_tested
from dplint.server.lenses import Mode
from dplint.server.notebooks import Notebooks, new_notebook
from dplint.server.notifier import Notifier, Tasks, Throttle, status
from dplint.server.progress import RequestedJobs
from dplint.server.projects import Projects
from dplint.server.protocol import Protocol
from dplint.server.reader import Reader, ReaderError
from dplint.server.reader_messages import Forget
from dplint.server.readings import Readings, Unsaved, changed_findings, changed_mechanisms
from dplint.server.source_losses import SourceLosses
from dplint.source.read import MARK
from dplint.workers.fork_server import ForkServer

_LOG = logging.getLogger("dplint.server")
_FILES_SECONDS = 0.3
_SCHEMES = ("file", "untitled")
"""Other buffers are copies: what a version control shows of an earlier text, `git:` for one, has no file of its own."""


class DplintServer(LanguageServer):
    """One server for one editor. All of it lives on the event loop; what takes time is done by other processes."""

    def __init__(self) -> None:
        cells = [lsp.NotebookCellLanguage(language="python")]
        super().__init__(
            "dplint",
            __version__,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental,
            notebook_document_sync=lsp.NotebookDocumentSyncOptions(
                notebook_selector=[lsp.NotebookDocumentFilterWithCells(cells=cells)], save=True
            ),
            protocol_cls=Protocol,
            max_workers=4,
        )
        self.client = Client()
        self.configuration = Configuration()
        self.documents: dict[str, Document] = {}
        self.notebooks = Notebooks()
        self.projects = Projects(self.configuration, self.documents, self.text_document_publish_diagnostics, self.warn)
        self.reader: Reader
        self.audits: Audits
        self.requested_jobs: RequestedJobs
        self.source_losses: SourceLosses
        self._source_jobs: RequestedJobs
        self.notifier: Notifier
        self._encoding: str = lsp.PositionEncodingKind.Utf16
        self._looks = 0
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._tasks = Tasks(self.log)
        self.readings = Readings(self, self._tasks)
        self._look_at_files = Throttle(_FILES_SECONDS, self._check_files)
        self.unsaved = Unsaved(self._helper_changed)

    def report_server_error(self, error: Exception, source: type[PyglsError | JsonRpcException]) -> None:
        """To the log alone: telling the editor may fail for the same reason, without end. But for no message."""
        _LOG.error("%s: %s", getattr(source, "__name__", source), error)
        if source is JsonRpcException:
            assert isinstance(self.protocol, Protocol)
            kind = "no JSON" if isinstance(error, ValueError | RecursionError) else "none of JSON-RPC 2.0"
            self.protocol.complain(f"a message is {kind} ({error})")

    # the life of the server

    def begin(self, params: lsp.InitializeParams) -> None:
        """Make everything ready; nothing is started that would delay the answer."""
        self.client = read_client(params)
        workspace = self.workspace
        folders = list(workspace.folders.values())
        self.protocol._workspace = Buffers(
            workspace.root_uri, self._text_document_sync_kind, folders, workspace.position_encoding
        )
        self._encoding = workspace.position_encoding or lsp.PositionEncodingKind.Utf16
        self.reader = Reader(self.log)
        self.audits = Audits(self.reader, self.verdict_changed, self.log)
        self.audits.deepening = self._to_deepen
        self.requested_jobs = RequestedJobs(self._fork_server)
        self._source_jobs = RequestedJobs(self._fork_server)
        self.source_losses = SourceLosses(self.reader, self._source_jobs, self.client, self.verdict_changed, self.log)
        self.notifier = Notifier(
            self,
            self.client,
            self.projects,
            self.notebooks,
            active=lambda: self.audits.active,
            status=lambda: status(self.everything, self.audits.active, self.mode),
            cancel=self.stop_all,
        )

    def end(self) -> None:
        """End every process; nothing is told to the editor any more."""
        logging.getLogger("asyncio").setLevel(logging.ERROR)  # it minds that nobody waits for a process that is killed
        self.unsaved.close()
        self.readings.close()
        if hasattr(self, "audits"):
            self.source_losses.close()
            self._source_jobs.close()
            self.requested_jobs.close()
            self.audits.close()
            self.reader.close()
        if self._scratch is not None:
            self._scratch.cleanup()

    def _fork_server(self) -> ForkServer | None:
        self.audits.start(self.configuration.jobs)
        return self.audits.fork_server

    @property
    def scratch(self) -> Path:
        """A folder for texts that are shown, which goes with the server."""
        if self._scratch is None:
            self._scratch = tempfile.TemporaryDirectory(prefix="dplint-show-", ignore_cleanup_errors=True)
        return Path(self._scratch.name)

    def log(self, text: str) -> None:
        """Write to the log of the editor."""
        self.window_log_message(lsp.LogMessageParams(type=lsp.MessageType.Info, message=text))

    def warn(self, text: str) -> None:
        """Show a message that the user should not miss."""
        self.window_show_message(lsp.ShowMessageParams(type=lsp.MessageType.Warning, message=text))

    @property
    def mode(self) -> Mode:
        """Whether audits may run."""
        if not self.client.trusted:
            return Mode.UNTRUSTED
        return Mode.PAUSED if self.audits.paused else Mode.ON

    # documents

    def open(self, uri: str) -> None:
        """A document was opened, or opened again."""
        self.close(uri)
        if uri.partition(":")[0] not in _SCHEMES:
            return
        buffer = self.workspace.get_text_document(uri)
        path = to_fs_path(uri) if uri.startswith("file:") else None
        file = Path(path) if path is not None else Path.cwd() / "untitled.py"
        self.documents[uri] = Document(
            uri,
            file,
            Text(buffer.source, self._encoding),
            buffer.version,
            self.configuration.of_file(file, trusted=self.client.trusted),
            runnable=path is not None,
        )
        if path is not None and MARK in buffer.source and self.mode is not Mode.UNTRUSTED:
            self.audits.start(self.configuration.jobs)
        self.look_at(self.documents[uri])
        self.readings.read(self.documents[uri], then_test=True)

    def change(self, uri: str, changes: list[lsp.TextDocumentContentChangeEvent]) -> None:
        """The text of a document was changed."""
        document = self.documents.get(uri)
        if document is None:
            return
        buffer = self.workspace.get_text_document(uri)
        document.take_text(Text(buffer.source, self._encoding), buffer.version)
        self.source_losses.drop(document)
        for one in changes:
            if isinstance(one, lsp.TextDocumentContentChangePartial):
                self.look_at(document, one.range.start.line + 1)
                self._drop_touched(document, one.range)
        self.audits.typed()
        self.readings.read(document)
        self.readings.test_after_typing(document)

    def save(self, uri: str) -> None:
        """A document was saved: mechanisms that nobody has looked at are tested, here and where this is imported."""
        document = self.documents.get(uri)
        if document is not None:
            self.unsaved.read(document.path, document.typed[0].text)
            self.look_at(document)
            self.readings.read(document, then_test=True)
        else:  # its file had been deleted
            self.open(uri)
        self.file_changed()

    def close(self, uri: str) -> None:
        """A document was closed: nothing of it is left."""
        document = self.documents.pop(uri, None)
        if document is not None:
            self._end(document, (uri,))

    def _end(self, document: Document, shown: Iterable[str]) -> None:
        self.source_losses.drop(document)
        for state in document.states.values():
            self.audits.drop(state)
        self.readings.drop(document.uri)
        self._tasks.begin(self._forget(document.path))
        self.unsaved.forget(document.path)
        self.notifier.nothing(*shown)
        self.notifier.progress()

    def settings_changed(self) -> None:
        """Settings may be other ones: everything is read again, and tested again where they matter."""
        self.audits.renew_imports()
        for document in self.everything:
            self.readings.read(document, then_test=True, anew=True)

    def look_at(self, document: Document, line: int | None = None) -> None:
        """The user was seen at a document."""
        self._looks += 1
        document.seen = self._looks
        if line is not None:
            document.cursor = line

    def _drop_touched(self, document: Document, touched: lsp.Range) -> None:
        """End the test of a mechanism as soon as a key falls into it; reading will tell more."""
        for view, state in document.mechanism_states():
            inside = touched.start.line < view.last and touched.end.line + 1 >= view.mechanism.span.line
            if state.busy and inside:
                self.audits.drop(state)

    async def _forget(self, path: Path) -> None:
        try:
            await self.reader.ask(Forget(path))
        except ReaderError:
            return

    # notebooks

    @property
    def everything(self) -> list[Document]:
        """All open documents, and of each notebook the one that its cells are."""
        return [*self.documents.values(), *(one.document for one in self.notebooks.values())]

    def document_of(self, uri: str) -> Document | None:
        """The document of that address; of a notebook or a cell of it, the one that all its cells are."""
        cell = self.notebooks.cell(uri)
        notebook = self.notebooks.get(uri) if cell is None else cell.notebook
        return self.documents.get(uri) if notebook is None else notebook.document

    async def read_document(self, uri: str, *, exactly: bool = False) -> Document | None:
        """The same once its text was read; exactly: as it stands, as the cells of a notebook are told apart by that."""
        document = self.document_of(uri)
        if document is not None:
            await self.readings.current(document, exactly=exactly or uri not in self.documents)
        return self.document_of(uri)

    def typed(self, uri: str) -> Text | None:
        """What stands in an open document, or in a cell, now; None if there is none of that address."""
        if (document := self.documents.get(uri)) is not None:
            return document.typed[0]
        cell = self.notebooks.cell(uri)
        return None if cell is None else Text(cell.source, self._encoding)

    def show_notebook(self, uri: str) -> None:
        """A notebook was opened or changed."""
        found = self.workspace.get_notebook_document(notebook_uri=uri)
        if found is None:
            return
        opened = uri not in self.notebooks
        if opened:
            self.notebooks[uri] = new_notebook(uri, self.configuration, self._encoding, trusted=self.client.trusted)
        notebook = self.notebooks[uri]
        cells = [self.workspace.get_text_document(cell.document) for cell in found.cells]
        self.notifier.nothing(*notebook.take(cells, found.version, self._encoding))
        self.source_losses.drop(notebook.document)
        self.look_at(notebook.document)
        self.audits.typed()
        self.readings.read(notebook.document, then_test=opened)
        if not opened:
            self.readings.test_after_typing(notebook.document)

    def save_notebook(self, uri: str) -> None:
        """A notebook was saved."""
        if (notebook := self.notebooks.get(uri)) is not None:
            self.look_at(notebook.document)
            self.readings.read(notebook.document, then_test=True)

    def close_notebook(self, uri: str) -> None:
        """A notebook was closed."""
        if (notebook := self.notebooks.pop(uri, None)) is not None:
            self._end(notebook.document, notebook.cells)

    def is_open(self, document: Document) -> bool:
        """Whether it is still the one of its address."""
        return any(document is one for one in self.everything)

    # testing

    def test(self, document: Document, *, all_of_them: bool = False) -> None:
        """Test what nobody has looked at yet, or everything; a file that does not parse cannot be run."""
        if self.mode is Mode.UNTRUSTED or not document.may_run:
            return
        if document.views:
            self.audits.start(self.configuration.jobs)
        for view, state in sorted(document.mechanism_states(), key=document.urgency):
            name = view.mechanism.qualname
            if state.cannot_be_imported and not all_of_them:
                # It fails again, unless what it hangs on has changed.
                self._look_at_files()
            elif state.untried or (isinstance(state.outcome, Failed) and not state.cannot_be_imported):
                self.audits.request(document, name)
            elif all_of_them:
                self.audits.request(document, name, by_user=True)

    def stop_all(self) -> None:
        """The user wants no test for now."""
        for document in self.audits.stop_all():
            self.verdict_changed(document, final=False)

    def file_changed(self) -> None:
        """Some file was changed: what imports it is read and tested anew."""
        self.audits.renew_imports()
        self._look_at_files()

    def _check_files(self) -> None:
        self._tasks.begin(self._test_what_is_made_anew())

    def _helper_changed(self, path: Path) -> None:
        """What is typed in a file, and others may import, is another text."""
        others = [document for document in self.documents.values() if document.path != path]
        if any(document.views for document in others):
            self._look_at_files()

    async def _test_what_is_made_anew(self) -> None:
        for document in self.documents.values():
            for name in document.saved_meanwhile():
                self.audits.request(document, name)
        # The mechanisms first: of a document that is being read anew, nobody could say what it holds.
        for document, name in await changed_mechanisms(self.everything):
            self.audits.drop(document.renew(name))
            if document.settings.editor.run != "manual" and self.mode is not Mode.UNTRUSTED and document.may_run:
                self.audits.request(document, name)
            self.verdict_changed(document, final=True)
        for document in await changed_findings(self.everything):
            self.readings.read(document, anew=True)
        for document in self.everything:
            self.source_losses.drop(document)
            document.forget_by_source()
            self.source_losses.look(document)

    def _to_deepen(self) -> tuple[Document, str] | None:
        """What an idle worker may go on with."""
        return least_tested(self.everything) if self.mode is Mode.ON else None

    # telling

    def everything_changed(self, *, hints: bool = False) -> None:
        """The mode is another one, or what is known of mechanisms. hints: of their draws, too."""
        self.notifier.lenses(hints=hints)
        self.notifier.progress()

    def verdict_changed(self, document: Document, final: bool) -> None:
        """Something new is known of a document's mechanisms; final: a verdict, which diagnostics show."""
        if final:
            self.notifier.diagnostics(document, again=True)
            self.source_losses.look(document)
        self.everything_changed(hints=final)
