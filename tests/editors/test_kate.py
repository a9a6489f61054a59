"""Kate, with the block of docs/editors.md as its configuration; what the two say to each other is recorded."""

import json
import re

import pytest

from tests.editors.editor_tools import HERE, block, has

NEEDED = ("kate", "xvfb-run", "dbus-run-session")
RECORDER = """#!/bin/sh
tee "{folder}/from-kate" | "{dplint}" "$@" | tee "{folder}/to-kate"
"""

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not all(map(has, NEEDED)), reason=f"one of {', '.join(NEEDED)} is not on the path"),
]


def messages(file):
    """What was sent, in its order; a last one that was cut short is left out."""
    found = []
    for text in re.split(r"Content-Length: \d+\r\n(?:[\w-]+: [^\r]*\r\n)*\r\n", file.read_bytes().decode())[1:]:
        try:
            found.append(json.loads(text))
        except ValueError:
            break
    return found


@pytest.fixture(scope="module")
def traffic(project, tmp_path_factory):
    folder = tmp_path_factory.mktemp("kate")
    recorder = folder / "dplint"
    recorder.write_text(RECORDER.format(folder=folder, dplint=project.programs / "dplint"))
    recorder.chmod(0o755)
    settings = project.home / ".config" / "kate"
    (settings / "lspclient").mkdir(parents=True)
    (settings / "lspclient" / "settings.json").write_text(block("Kate"))
    # Kate asks before it starts a server for the first time; this is what it writes down of the answer.
    allowed = f"[lspclient]\nAllowedServerCommandLines={recorder} server\n"
    (settings.parent / "katerc").write_text(f"[Kate Plugins]\nlspclientplugin=true\n\n{allowed}")
    runtime = tmp_path_factory.mktemp("runtime")
    runtime.chmod(0o700)
    path = f"{folder}:{project.programs}:/usr/bin:/bin"
    given = {"TRAFFIC": str(folder), "FILE": str(project.file), "XDG_RUNTIME_DIR": str(runtime), "PATH": path}
    done = project.run("xvfb-run", "-a", "dbus-run-session", "--", "sh", HERE / "kate.sh", **given)
    assert (folder / "to-kate").exists(), done.stdout
    return messages(folder / "from-kate"), messages(folder / "to-kate")


def test_kate_hears_of_the_misspelling_and_of_the_violation(traffic, project):
    asked, told = traffic
    (opened,) = [one["params"]["textDocument"] for one in asked if one.get("method") == "textDocument/didOpen"]
    assert opened["text"] == project.file.read_text()
    shown = [one["params"]["diagnostics"] for one in told if one.get("method") == "textDocument/publishDiagnostics"]
    codes = [{one["code"]: one["data"].get("function") for one in diagnostics} for diagnostics in shown]
    (*_, last) = [one for one in codes if "DP901" in one]
    assert last["DP901"] == "wrong_histogram"
    assert "DP007" in last


def test_no_request_of_kate_fails(traffic):
    asked, told = traffic
    requests = {one["id"] for one in asked if "id" in one and "method" in one}
    assert len(requests) > 1
    assert [one for one in told if "error" in one] == []
    assert {one["id"] for one in told if "result" in one} >= requests - {max(requests)}
