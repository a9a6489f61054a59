"""300 edits in three seconds, while audits run and answers are asked for: nothing is out of place, and nothing is lost.

How soon the answers come, and how much memory a long storm takes, is measured by benchmarks/server.py.
"""

import functools
import re
import tempfile
import time
from pathlib import Path

import pytest

from tests.patience import end_of
from tests.server.document_model import Typed
from tests.server.lsp_client import PATIENCE, LspClient
from tests.server.processes import all_gone, busy_machine
from tests.server.storm import misplaced, outline, storm, twenty_mechanisms, wrong_places

pytestmark = pytest.mark.process

SETTINGS = {"cache": False, "deepen": False, "runs": 20_000, "jobs": 2}


def opened(folder, text, *, pulls):
    client = LspClient(folder, settings=SETTINGS)
    client.initialize(pulls=pulls)
    (folder / "m.py").write_text(text)
    document = Typed((folder / "m.py").as_uri(), text)
    client.notify("textDocument/didOpen", document.opened)
    return client, document


def diagnostics(client, document, *, pulls):
    if pulls:
        return client.request("textDocument/diagnostic", document.name)["items"]
    return client.diagnostics(document.uri)


def wait_for_verdicts(client, document):
    """Until every mechanism was tested."""
    titles = []

    def quiet():
        titles[:] = [one["command"]["title"] for one in client.request("textDocument/codeLens", document.name)]
        states = [title for title in titles if "claims" in title or "violated" in title]
        return bool(states) and all(
            any(word in title for word in ("violated", "nothing found", "tried too little")) for title in states
        )

    for _ in range(1000):
        if quiet():
            return
        refreshes = len(client.notifications("workspace/codeLens/refresh"))
        client.wait(
            lambda: len(client.notifications("workspace/codeLens/refresh")) > refreshes,  # noqa: B023 - called at once
            f"news of {titles}",
        )
    raise AssertionError(titles)


@pytest.mark.parametrize("pulls", [False, pytest.param(True, marks=pytest.mark.nightly)], ids=["push", "pull"])
def test_a_storm_loses_nothing(tmp_path, pulls):
    """Every version that is published is right; the last state is that of a server that has seen nothing else."""
    document, found = after_a_storm(tmp_path, pulls=pulls)
    assert outline(found) == said_of(document.text)
    # Static rules may have their say, too.
    # A right mechanism with the few runs of a quick pass is underpowered.
    assert {one["code"] for one in found if one["code"][2] in "09"} - {"DP909"} == {"DP001", "DP901"}


@pytest.mark.nightly
def test_a_storm_on_a_busy_machine_loses_no_verdict_and_makes_no_error(tmp_path):
    """Eight others want the processors, too: a violation may come late, and nothing fails instead."""
    with busy_machine(8):
        document, found = after_a_storm(tmp_path, pulls=False)
    assert {one["code"] for one in found if one["code"][2] in "09"} - {"DP909"} == {"DP001", "DP901"}
    violated = {one["data"]["function"] for one in found if one["code"] == "DP901"}
    assert violated == set(re.findall(r"^def ((?:wrong_histogram|bare_threshold)\w*)", document.text, re.MULTILINE))


def after_a_storm(tmp_path, *, pulls):
    """The document, and what is said of it once everything was tested; nothing was out of place on the way."""
    client, document = opened(tmp_path, twenty_mechanisms(), pulls=pulls)
    with client:
        client.wait(lambda: client.notifications("window/workDoneProgress/create"), "an audit")
        asked = storm(client, document, edits=300, seconds=3, seed=1, pulls=pulls)
        assert len(asked) >= 100
        for one in asked:
            client.answer(one)
        (tmp_path / "m.py").write_text(document.text)
        client.notify("textDocument/didSave", document.name)
        wait_for_verdicts(client, document)
        found = diagnostics(client, document, pulls=pulls)
        published = client.published(document.uri)
        if pulls:
            assert not published
        else:
            assert published[-1].params["version"] == document.version
            assert misplaced(document, published) == []
        assert wrong_places(document, document.version, found) == []

        assert client.leave() == 0
        assert all_gone(client.mark) == []
        client.check()
        assert "Traceback" not in client.errors()
    return document, found


@functools.cache
def said_of(text):
    """What a server says that was opened with this text."""
    with tempfile.TemporaryDirectory() as folder:
        client, document = opened(Path(folder), text, pulls=False)
        with client:
            client.wait(lambda: client.notifications("window/workDoneProgress/create"), "an audit")
            wait_for_verdicts(client, document)
            return outline(diagnostics(client, document, pulls=False))


def test_who_never_stops_typing_is_answered_all_the_same(tmp_path):
    """Texts that come faster than they can be read: an answer is about one of them, not older than the question."""
    text = twenty_mechanisms() + "".join(f"\n\ndef plain_{number}(x):\n    return x\n" for number in range(1500))
    client, document = opened(tmp_path, text, pulls=False)
    with client:
        client.wait(lambda: client.published(document.uri), "a first look")
        until = end_of(PATIENCE)
        lines, asked = document.text.count("\n"), None
        while time.monotonic() < until and (asked is None or asked.answered is None):
            client.notify("textDocument/didChange", document.replace(0, 0, "\n"))
            document.texts.clear()
            lines += 1
            if asked is None:
                asked, first = client.ask("textDocument/codeLens", document.name), lines
            time.sleep(0.001)
        assert asked.answered is not None
        moved = {one["range"]["start"]["line"] for one in client.answer(asked)}
        assert first - text.count("\n") <= min(moved) - text[: text.index("def wrong")].count("\n") <= lines
