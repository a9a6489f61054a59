"""Diagnostics of the whole workspace, for an editor that asks for them."""

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.server.conftest import HEAD, RIGHT, WRONG

pytestmark = [pytest.mark.process, pytest.mark.asyncio]


async def test_a_workspace_has_the_findings_of_files_that_nobody_has_opened(own_editor):
    editor, wrong = own_editor, HEAD + WRONG.replace("neighbors", "neighbours")
    if not editor.pulls:
        return
    (editor.folder / "closed.py").write_text(wrong)
    (editor.folder / ".venv").mkdir()
    (editor.folder / ".venv" / "other.py").write_text(wrong)
    editor.open("opened.py", wrong)
    await editor.titles("opened.py")

    async def asked(known=()):
        previous = [lsp.PreviousResultId(uri, value) for uri, value in known]
        report = await editor.client.workspace_diagnostic_async(lsp.WorkspaceDiagnosticParams(previous))
        return {Path(one.uri).name: one for one in report.items}

    found = await asked()
    assert {name: [one.code for one in report.items] for name, report in found.items()} == {
        "opened.py": ["DP001"],
        "closed.py": ["DP001"],
    }
    later = asyncio.ensure_future(asked([(one.uri, one.result_id) for one in found.values()]))
    await asyncio.sleep(0.5)
    assert not later.done(), "nothing is new"
    (editor.folder / "closed.py").write_text(HEAD + RIGHT)
    changed = await later
    assert (changed["closed.py"].kind, changed["closed.py"].items) == ("full", ())
    assert changed["opened.py"].kind == "unchanged"
