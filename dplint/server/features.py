"""What the server answers: each request and notification of the protocol, and what is done about it.

The mechanisms of a document as its symbols, each with its state: for editors that list those and show no lenses.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from dplint.check.engine_notes import MARK
from dplint.check.suggesting import NewClaim, may_be_head
from dplint.claims import Span
from dplint.server import lenses
from dplint.server.actions import KINDS, actions
from dplint.server.claim_help import TRIGGERS, completions, engine_hover, hover, signature
from dplint.server.configuration import read_editor_settings
from dplint.server.diagnostics import result_id
from dplint.server.documents import Document, first_line
from dplint.server.lenses import Mode, state_title
from dplint.server.reader import ReaderError
from dplint.server.reader_messages import Engines, Suggest
from dplint.server.server import DplintServer
from dplint.server.workspace_diagnostics import WorkspaceDiagnostics


def symbols(document: Document, mode: Mode) -> list[lsp.DocumentSymbol]:
    """A symbol for each mechanism, from its claim to its last line."""
    found = []
    for view, state in document.mechanism_states():
        last = len(document.text.line(view.last - 1)) + 1
        whole = document.text.range(Span(first_line(view), 1, view.last, last))
        found.append(
            lsp.DocumentSymbol(
                name=view.mechanism.qualname,
                kind=lsp.SymbolKind.Function,
                range=whole,
                selection_range=document.text.range(view.mechanism.span),
                detail=state_title(document, view, state, mode),
            )
        )
    return found


_WATCHED = ("**/pyproject.toml", "**/*.py")


def register_features(server: DplintServer) -> None:
    """Make known what every editor may ask for; diagnostics on request are added for editors that want them."""
    feature = server.feature
    feature(lsp.INITIALIZE)(initialize)
    feature(lsp.INITIALIZED)(initialized)
    feature(lsp.SHUTDOWN)(shutdown)
    feature(lsp.TEXT_DOCUMENT_DID_OPEN)(_of_document(server.open))
    feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    feature(lsp.TEXT_DOCUMENT_DID_SAVE)(_of_document(server.save))
    feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(_of_document(server.close))
    feature(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)(_of_notebook(server.show_notebook))
    feature(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)(_of_notebook(server.show_notebook))
    feature(lsp.NOTEBOOK_DOCUMENT_DID_SAVE)(_of_notebook(server.save_notebook))
    feature(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)(_of_notebook(server.close_notebook))
    feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=KINDS))(code_action)
    feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions(resolve_provider=False))(code_lens)
    feature(lsp.TEXT_DOCUMENT_INLAY_HINT, lsp.InlayHintOptions(resolve_provider=False))(inlay_hint)
    feature(lsp.TEXT_DOCUMENT_HOVER)(on_hover)
    feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=list(TRIGGERS)))(completion)
    feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=["(", ","]))(signature_help)
    feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(document_symbol)
    feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)(did_change_configuration)
    feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(did_change_watched_files)
    feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(did_change_workspace_folders)
    feature(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL)(progress_cancel)


# the life of the server


def initialize(ls: DplintServer, params: lsp.InitializeParams) -> None:
    """Before the answer: push or pull is decided here, once."""
    ls.begin(params)
    given = params.initialization_options
    if isinstance(given, dict) and "settings" in given:
        _take_settings(ls, None, given["settings"])
    if ls.client.pull:
        options = lsp.DiagnosticOptions(
            identifier="dplint", inter_file_dependencies=True, workspace_diagnostics=not ls.client.panel
        )
        ls.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, options)(pull)
        found = WorkspaceDiagnostics(ls)

        async def pull_all(params: lsp.WorkspaceDiagnosticParams) -> lsp.WorkspaceDiagnosticReport:
            return await found.report(params)

        ls.feature(lsp.WORKSPACE_DIAGNOSTIC)(pull_all)


async def initialized(ls: DplintServer, _params: lsp.InitializedParams) -> None:
    """After it: processes, settings, and files to be told of."""
    await asyncio.gather(_fetch_settings(ls), ls.reader.start(), _watch_files(ls))


def shutdown(ls: DplintServer, _params: Any) -> None:
    """The editor is about to leave."""
    ls.end()


# documents


def _of_document(done: Callable[[str], None]) -> Callable[[Any], None]:
    """What is done about a notification of a document, by its address."""
    return lambda params: done(params.text_document.uri)


def _of_notebook(done: Callable[[str], None]) -> Callable[[Any], None]:
    """The same of a notebook."""
    return lambda params: done(params.notebook_document.uri)


def did_change(ls: DplintServer, params: lsp.DidChangeTextDocumentParams) -> None:
    """Its text is another one."""
    ls.change(params.text_document.uri, list(params.content_changes))


async def pull(ls: DplintServer, params: lsp.DocumentDiagnosticParams) -> lsp.DocumentDiagnosticReport:
    """The diagnostics of the text as it stands, once it was read."""
    uri = params.text_document.uri
    document = await ls.read_document(uri)
    items: list[lsp.Diagnostic] = []
    if document is not None:
        items = next((found for name, _, found in ls.notifier.diagnostics_of(document) if name == uri), [])
    name = result_id(items)
    if name == params.previous_result_id:
        return lsp.RelatedUnchangedDocumentDiagnosticReport(result_id=name)
    return lsp.RelatedFullDocumentDiagnosticReport(items=items, result_id=name)


# what an editor shows beside


async def code_action(ls: DplintServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """What can be done here."""
    uri = params.text_document.uri
    # An edit without a version would be made in any text.
    document = await ls.read_document(uri, exactly=not ls.client.document_changes)
    if document is None:
        return []
    cell = ls.notebooks.cell(uri)
    asked = params if cell is None else cell.asked(params)
    line, _ = document.text.place(asked.range.start)
    ls.look_at(document, line)
    claim = await _claim_at(ls, document, line)
    found = actions(document, asked, ls.client, ls.mode, claim)
    return found if cell is None else cell.actions(found)


async def _claim_at(ls: DplintServer, document: Document, line: int) -> NewClaim | None:
    """A claim for the function whose head is in the line, None if none is to be suggested there."""
    text = document.text.text
    if not may_be_head(text, line):
        return None
    try:
        found = await ls.reader.ask(Suggest(document.path, text, document.settings.settings, line))
    except ReaderError:
        return None
    return found if isinstance(found, NewClaim) and document.text.text == text else None


async def code_lens(ls: DplintServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    """The state of each mechanism."""
    uri = params.text_document.uri
    document = await ls.read_document(uri)
    if document is None:
        return []
    found = lenses.lenses(document, ls.mode) if document.settings.editor.code_lens else []
    cell = ls.notebooks.cell(uri)
    return found if cell is None else cell.lenses(found)


async def inlay_hint(ls: DplintServer, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    """What each draw spends."""
    uri = params.text_document.uri
    document = await ls.read_document(uri)
    if document is None:
        return []
    if not document.settings.editor.inlay_hints:
        return []
    cell = ls.notebooks.cell(uri)
    where = params.range if cell is None else cell.down(params.range)
    first, _ = document.text.place(where.start)
    last, _ = document.text.place(where.end)
    found = lenses.hints(document, first, last)
    return found if cell is None else cell.hints(found)


async def on_hover(ls: DplintServer, params: lsp.HoverParams) -> lsp.Hover | None:
    """What there is to say."""
    uri = params.text_document.uri
    document = await ls.read_document(uri)
    if document is None:
        return None
    cell = ls.notebooks.cell(uri)
    where = params.position if cell is None else cell.position(params.position)
    if not ls.client.panel:  # there, hovers are those of the mouse
        ls.look_at(document, document.text.place(where)[0])
    found = hover(document, where, ls.mode, images=ls.client.panel) or await _engine_at(ls, document, where)
    return found if cell is None else cell.hover(found)


async def _engine_at(ls: DplintServer, document: Document, where: lsp.Position) -> lsp.Hover | None:
    """What the engine spends that is made there; None where none is, or the text has changed since."""
    text = document.text.text
    if MARK not in text:
        return None
    try:
        notes = await ls.reader.ask(Engines(document.path, text, document.settings.settings))
    except ReaderError:
        return None
    return engine_hover(document, where, notes) if isinstance(notes, tuple) and document.text.text == text else None


def completion(ls: DplintServer, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
    """What may be written here, as far as it is a claim."""
    text = ls.typed(params.text_document.uri)
    return [] if text is None else completions(text, params.position)


def signature_help(ls: DplintServer, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
    """The keys of the claim that is being written."""
    text = ls.typed(params.text_document.uri)
    return None if text is None else signature(text, params.position)


async def document_symbol(ls: DplintServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    """The mechanisms with their state; an editor that has a view of its own for them lists only Python's symbols."""
    document = ls.documents.get(params.text_document.uri)
    if document is None or ls.client.panel:
        return []
    await ls.readings.current(document)
    return symbols(document, ls.mode)


def progress_cancel(ls: DplintServer, params: lsp.WorkDoneProgressCancelParams) -> None:
    """The user has had enough of it."""
    for progress in (ls.notifier.work_done, *ls.requested_jobs.progresses):
        progress.cancelled(params.token)


# settings and files


async def did_change_configuration(ls: DplintServer, params: lsp.DidChangeConfigurationParams) -> None:
    """Settings were changed: fetched, where the editor can be asked, else taken from what it sends."""
    if not ls.client.configuration and isinstance(params.settings, dict):
        _take_settings(ls, None, params.settings.get("dplint", params.settings))
    await _fetch_settings(ls)
    ls.settings_changed()


def did_change_watched_files(ls: DplintServer, params: lsp.DidChangeWatchedFilesParams) -> None:
    """A file was changed by somebody else, or saved."""
    if any(change.uri.endswith("pyproject.toml") for change in params.changes):
        ls.settings_changed()
    for change in params.changes:
        if change.type == lsp.FileChangeType.Deleted:
            ls.close(change.uri)
        elif change.uri in ls.workspace.text_documents and change.uri not in ls.documents:
            ls.open(change.uri)
    ls.file_changed()


async def did_change_workspace_folders(ls: DplintServer, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    """A folder came or went."""
    for folder in params.event.removed:
        if (path := to_fs_path(folder.uri)) is not None:
            ls.configuration.drop_folder(Path(path))
    await _fetch_settings(ls)
    ls.settings_changed()


async def _fetch_settings(ls: DplintServer) -> None:
    """Ask for the settings of each folder, and of what is in none."""
    try:
        if ls.client.configuration:
            await _ask_for_settings(ls)
    finally:
        ls.readings.configured()


async def _ask_for_settings(ls: DplintServer) -> None:
    folders = [(folder.uri, to_fs_path(folder.uri)) for folder in ls.workspace.folders.values()]
    places = [(None, None), *((uri, Path(path)) for uri, path in folders if path is not None)]
    items = [lsp.ConfigurationItem(scope_uri=uri, section="dplint") for uri, _ in places]
    try:
        answers = await ls.workspace_configuration_async(lsp.ConfigurationParams(items=items))
    except Exception as error:
        ls.log(f"the settings could not be fetched: {error}")
        return
    for (_, folder), values in zip(places, answers or (), strict=False):
        _take_settings(ls, folder, values)


def _take_settings(ls: DplintServer, folder: Path | None, values: object) -> None:
    settings, problems = read_editor_settings(values)
    for problem in problems:
        ls.projects.warn_once(problem)
    if folder is None:
        ls.configuration.set_everywhere(settings)
    else:
        ls.configuration.set_folder(folder, settings)


async def _watch_files(ls: DplintServer) -> None:
    if not ls.client.watching:
        return
    watchers = [lsp.FileSystemWatcher(glob_pattern=pattern) for pattern in _WATCHED]
    options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
    registration = lsp.Registration("dplint-files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    try:
        await ls.client_register_capability_async(lsp.RegistrationParams([registration]))
    except Exception as error:
        ls.log(f"files cannot be watched: {error}")
