"""A module is imported once for all of its audits; a slow or broken one is one problem, and keeps no other waiting."""

import asyncio

import pytest

from tests.environments import bare_python
from tests.server.conftest import HEAD, WRONG, until

pytestmark = [pytest.mark.process, pytest.mark.asyncio]
WRITES = "[tool.dplint]\nproofs = false\nrepairs = false\nallow = ['write']\nruns = 200_000\n"
"""So that a module may count how often it is imported, which audits of repairs do, too; and a busy machine changes no
verdict.
"""
ONCE = 2
"""What is executed once is executed once more, rewritten for many runs at once."""


def module(head, *names, mark=""):
    """A module of wrong mechanisms that notes each of its imports in a file beside it. mark: what decorates them."""
    count = "open(__file__ + '.imports', 'a').write('x')\n"
    wrong = WRONG.replace("def ", f"@{mark}\ndef ") if mark else WRONG
    return f"{HEAD}import time\n{count}{head}\n" + "".join(wrong.replace("histogram", name) for name in names)


def imports_of(editor, name):
    path = editor.folder / f"{name}.imports"
    return len(path.read_text()) if path.exists() else 0


@pytest.mark.editor_with(settings={"jobs": 1, "deepen": False}, pyproject=f"{WRITES}deadline = 60\n")
async def test_a_slow_import_happens_once_and_keeps_no_other_file_waiting(own_editor):
    editor = own_editor
    head = "mark = time.sleep(8) or (lambda function: function)"  # which the functions need
    editor.open("slow.py", module(head, "a", "b", "c", "d", mark="mark"))
    await editor.see_title("slow.py", "· importing")
    editor.open("quick.py", HEAD + WRONG)
    await editor.codes("quick.py", "DP901")
    assert await editor.problems("slow.py") == [], "while the other was being imported"

    await editor.codes("slow.py", *["DP901"] * 4)
    assert imports_of(editor, "slow.py") == ONCE
    editor.type("slow.py", "0.1 / epsilon", "0.2 / epsilon")
    editor.save("slow.py")
    await until(lambda: imports_of(editor, "slow.py"), lambda count: count == 2 * ONCE)


@pytest.mark.editor_with(settings={"jobs": 2, "deepen": False}, options={"selectInterpreter": True}, pyproject=WRITES)
async def test_a_broken_module_is_one_problem_until_what_it_hangs_on_changes(own_editor):
    editor = own_editor
    editor.open("broken.py", module("import beside_it", "a", "b", "c", mark="beside_it.mark"))
    (item,) = await editor.see("broken.py", lambda items: [one.data["functions"] for one in items] == [["a", "b", "c"]])
    assert item.code == "DP905"
    lines = editor.texts["broken.py"].split("\n")
    assert item.range.start.line == lines.index("import beside_it")
    assert "has no module 'beside_it'" in item.message
    assert imports_of(editor, "broken.py") == ONCE
    assert "Select another interpreter" in [one.title for one in await editor.actions("broken.py", item)]

    for _ in range(3):
        editor.save("broken.py")
        await asyncio.sleep(0.5)
    assert imports_of(editor, "broken.py") == ONCE, "nothing has changed"
    assert len(await editor.problems("broken.py")) == 1

    (editor.folder / "beside_it.py").write_text("mark = {}['no table']\n")
    editor.save("broken.py")
    await editor.see("broken.py", lambda items: [one.message.count("no table") for one in items] == [1])
    await until(
        lambda: editor.titles("broken.py"), lambda found: not any("waiting" in one or "testing" in one for one in found)
    )
    (editor.folder / "beside_it.py").write_text("def mark(function):\n    return function\n")
    editor.save("broken.py")
    await editor.codes("broken.py", *["DP901"] * 3)
    assert imports_of(editor, "broken.py") == 3 * ONCE


@pytest.mark.editor_with(settings={"jobs": 2, "deepen": False}, pyproject=WRITES)
async def test_what_waits_for_an_import_fails_with_it_and_saving_begins_no_other(own_editor):
    editor = own_editor
    editor.open("fails.py", module("time.sleep(3)\nmark = {}['no table']", "a", "b", "c", "d", mark="mark"))
    await editor.see_title("fails.py", "· importing")
    for _ in range(3):
        editor.save("fails.py")
        await asyncio.sleep(0.3)

    (item,) = await editor.codes("fails.py", "DP905")
    assert item.data["functions"] == ["a", "b", "c", "d"]
    assert "no table" in item.message
    assert imports_of(editor, "fails.py") == ONCE
    states = [title for title in await editor.titles("fails.py") if title.startswith("claims")]
    assert len(states) == 4
    assert all("· not tested: the import of fails failed: KeyError: 'no table'" in one for one in states)


@pytest.mark.editor_with(settings={"jobs": 2, "deepen": False}, pyproject=WRITES)
async def test_when_a_module_can_be_imported_again_all_of_it_is_tested(own_editor):
    """For a reason that no file of Python tells, as when a server is there again; somebody tests one of them."""
    editor = own_editor
    head = "table = open(__file__ + '.table').read()\nmark = lambda function, table=table: function"
    editor.open("table.py", module(head, "a", "b", "c", mark="mark"))
    (item,) = await editor.codes("table.py", "DP905")
    assert "FileNotFoundError" in item.message

    (editor.folder / "table.py.table").write_text("1")
    await editor.run("dplint.test", editor.uri("table.py"), "b")
    await editor.codes("table.py", *["DP901"] * 3)


@pytest.mark.editor_with(options={"selectInterpreter": True})
async def test_an_interpreter_without_numpy_is_a_matter_of_setting_up(own_editor):
    """Not a bug of dplint: one message that says what to install and where, and an action."""
    editor = own_editor
    bare = bare_python(editor.folder / "bare")
    editor.configure(interpreter=str(bare))
    editor.open("setup.py", HEAD + WRONG + WRONG.replace("histogram", "second"))

    (item,) = await editor.codes("setup.py", "DP905")
    assert "has no NumPy" in item.message
    assert "-m pip install numpy" in item.message
    assert "bug of dplint" not in item.message
    assert "Select another interpreter" in [one.title for one in await editor.actions("setup.py", item)]
