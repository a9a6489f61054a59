"""Code that misbehaves, in audits of one server at the same time: each gets its verdict, and nobody else is disturbed.

The client is strict: a byte of theirs on the stream would be an error. The fixtures are described in fixtures/broken.
"""

import sys
from pathlib import Path

import pytest

from tests.server.document_model import Typed
from tests.server.lsp_client import LspClient
from tests.server.processes import all_gone, wait_for_kind

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform != "linux", reason="processes are told by /proc")]
BROKEN = Path(__file__).resolve().parents[2] / "fixtures" / "broken"
SETTINGS = {"cache": False, "deepen": False, "jobs": 2, "deadline": 6, "runs": 40_000, "memoryMib": 300}
MESSAGE = 'b"Content-Length: 7\\r\\n\\r\\nhostile"'
HEAD = "import os, signal, subprocess, sys, threading, time\nfrom dplint import dp\n"
RELEASE = '@dp(epsilon=0.7, neighbors="linf", size=5)\ndef {name}(rng, queries):\n'
RETURN = "    return queries[0] + rng.laplace(scale=1 / 0.7)\n"
NEIGHBOUR = """from dplint import dp


@dp(epsilon=0.7, neighbors="l1")
def neighbour(rng, counts):
    return [count + rng.laplace(scale=0.2) for count in counts]
"""

ON_IMPORT = {
    "writes_a_header": (f"os.write(1, {MESSAGE})\nos.write(2, {MESSAGE})", None),
    "prints_for_ever": (
        "def chatter():\n    while True:\n        print('x' * 10_000)\n\n"
        "threading.Thread(target=chatter, daemon=True).start()",
        None,
    ),
    "hangs_on_import": ("while True:\n    pass", None),
    "exits_on_import": ("sys.exit(0)", None),
    "leaves_on_import": ("os._exit(0)", "exit code 0"),
    "interrupts": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "traces": ("sys.settrace(lambda *_: 1 / 0)", None),
}
IN_A_RUN = {
    "needs_much": ("    bytearray(10 << 30)\n", "more memory than the limit"),
    "kills_its_group": ("    os.killpg(0, signal.SIGKILL)\n", 'allow = ["process"]'),
    "kills_its_parent": ("    os.kill(os.getppid(), signal.SIGKILL)\n", 'allow = ["process"]'),
}
FIXTURES = {
    "prints": None,
    "closes_stdout": None,
    "os_exit": "exit code 3",
    "segfault": "SIGSEGV",
    "endless_loop": "a run did not end within 6 s",
    "unbounded_memory": "more memory than the limit",
    "import_fails": "statistics_of_a_package_that_nobody_has",
    "sys_exit": "sys.exit",
    "forks": 'allow = ["process"]',
}
"""By name: what is done, and what the verdict says of it; None if it is none of dplint's business."""


def texts():
    """Of all of them, with what the verdict says."""
    for name, (code, words) in ON_IMPORT.items():
        yield name, f"{HEAD}{code}\n\n\n{RELEASE.format(name=name)}{RETURN}", words
    for name, (code, words) in IN_A_RUN.items():
        yield name, f"{HEAD}\n\n{RELEASE.format(name=name)}{code}{RETURN}", words
    for name, words in FIXTURES.items():
        yield name, (BROKEN / f"{name}.py").read_text(), words


class Hostile:
    """An editor with many documents."""

    def __init__(self, client):
        self.client = client
        self.documents = {}

    def open(self, name, text):
        path = self.client.folder / f"{name}.py"
        path.write_text(text)
        self.documents[name] = Typed(path.as_uri(), text)
        self.client.notify("textDocument/didOpen", self.documents[name].opened)

    def state(self, name):
        """The title of the first lens, None if there is none."""
        lenses = self.client.request("textDocument/codeLens", self.documents[name].name)
        return lenses[0]["command"]["title"] if lenses else None

    def judged(self, name, *words):
        """Wait until one of the words is in its state."""
        for _ in range(10_000):
            heard = len(self.client.heard)
            state = self.state(name)
            if state is not None and any(word in state for word in words):
                return state
            # A state changes and is told, if only by a request to ask for lenses again.
            self.client.wait(lambda: len(self.client.heard) > heard, f"news of {name}: {state}")  # noqa: B023
        raise AssertionError(state)

    def failure(self, name):
        (found,) = [one for one in self.client.diagnostics(self.documents[name].uri) if one["code"] == "DP905"]
        return found["message"]

    def leave(self):
        assert self.client.leave() == 0
        assert all_gone(self.client.mark) == []
        self.client.check()
        assert "Traceback" not in (errors := self.client.errors()), errors


def test_everybody_gets_a_verdict_whatever_the_others_do(tmp_path):
    with LspClient(tmp_path, settings=SETTINGS) as client:
        client.initialize()
        hostile = Hostile(client)
        expected = {}
        for name, text, words in texts():
            hostile.open(name, text)
            expected[name] = words
        for name, words in expected.items():
            hostile.judged(
                name, *(("nothing found", "tried too little") if words is None else ("the test failed", "not tested"))
            )
            if words is not None:
                assert words in hostile.failure(name)
        hostile.open("neighbour", NEIGHBOUR)
        assert "violated" in hostile.judged("neighbour", "violated")
        hostile.leave()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("    os.kill(os.getppid(), signal.SIGKILL)\n", "SIGKILL"),
        ("    os.killpg(0, signal.SIGKILL)\n", "SIGKILL"),
        ("    subprocess.Popen(['sleep', '1000'], start_new_session=True)\n    os._exit(4)\n", "exit code 4"),
        (
            "    while True:\n        subprocess.Popen(['sleep', '1000'])\n        time.sleep(0.01)\n",
            "a run did not end within 6 s",
        ),
    ],
    ids=["kills its parent", "kills its group", "leaves a child", "forks for ever"],
)
def test_what_may_have_processes_does_no_harm(tmp_path, code, words):
    with LspClient(tmp_path, settings={**SETTINGS, "allow": ["process"]}) as client:
        client.initialize()
        hostile = Hostile(client)
        hostile.open("hostile", f"{HEAD}\n\n{RELEASE.format(name='hostile')}{code}{RETURN}")
        hostile.open("neighbour", NEIGHBOUR)
        hostile.judged("hostile", "the test failed")
        assert words in hostile.failure("hostile")
        hostile.judged("neighbour", "violated")
        assert wait_for_kind(client.mark, "server") == client.process.pid
        hostile.leave()
