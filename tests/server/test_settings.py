"""Settings of editors and projects, trust, several folders, notebooks."""

import sys

import pytest
from lsprotocol import types as lsp

from tests.server.conftest import HEAD, RIGHT, RULES, WRONG, until

pytestmark = [pytest.mark.process, pytest.mark.asyncio]
MISSPELT = WRONG.replace('"epsilon"', '"epsilom"', 1)


@pytest.mark.editor_with(options={"trusted": False})
async def test_nothing_runs_in_a_workspace_that_is_not_trusted(own_editor, tmp_path):
    mark = tmp_path / "was_run"
    editor = own_editor
    editor.open(
        "untrusted.py", HEAD + f"open({str(mark)!r}, 'w').close()\n" + WRONG + MISSPELT.replace("histogram", "h")
    )

    await editor.codes("untrusted.py", "DP007")
    assert await editor.titles("untrusted.py") == ["claims ε = epsilon · not tested: the workspace is not trusted"]
    await editor.run("dplint.test", editor.uri("untrusted.py"), "histogram")
    await until(lambda: editor.shown, lambda texts: any("not trusted" in text for text in texts))
    editor.save("untrusted.py")
    await editor.codes("untrusted.py", "DP007")
    assert not mark.exists()


@pytest.mark.editor_with(settings={"run": "manual"})
async def test_manual_tests_only_what_is_asked_for(own_editor):
    editor = own_editor
    editor.open("manual.py", HEAD + WRONG)
    assert await editor.titles("manual.py") == ["claims ε = epsilon · not tested yet", "test now"]
    editor.save("manual.py")
    assert await editor.titles("manual.py") == ["claims ε = epsilon · not tested yet", "test now"]

    await editor.run("dplint.testAll")
    await editor.codes("manual.py", "DP901")


@pytest.mark.editor_with(settings={"run": "onType"})
async def test_on_type_needs_no_save(own_editor):
    editor = own_editor
    editor.open("typed.py", HEAD + RIGHT)
    await editor.see_title("typed.py", "nothing found")

    editor.type("typed.py", "1 / epsilon", "0.1 / epsilon")
    await editor.codes("typed.py", "DP901")


@pytest.mark.editor_with(settings={"codeLens": False, "inlayHints": False, "ignore": ["DP9"]})
async def test_what_is_turned_off_is_not_shown(own_editor):
    editor = own_editor
    editor.open("off.py", HEAD + RIGHT)
    assert await editor.titles("off.py") == []
    where = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
    hints = await editor.client.text_document_inlay_hint_async(
        lsp.InlayHintParams(lsp.TextDocumentIdentifier(editor.uri("off.py")), where)
    )
    assert not hints
    editor.configure(ignore=[])
    editor.open("wrong.py", HEAD + WRONG)
    await editor.codes("wrong.py", "DP901")
    editor.configure(ignore=["DP901"])
    await editor.codes("wrong.py")


@pytest.mark.editor_with(pyproject="[tool.dplint]\nstatic-only = true\n[tool.dplint.severity]\nDP007 = 'info'\n")
async def test_static_only_runs_nothing_and_severities_are_taken(own_editor, tmp_path):
    mark = tmp_path / "was_run"
    editor = own_editor
    writing = f"open({str(mark)!r}, 'w').close()\n"
    editor.open("static.py", HEAD + writing + WRONG + MISSPELT.replace("histogram", "h"))

    (item,) = await editor.codes("static.py", "DP007")
    assert item.severity == lsp.DiagnosticSeverity.Information
    assert await editor.titles("static.py") == ["claims ε = epsilon · not tested: the settings say static-only"]
    await editor.run("dplint.test", editor.uri("static.py"), "histogram")
    await until(lambda: editor.shown, lambda texts: any("static-only" in text for text in texts))
    assert not mark.exists()


@pytest.mark.editor_with(roots={"calm": {"run": "manual"}, "busy": {"run": "onSave"}})
async def test_each_folder_has_settings_of_its_own(own_editor):
    editor = own_editor
    editor.open("calm/module.py", HEAD + WRONG)
    editor.open("busy/module.py", HEAD + WRONG)

    await editor.codes("busy/module.py", "DP901")
    assert await editor.titles("calm/module.py") == ["claims ε = epsilon · not tested yet", "test now"]


@pytest.mark.editor_with(settings={"rum": "onType", "alpha": 7})
async def test_wrong_settings_are_told_and_the_rest_holds(own_editor):
    editor = own_editor
    found = await until(lambda: editor.shown, lambda texts: len(texts) >= 2)

    assert any("dplint.rum is unknown. Did you mean 'run'?" in text for text in found)
    assert any("dplint.alpha must lie between 0 and 1" in text for text in found)
    editor.open("wrong.py", HEAD + WRONG)
    await editor.codes("wrong.py", "DP901")


@pytest.mark.editor_with(pyproject="[tool.dplint]\nalpha = 0.001\nepsilonz = [1.0]\n")
async def test_a_mistake_in_pyproject_is_shown_at_its_line_until_it_is_mended(own_editor):
    editor = own_editor
    pyproject = editor.folder / "pyproject.toml"
    editor.open("any.py", HEAD + WRONG)
    await editor.codes("any.py", "DP901")

    (item,) = editor.client.diagnostics[pyproject.as_uri()]
    assert item.range.start.line == 2
    assert "epsilonz" in item.message
    assert any("epsilonz" in text for text in editor.shown)
    pyproject.write_text("[tool.dplint]\nalpha = 0.001\n")
    change = lsp.FileEvent(pyproject.as_uri(), lsp.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([change]))
    await until(lambda: editor.client.diagnostics[pyproject.as_uri()], lambda items: not items)


@pytest.mark.editor_with(pyproject='[tool.dplint.mechanisms."tabled:release"]\nepsilon = "epsilom"\n')
async def test_a_claim_in_pyproject_is_read_with_the_buffer(own_editor):
    editor = own_editor
    pyproject = editor.folder / "pyproject.toml"
    editor.open(
        "tabled.py",
        "def release(rng, counts, epsilon):\n    return [c + rng.laplace(scale=0.1 / epsilon) for c in counts]\n",
    )

    (item,) = await until(lambda: editor.client.diagnostics.get(pyproject.as_uri()), bool)
    assert (item.code, item.range.start.line) == ("DP007", 1)
    pyproject.write_text('[tool.dplint.mechanisms."tabled:release"]\nepsilon = "epsilon"\nneighbors = "l1"\n')
    change = lsp.FileEvent(pyproject.as_uri(), lsp.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([change]))
    await editor.codes("tabled.py", "DP901")
    await until(lambda: editor.client.diagnostics[pyproject.as_uri()], lambda items: not items)


@pytest.mark.editor_with(pyproject='[tool.dplint.mechanisms."tabeld:release"]\nepsilon = 1.0\n')
async def test_a_claim_of_a_module_that_does_not_exist_is_shown_at_its_line(own_editor):
    editor = own_editor
    pyproject = editor.folder / "pyproject.toml"
    editor.open("tabled.py", "def release(rng, counts):\n    return [c + rng.laplace() for c in counts]\n")

    (item,) = await until(lambda: editor.client.diagnostics.get(pyproject.as_uri()), bool)
    assert item.range.start.line == 0
    assert "there is no module 'tabeld'" in item.message
    pyproject.write_text('[tool.dplint.mechanisms."tabled:release"]\nepsilon = 1.0\nneighbors = "l1"\n')
    change = lsp.FileEvent(pyproject.as_uri(), lsp.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([change]))
    await until(lambda: editor.client.diagnostics[pyproject.as_uri()], lambda items: not items)


@pytest.mark.editor_with(settings={"interpreter": "no/such/python"}, pyproject="[tool.dplint]\nignore = ['DP901']\n")
async def test_an_interpreter_that_is_not_there_is_told_and_the_project_s_settings_hold(own_editor):
    editor = own_editor
    editor.open("any.py", HEAD + WRONG)

    found = await until(lambda: editor.shown, bool)
    assert "the settings of the editor: interpreter names no file" in found[0]
    await editor.see_title("any.py", "violated")
    await editor.codes("any.py")


@pytest.mark.editor_with(settings={"interpreter": "${workspaceFolder}/env/bin/python"})
async def test_the_interpreter_of_a_folder_runs_its_code(own_editor):
    editor = own_editor
    (editor.folder / "env/bin").mkdir(parents=True)
    script = editor.folder / "env/bin/python"
    script.write_text(f'#!/bin/sh\nDPLINT_TEST_MARK=here exec "{sys.executable}" "$@"\n')
    script.chmod(0o755)
    text = HEAD + "import os\nassert os.environ['DPLINT_TEST_MARK'] == 'here'\n" + WRONG
    editor.open("env.py", text)
    # The settings came before the script was there.
    editor.configure(interpreter="${workspaceFolder}/env/bin/python", jobs=1)
    editor.save("env.py")
    await editor.codes("env.py", "DP901")


@pytest.mark.editor_with(pyproject="[tool.dplint]\nignore = ['DP9']\n")
async def test_the_nearest_pyproject_wins(own_editor):
    editor = own_editor
    (editor.folder / "inner").mkdir()
    (editor.folder / "inner/pyproject.toml").write_text("[tool.dplint]\n")
    editor.open("outer.py", HEAD + WRONG)
    editor.open("inner/module.py", HEAD + WRONG)

    await editor.codes("inner/module.py", "DP901")
    await editor.see_title("outer.py", "violated")
    await editor.codes("outer.py")


async def test_a_second_server_answers_from_the_store(own_editor, tmp_path):
    editor = own_editor
    mark = tmp_path / "runs"
    counted = HEAD + f"open({str(mark)!r}, 'a').write('x')\n"
    (editor.folder / "pyproject.toml").write_text("[tool.dplint]\nallow = ['write']\n")
    editor.open("kept.py", counted + WRONG)
    await editor.codes("kept.py", "DP901")
    once = mark.read_text()
    editor.close("kept.py")
    await editor.codes("kept.py")

    editor.open("kept.py", counted + WRONG)
    await editor.codes("kept.py", "DP901")
    assert once == mark.read_text() != ""


def cells(*texts, start=0):
    uris = [f"vscode-notebook-cell:/n.ipynb#c{number + start}" for number in range(len(texts))]
    return [lsp.NotebookCell(lsp.NotebookCellKind.Code, uri) for uri in uris], [
        lsp.TextDocumentItem(uri, "python", 1, text) for uri, text in zip(uris, texts, strict=True)
    ]


async def test_the_cells_of_a_notebook_are_read_together(own_editor):
    editor = own_editor
    made, texts = cells("%matplotlib inline\nfrom dplint import dp\n", "\n" + MISSPELT, "%%bash\nls (")
    uri = (editor.folder / "n.ipynb").as_uri()
    editor.client.notebook_document_did_open(
        lsp.DidOpenNotebookDocumentParams(lsp.NotebookDocument(uri, "jupyter-notebook", 1, made), texts)
    )

    async def problems(number):
        if not editor.pulls:
            items = editor.client.diagnostics.get(made[number].document, ())
            return [item for item in items if not RULES.match(item.code)]
        report = await editor.client.text_document_diagnostic_async(
            lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(made[number].document))
        )
        return [item for item in report.items if not RULES.match(item.code)]

    (item,) = await until(lambda: problems(1), bool)
    assert (item.code, item.range.start.line) == ("DP007", 2)
    assert not await problems(0)
    where = lsp.Range(item.range.start, item.range.end)
    text = texts[1].text.replace("epsilom", "epsilon")
    change = lsp.TextDocumentContentChangeWholeDocument(text)
    assert where.start.line == 2
    editor.client.notebook_document_did_change(
        lsp.DidChangeNotebookDocumentParams(
            lsp.VersionedNotebookDocumentIdentifier(2, uri),
            lsp.NotebookDocumentChangeEvent(
                cells=lsp.NotebookDocumentCellChanges(
                    text_content=[
                        lsp.NotebookDocumentCellContentChanges(
                            lsp.VersionedTextDocumentIdentifier(2, made[1].document), [change]
                        )
                    ]
                )
            ),
        )
    )
    await until(lambda: problems(1), lambda items: not items)
