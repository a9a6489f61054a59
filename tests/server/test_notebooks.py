"""Notebooks in the editor: what is known of their cells is shown in them, and cells count as they stand there."""

import ast
import json

import pytest
from lsprotocol import types as lsp

from tests.server.conftest import HEAD, WRONG, until

pytestmark = pytest.mark.process
shared = pytest.mark.asyncio(loop_scope="module")
CLAIM_LINE = WRONG.split("\n").index('@dp(epsilon="epsilon", neighbors="l1")')
LOOSE = """
def released(rng, values, epsilon):
    print(sum(values))
    return len(values) + rng.laplace(scale=1 / epsilon)
"""


class Notebook:
    """A notebook of an editor: a Markdown cell, and then cells of Python."""

    def __init__(self, editor, name, *texts, on_disk=None):
        self.editor = editor
        self.name = name
        self.texts = list(texts)
        self.versions = [1] * len(texts)
        self.uris = [f"vscode-notebook-cell:/{name}#c{number}" for number in range(len(texts))]
        self.uri = editor.uri(name)
        self.version = 1
        self.write(on_disk or texts)
        code, markup = lsp.NotebookCellKind.Code, lsp.NotebookCellKind.Markup
        head = f"vscode-notebook-cell:/{name}#head"
        cells = [lsp.NotebookCell(markup, head), *(lsp.NotebookCell(code, uri) for uri in self.uris)]
        documents = [lsp.TextDocumentItem(head, "markdown", 1, "# Work\n")]
        documents += [lsp.TextDocumentItem(uri, "python", 1, text) for uri, text in zip(self.uris, texts, strict=True)]
        editor.client.notebook_document_did_open(
            lsp.DidOpenNotebookDocumentParams(lsp.NotebookDocument(self.uri, "jupyter-notebook", 1, cells), documents)
        )

    def write(self, texts):
        cells = [{"cell_type": "markdown", "metadata": {}, "source": "# Work\n"}]
        cells += [{"cell_type": "code", "metadata": {}, "outputs": [], "source": text} for text in texts]
        text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
        (self.editor.folder / self.name).write_text(text, encoding="utf-8")

    def type(self, number, text):
        """A cell has another text, which is not saved."""
        self.texts[number] = text
        self.versions[number] += 1
        self.version += 1
        content = lsp.NotebookDocumentCellContentChanges(
            lsp.VersionedTextDocumentIdentifier(self.versions[number], self.uris[number]),
            [lsp.TextDocumentContentChangeWholeDocument(text)],
        )
        self.editor.client.notebook_document_did_change(
            lsp.DidChangeNotebookDocumentParams(
                lsp.VersionedNotebookDocumentIdentifier(self.version, self.uri),
                lsp.NotebookDocumentChangeEvent(cells=lsp.NotebookDocumentCellChanges(text_content=[content])),
            )
        )

    def save(self):
        self.editor.client.notebook_document_did_save(
            lsp.DidSaveNotebookDocumentParams(lsp.NotebookDocumentIdentifier(self.uri))
        )

    async def problems(self, number):
        uri = self.uris[number]
        if not self.editor.pulls:
            return list(self.editor.client.diagnostics.get(uri, ()))
        asked = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
        return (await self.editor.client.text_document_diagnostic_async(asked)).items

    async def lenses(self, number):
        asked = lsp.CodeLensParams(lsp.TextDocumentIdentifier(self.uris[number]))
        return await self.editor.client.text_document_code_lens_async(asked) or []

    async def see(self, number, code):
        """Wait for a diagnostic of that code in a cell."""
        items = await until(lambda: self.problems(number), lambda found: any(one.code == code for one in found))
        return next(one for one in items if one.code == code)


@shared
async def test_the_verdict_on_a_function_stands_in_its_cell(editor):
    """It is that of the cells as they stand in the editor: what is in the file is right."""
    text = WRONG.replace("0.1 / epsilon", "SCALE / epsilon")
    first = "%matplotlib inline\n" + HEAD
    notebook = Notebook(editor, "verdict.ipynb", first + "SCALE = 0.1\n", text, on_disk=(first + "SCALE = 1\n", text))

    found = await notebook.see(1, "DP901")
    assert found.range.start.line == CLAIM_LINE + 1  # the name of the function, below its claim
    claim = next(one for one in found.related_information if one.message == "the claim that is broken")
    assert (claim.location.uri, claim.location.range.start.line) == (notebook.uris[1], CLAIM_LINE)
    assert not await notebook.problems(0)

    lens, *_ = await notebook.lenses(1)
    assert lens.command.command == "dplint.showCounterexample"
    assert lens.range.start.line == CLAIM_LINE + 1
    assert await notebook.lenses(0) == []

    shown = await editor.run("dplint.showCounterexample", *lens.command.arguments)
    assert shown["view"]["uri"] == notebook.uris[1]
    assert shown["view"]["source"]["firstLine"] == CLAIM_LINE + 1
    (mechanism,) = await editor.run("dplint.mechanisms", notebook.uris[1])
    assert (mechanism["function"], mechanism["first"]) == ("histogram", CLAIM_LINE)
    assert await editor.run("dplint.mechanisms", notebook.uris[0]) == []


@shared
async def test_hints_and_hovers_are_at_the_lines_of_the_cell(editor):
    notebook = Notebook(editor, "hints.ipynb", HEAD, "\n\n" + WRONG)
    lines = notebook.texts[1].split("\n")
    draw = next(number for number, line in enumerate(lines) if "laplace" in line)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(len(lines), 0))

    asked = lsp.InlayHintParams(lsp.TextDocumentIdentifier(notebook.uris[1]), whole)
    (hint,) = await editor.client.text_document_inlay_hint_async(asked)
    assert hint.position.line == draw
    first = lsp.InlayHintParams(lsp.TextDocumentIdentifier(notebook.uris[0]), whole)
    assert not await editor.client.text_document_inlay_hint_async(first)

    where = lsp.Position(draw, lines[draw].index("laplace"))
    asked = lsp.HoverParams(lsp.TextDocumentIdentifier(notebook.uris[1]), where)
    hover = await editor.client.text_document_hover_async(asked)
    assert hover.range.start.line == draw


@pytest.mark.nightly
@pytest.mark.asyncio
async def test_a_change_in_another_cell_is_tested_when_the_notebook_is_saved(own_editor):
    text = WRONG.replace("0.1 / epsilon", "SCALE / epsilon")
    notebook = Notebook(own_editor, "work.ipynb", HEAD + "SCALE = 1.0\n", text)
    await until(lambda: notebook.lenses(1), lambda found: found and "nothing found" in str(found[0]))

    notebook.type(0, HEAD + "SCALE = 0.1\n")
    notebook.save()
    found = await notebook.see(1, "DP901")
    assert found.range.start.line == CLAIM_LINE + 1


@shared
async def test_fixes_and_claims_are_edits_of_cells(editor):
    notebook = Notebook(editor, "fixes.ipynb", HEAD, "x = 1\n" + WRONG.replace('"epsilon"', '"epsilom"', 1), LOOSE)

    async def actions(number, line, items=()):
        where = lsp.Range(lsp.Position(line, 0), lsp.Position(line, 0))
        asked = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(notebook.uris[number]), where, lsp.CodeActionContext(list(items))
        )
        return await editor.client.text_document_code_action_async(asked)

    wrong = await notebook.see(1, "DP007")
    found = await actions(1, wrong.range.start.line, [wrong])
    ignore = next(one for one in found if one.title.startswith("Ignore DP007") or one.edit is not None)
    (change,) = ignore.edit.document_changes
    assert change.text_document.uri == notebook.uris[1]
    assert change.edits[0].range.start.line <= wrong.range.end.line

    (claim,) = [one for one in await actions(2, 1) if one.title.startswith("Add a claim")]
    (change,) = claim.edit.document_changes
    assert change.text_document.uri == notebook.uris[2]
    assert change.edits[0].range.start.line == 1


@shared
async def test_commands_and_help_are_those_of_a_file(editor):
    notebook = Notebook(editor, "help.ipynb", HEAD, WRONG)
    found = await notebook.see(1, "DP901")
    cell = lsp.TextDocumentIdentifier(notebook.uris[1])
    asked = lsp.CodeActionParams(cell, found.range, lsp.CodeActionContext([found]))
    actions = await editor.client.text_document_code_action_async(asked)
    commands = [ast.literal_eval(one.command) for one in actions if isinstance(one, lsp.Command)]
    arguments = {one["command"]: one.get("arguments") for one in commands}
    assert arguments["dplint.explain"] == ["DP901"]
    assert arguments["dplint.showCounterexample"] == [notebook.uris[1], "histogram"]
    assert (await editor.run("dplint.showCounterexample"))["verdict"] == "violation", "the one under the cursor"

    line = notebook.texts[1].split("\n")[CLAIM_LINE]
    inside = lsp.Position(CLAIM_LINE, line.index("neighbors"))
    offered = await editor.client.text_document_completion_async(lsp.CompletionParams(cell, inside))
    assert "domain=" in [one.label for one in offered]
    shown = await editor.client.text_document_signature_help_async(lsp.SignatureHelpParams(cell, inside))
    assert shown.signatures[0].label.startswith("dp(epsilon")


@pytest.mark.nightly
@pytest.mark.editor_with(options={"trusted": False})
@pytest.mark.asyncio
async def test_nothing_runs_of_a_notebook_in_a_workspace_that_is_not_trusted(own_editor, tmp_path):
    mark = tmp_path / "was_run"
    notebook = Notebook(own_editor, "work.ipynb", f"open({str(mark)!r}, 'w').close()\n" + HEAD, WRONG)
    found = await until(lambda: notebook.lenses(1), bool)
    assert "not trusted" in found[0].command.title
    assert not mark.exists()


@shared
async def test_a_notebook_that_is_in_no_file_is_read_and_not_run(editor):
    notebook = Notebook.__new__(Notebook)
    uri, cell = "untitled:work.ipynb", "vscode-notebook-cell:work.ipynb#c0"
    notebook.editor, notebook.uris = editor, [cell]
    editor.client.notebook_document_did_open(
        lsp.DidOpenNotebookDocumentParams(
            lsp.NotebookDocument(uri, "jupyter-notebook", 1, [lsp.NotebookCell(lsp.NotebookCellKind.Code, cell)]),
            [lsp.TextDocumentItem(cell, "python", 1, HEAD + WRONG)],
        )
    )
    found = await until(lambda: notebook.lenses(0), bool)
    assert "save it as a file first" in found[0].command.title
    editor.client.notebook_document_did_close(
        lsp.DidCloseNotebookDocumentParams(lsp.NotebookDocumentIdentifier(uri), [lsp.TextDocumentIdentifier(cell)])
    )
    await until(lambda: notebook.lenses(0), lambda lenses: not lenses)
