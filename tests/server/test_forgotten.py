"""Texts that are nobody's business: of files that were deleted, and copies that a version control shows."""

import pytest
from lsprotocol import types as lsp

from tests.server.conftest import HEAD, WRONG

pytestmark = [pytest.mark.process, pytest.mark.asyncio(loop_scope="module")]


async def test_a_deleted_file_is_forgotten_until_it_is_written_again(editor):
    editor.open("gone.py", HEAD + WRONG)
    await editor.codes("gone.py", "DP901")

    (editor.folder / "gone.py").unlink()
    changed(editor, "gone.py", lsp.FileChangeType.Deleted)
    await editor.codes("gone.py")
    assert await editor.titles("gone.py") == []

    editor.save("gone.py")
    await editor.codes("gone.py", "DP901")


async def test_a_file_that_another_program_replaces_keeps_being_looked_at(editor):
    editor.open("replaced.py", HEAD + WRONG)
    changed(editor, "replaced.py", lsp.FileChangeType.Deleted)
    await editor.codes("replaced.py")
    changed(editor, "replaced.py", lsp.FileChangeType.Created)
    await editor.codes("replaced.py", "DP901")


def changed(editor, name, how):
    event = lsp.FileEvent(editor.uri(name), how)
    editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([event]))


async def test_what_a_version_control_shows_of_an_earlier_text_has_no_findings(editor):
    uri = (editor.folder / "old.py").as_uri().replace("file:", "git:")
    text = HEAD + WRONG.replace('"epsilon"', '"epsilom"', 1)
    editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "python", 1, text)))
    editor.open("new.py", text)
    await editor.codes("new.py", "DP007")

    if editor.pulls:
        asked = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
        assert not (await editor.client.text_document_diagnostic_async(asked)).items
    assert not editor.client.diagnostics.get(uri)
    asked = lsp.CodeLensParams(lsp.TextDocumentIdentifier(uri))
    assert not await editor.client.text_document_code_lens_async(asked)
