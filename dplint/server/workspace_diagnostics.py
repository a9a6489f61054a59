"""Diagnostics of the whole workspace: open documents as they stand, and findings in files that nobody has opened.

Those are read as they are on disk, and again when that changes. Nothing of them is run.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from dplint.check.editor_model import LoadedBuffer
from dplint.check.reading_ahead import may_claim
from dplint.config import Settings, SettingsByFile
from dplint.contents import content
from dplint.server.diagnostics import diagnostics, result_id
from dplint.server.documents import Document, Text
from dplint.server.reader import ReaderError
from dplint.server.reader_messages import Forget, Read
from dplint.server.server import DplintServer
from dplint.source.files import Exclusions, find_files
from dplint.source.notebooks import SUFFIX as NOTEBOOK

_LONGEST_WAIT = 60.0
"""An editor asks again as soon as it has an answer, so one that brings nothing new is not given sooner."""
_LOOK_SECONDS = 2.0
_Item: TypeAlias = lsp.WorkspaceFullDocumentDiagnosticReport | lsp.WorkspaceUnchangedDocumentDiagnosticReport


class WorkspaceDiagnostics:
    """What was found in files that are not open, by path, with the times and sizes that they had."""

    def __init__(self, server: DplintServer) -> None:
        self._server = server
        self._found: dict[Path, tuple[object, list[lsp.Diagnostic]]] = {}

    async def report(self, params: lsp.WorkspaceDiagnosticParams) -> lsp.WorkspaceDiagnosticReport:
        """All that is known now; where the editor knows that already, what is known when something has changed."""
        known = {one.uri: one.value for one in params.previous_result_ids}
        loop = asyncio.get_running_loop()
        end = loop.time() + _LONGEST_WAIT
        while True:
            items = [item async for item in self._items(known)]
            news = any(isinstance(item, lsp.WorkspaceFullDocumentDiagnosticReport) for item in items)
            if news or not known or loop.time() > end:
                return lsp.WorkspaceDiagnosticReport(items)
            await asyncio.sleep(_LOOK_SECONDS)

    async def _items(self, known: Mapping[str, str]) -> AsyncIterator[_Item]:
        told = set()
        for uri, version, items in list(self._open()):
            told.add(uri)
            yield _item(uri, version, items, known)
        for path in await asyncio.to_thread(self._closed):
            uri = path.as_uri()
            if uri not in told and uri not in self._server.documents:
                told.add(uri)
                yield _item(uri, None, await self._of_closed(path), known)
        for uri in known.keys() - told:  # it is gone, and what was found in it
            yield _item(uri, None, [], known)

    def _open(self) -> Iterator[tuple[str, int | None, list[lsp.Diagnostic]]]:
        for document in self._server.documents.values():
            if document.loaded is not None:
                yield document.uri, document.version, diagnostics(document)

    def _closed(self) -> list[Path]:
        """In a thread: the files with claims in the folders of the workspace."""
        folders = [to_fs_path(folder.uri) for folder in self._server.workspace.folders.values()]
        found: dict[Path, None] = {}
        for folder in filter(None, folders):
            settings = SettingsByFile(Settings(), ())
            listed = find_files([Path(folder)], exclude=Exclusions(settings)).files
            found.update(dict.fromkeys(path for path in listed if path.suffix != NOTEBOOK and may_claim(path)))
        return list(found)

    async def _of_closed(self, path: Path) -> list[lsp.Diagnostic]:
        """What rules find in a file as it is on disk."""
        settings = self._server.configuration.of_file(path, trusted=self._server.client.trusted)
        try:
            status = path.stat()
            state = (status.st_mtime_ns, status.st_size, settings)
            if path in self._found and self._found[path][0] == state:
                return self._found[path][1]
            text = content(path).decode("utf-8", "replace")
            loaded = await self._server.reader.ask(Read(path, text, settings.settings))
            await self._server.reader.ask(Forget(path))
        except (OSError, ReaderError):
            return []
        assert isinstance(loaded, LoadedBuffer)
        encoding = self._server.workspace.position_encoding or lsp.PositionEncodingKind.Utf16
        document = Document(path.as_uri(), path, Text(text, encoding), None, settings, runnable=False)
        document.take(loaded, document.text, None, document.revision)
        self._found[path] = state, diagnostics(document)
        return self._found[path][1]


def _item(uri: str, version: int | None, items: list[lsp.Diagnostic], known: Mapping[str, str]) -> _Item:
    name = result_id(items)
    if known.get(uri) == name:
        return lsp.WorkspaceUnchangedDocumentDiagnosticReport(uri=uri, result_id=name, version=version)
    return lsp.WorkspaceFullDocumentDiagnosticReport(uri=uri, items=items, result_id=name, version=version)
