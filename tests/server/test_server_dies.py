"""However the server ends, nothing is left of it; and when one of its processes dies, it goes on.

How long the end takes is measured by benchmarks/server.py.
"""

import os
import signal
import sys

import pytest

from tests.patience import patience
from tests.server.document_model import Typed
from tests.server.lsp_client import LspClient
from tests.server.processes import all_gone, processes, wait_for_kind
from tests.server.shutdowns import ENDS, SPINS, busy, kill_some, wait_for_a_test

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform != "linux", reason="processes are told by /proc")]
KINDS = {"server", "reader", "fork_server", "worker", "runner"}


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.__name__)
def test_nothing_is_left_of_a_server(tmp_path, end):
    with end(tmp_path) as (mark, bring_about):
        assert {one.kind for one in processes(mark)} >= KINDS
        bring_about()
        assert all_gone(mark) == []


def test_the_exit_code_tells_whether_the_editor_said_goodbye(tmp_path):
    with busy(tmp_path) as client:
        assert client.leave() == 0
    with busy(tmp_path) as client:
        client.notify("exit", None)
        assert client.process.wait(patience(60)) == 1


def test_the_editor_may_leave_while_much_is_under_way(tmp_path):
    """Requests that were not answered are cancelled, also those that the server itself has made."""
    for _ in range(5):
        with LspClient(tmp_path) as client:
            client.initialize()
            document = Typed((tmp_path / "m.py").as_uri(), SPINS)
            client.notify("textDocument/didOpen", document.opened)
            asked = [client.ask("textDocument/codeLens", document.name) for _ in range(20)]
            assert client.leave() == 0
            client.check()
            assert all(one.message.get("result") or one.message["error"]["code"] == -32800 for one in asked)


def codes(client):
    verdicts = [one for one in client.diagnostics(client.document.uri) if (one["code"] or "").startswith("DP9")]
    return {
        function: one["code"]
        for one in verdicts
        if not one["data"].get("stale")
        for function in one["data"].get("functions") or [one["data"]["function"]]
    }


def save_again(client):
    """Change the second mechanism, and save: its verdict is a new one."""
    at = client.document.text.index("scale=0.2")
    client.notify("textDocument/didChange", client.document.replace(at, at + 9, "scale=0.3"))
    client.notify("textDocument/didSave", client.document.name)
    version = client.document.version

    def judged():
        last = client.published(client.document.uri)[-1].params
        return last["version"] == version and codes(client).get("wrong_histogram") == "DP901"

    client.wait(judged, f"a new verdict in {codes(client)}")


@pytest.mark.parametrize("kind", ["worker", "runner"])
def test_what_an_audit_needs_may_die(tmp_path, kind):
    """The audit in hand has failed, and that is said; the others go on, also later ones."""
    with busy(tmp_path) as client:
        pid = kill_some(client, kind)
        client.wait(lambda: codes(client) == {"spins": "DP905", "wrong_histogram": "DP901"}, "both verdicts")
        (told,) = [one["message"] for one in client.diagnostics(client.document.uri) if one["code"] == "DP905"]
        assert "SIGKILL" in told
        save_again(client)
        assert pid not in [one.pid for one in processes(client.mark)]
        assert client.leave() == 0
        assert all_gone(client.mark) == []


def test_the_fork_server_may_die(tmp_path):
    """The audit in hand is begun once more, and nobody is told that it was interrupted."""
    with busy(tmp_path) as client:
        interrupted = wait_for_kind(client.mark, "runner")
        pid = kill_some(client, "fork_server")
        wait_for_kind(client.mark, "runner", apart_from=interrupted)
        assert "DP905" not in codes(client).values()
        wait_for_a_test(client)
        kill_some(client, "runner")  # so that the other mechanism has its turn
        client.wait(lambda: codes(client) == {"spins": "DP905", "wrong_histogram": "DP901"}, "both verdicts")
        assert pid not in [one.pid for one in processes(client.mark)]
        assert client.leave() == 0
        assert all_gone(client.mark) == []


def test_the_reader_may_die(tmp_path):
    with busy(tmp_path) as client:
        pid = kill_some(client, "reader")
        kill_some(client, "runner")  # so that the other mechanism has its turn
        save_again(client)
        assert wait_for_kind(client.mark, "reader", apart_from=pid)
        assert client.request("textDocument/codeLens", client.document.name)
        assert client.leave() == 0
        assert all_gone(client.mark) == []


def test_the_reader_may_die_while_it_reads(tmp_path):
    """The text is read again, and the editor sees nothing of it."""
    with busy(tmp_path) as client:
        pid = wait_for_kind(client.mark, "reader")
        os.kill(pid, signal.SIGSTOP)
        client.notify("textDocument/didChange", client.document.replace(0, 0, "\n"))
        lenses = client.ask("textDocument/codeLens", client.document.name)
        client.request(
            "textDocument/hover",
            {"textDocument": {"uri": "file:///nowhere.py"}, "position": {"line": 0, "character": 0}},
        )
        os.kill(pid, signal.SIGKILL)
        assert {one["range"]["start"]["line"] for one in client.answer(lenses)} == {5, 13}
        assert all(one["code"] for one in client.diagnostics(client.document.uri))
