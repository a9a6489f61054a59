"""What an editor is told of the server, and that nothing is run for a view of a workspace that is not trusted."""

import sys
from pathlib import Path

import pytest

from dplint import __version__
from tests.server.conftest import HEAD, WRONG, until

pytestmark = [pytest.mark.process, pytest.mark.asyncio]


def statuses(editor):
    """The list that they will be in."""
    told = []
    editor.client.feature("dplint/status")(lambda params: told.append(params))  # noqa: PLW0108 - it is marked
    return told


@pytest.mark.editor_with(options={"trusted": False, "panel": True})
async def test_nothing_is_run_for_a_view_of_an_untrusted_workspace(own_editor):
    mark = own_editor.folder / "was_run"
    own_editor.open("evil.py", HEAD + f"open({str(mark)!r}, 'w')\n" + WRONG)
    where = [own_editor.uri("evil.py"), "histogram"]
    await own_editor.see_title("evil.py", "not trusted")

    assert await own_editor.run("dplint.showCounterexample", *where) is None
    assert "error" in await own_editor.run("dplint.showOutputs", *where)
    assert "not trusted" in (await own_editor.run("dplint.showCurve", *where))["error"]
    assert not mark.exists()


@pytest.mark.editor_with(options={"status": True, "panel": True})
async def test_the_status_says_what_runs_and_how_things_stand(own_editor):
    told = statuses(own_editor)
    own_editor.open("status.py", HEAD + WRONG)

    last = (await until(lambda: told, lambda found: found and found[-1].violations == 1))[-1]
    assert (last.state, last.mechanisms, last.version) == ("on", 1, __version__)
    assert list(last.running) == []
    assert Path(last.interpreter).samefile(sys.executable)
    await own_editor.run("dplint.testDeeper", own_editor.uri("status.py"), "histogram")
    seen = await until(
        lambda: [one for status in told for one in status.running],
        lambda found: any(one.epsilonLower is not None and one.runs > 0 for one in found),
    )
    assert {(one.uri, one.function) for one in seen} == {(own_editor.uri("status.py"), "histogram")}
    await own_editor.run("dplint.pause")
    await until(lambda: told, lambda found: found[-1].state == "paused")


@pytest.mark.editor_with(options={"panel": True})
async def test_an_editor_that_did_not_ask_is_not_told_the_status(own_editor):
    told = statuses(own_editor)
    own_editor.open("quiet.py", HEAD + WRONG)
    await own_editor.see_title("quiet.py", "violated")

    assert told == []
