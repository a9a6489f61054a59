"""A server with every kind of process at work, and the ways in which it may come to its end."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from tests.patience import patience
from tests.server.document_model import Typed
from tests.server.lsp_client import LspClient
from tests.server.processes import fresh_mark, wait_for_kind

ROOT = Path(__file__).resolve().parents[2]
SPINS = """from dplint import dp


@dp(epsilon=0.7, neighbors="linf")
def spins(rng, queries):
    while True:
        answer = queries[0] + rng.laplace(scale=2.0)
        if answer > answer + 1:
            return answer


@dp(epsilon=0.7, neighbors="l1")
def wrong_histogram(rng, counts):
    return [count + rng.laplace(scale=0.2) for count in counts]
"""
"""The first mechanism is tested first, and for ever, so that there is a worker and a runner to be killed."""
SETTINGS = {"cache": False, "deepen": False, "jobs": 1, "deadline": 300, "timeLimit": 1000}
EDITOR = """
import sys, threading
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.server.shutdowns import busy
with busy(Path({folder!r}), mark={mark!r}):
    print("ready", flush=True)
    threading.Event().wait()
"""


@contextmanager
def busy(folder, **given):
    """An editor whose server tests something that hangs; all processes that there can be are there."""
    with LspClient(folder, settings=SETTINGS, **given) as client:
        client.initialize()
        (folder / "m.py").write_text(SPINS)
        client.document = Typed((folder / "m.py").as_uri(), SPINS)
        client.notify("textDocument/didOpen", client.document.opened)
        wait_for_kind(client.mark, "runner")
        # While the module is being imported, a runner that dies is a failure of both mechanisms.
        wait_for_a_test(client)
        yield client


def wait_for_a_test(client):
    """Until a test has gone on for a second: what is told of the one before may still stand for a moment."""
    end, seen = time.monotonic() + patience(60), 0
    while seen < 10:
        assert time.monotonic() < end, "no test has begun"
        lenses = client.request("textDocument/codeLens", client.document.name)
        seen = seen + 1 if any("testing" in one["command"]["title"] for one in lenses or []) else 0
        time.sleep(0.1)


@contextmanager
def _sent(folder, number):
    with busy(folder) as client:

        def end():
            client.process.send_signal(number)
            client.process.wait(patience(60))

        yield client.mark, end


@contextmanager
def killed(folder):
    """kill -9 of the server."""
    with _sent(folder, signal.SIGKILL) as found:
        yield found


@contextmanager
def terminated(folder):
    """kill of the server."""
    with _sent(folder, signal.SIGTERM) as found:
        yield found


@contextmanager
def input_closed(folder):
    """The server's input ends."""
    with busy(folder) as client:
        yield client.mark, client.close_input


@contextmanager
def exit_only(folder):
    """`exit` without `shutdown`."""
    with busy(folder) as client:
        yield client.mark, lambda: client.notify("exit", None)


@contextmanager
def left(folder):
    """`shutdown` and `exit`, as it should be."""
    with busy(folder) as client:
        yield client.mark, client.leave


@contextmanager
def editor_killed(folder):
    """kill -9 of the editor, with which the server's input ends as well."""
    mark = fresh_mark()
    code = EDITOR.format(root=str(ROOT), folder=str(folder), mark=mark)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as editor:
        try:
            assert editor.stdout.readline() == "ready\n"
            yield mark, editor.kill
        finally:
            editor.kill()


@contextmanager
def editor_gone(folder):
    """The editor's process is gone, but somebody still holds the server's input open."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"]) as editor:
        try:
            with busy(folder, process_id=editor.pid) as client:

                def end():
                    editor.kill()
                    editor.wait()

                yield client.mark, end
        finally:
            editor.kill()


ENDS = [killed, terminated, input_closed, exit_only, left, editor_killed, editor_gone]
"""Each: a context that gives the mark of the server's processes, and a function that brings the end about."""


def kill_some(client, kind):
    """kill -9 of the process of a kind; its number."""
    pid = wait_for_kind(client.mark, kind)
    os.kill(pid, signal.SIGKILL)
    return pid
