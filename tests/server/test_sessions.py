"""Linux shares processors between sessions first: who answers the editor has one to itself, all audits have two."""

import os
import sys

import pytest

from tests.server.document_model import Typed
from tests.server.lsp_client import LspClient
from tests.server.processes import processes

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform != "linux", reason="it is how Linux does it")]
SLOW = """import time
from dplint import dp


@dp(epsilon=1)
def slow(rng, counts):
    time.sleep(0.01)
    return [count + rng.laplace(scale=1) for count in counts]
"""
ALL = {"server", "reader", "fork_server", "worker", "host", "runner"}


def test_who_answers_has_a_session_and_audits_share_theirs(tmp_path):
    (tmp_path / "m.py").write_text(SLOW)
    document = Typed((tmp_path / "m.py").as_uri(), SLOW)
    with LspClient(tmp_path, settings={"cache": False}) as client:
        client.initialize()
        client.notify("textDocument/didOpen", document.opened)
        found = {}

        def all_there():
            found.update((one.kind, one.pid) for one in processes(client.mark))
            # A process that has just been forked may not lead its group yet.
            return found.keys() >= ALL and all(os.getpgid(pid) == pid for pid in found.values())

        client.wait(all_there, "an audit")
        sessions = {kind: os.getsid(pid) for kind, pid in found.items()}
        groups = {os.getpgid(pid) for pid in found.values()}

    assert sessions["server"] == found["server"]
    assert sessions["reader"] == found["reader"]
    assert sessions["worker"] == sessions["fork_server"] == found["fork_server"]
    assert sessions["runner"] == sessions["host"] == found["host"]
    assert groups == set(found.values()), "each can be ended with what it has started"
