"""`dplint check` as a user runs it: a process of its own, its report read back from JSON."""

import json
import os
import subprocess
import sys
import time
import uuid
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.patience import end_of, patience

ROOT = Path(__file__).resolve().parents[2]
MARK = f"DPLINT_TEST_SESSION={uuid.uuid4()}"
"""In the environment of every process that these tests start, directly or not."""
os.environ.update([MARK.split("=")])


def run_check(*arguments, cwd=ROOT, cache=False):
    """The exit code and the JSON document of `dplint check`, without a cache unless it is asked for."""
    options = ["--format", "json", *([] if cache else ["--no-cache"])]
    done = subprocess.run(
        [sys.executable, "-m", "dplint", "check", *options, *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=patience(900),
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout, done.stderr
    document = json.loads(done.stdout)
    by_name = {result["function"]: result for result in document["results"]}
    return SimpleNamespace(code=done.returncode, document=document, results=by_name, stderr=done.stderr)


def processes_of_dplint():
    """Number and command line of this test session's workers and runners; empty where there is no /proc.

    Runners that tests have started in this very process, and may still share, are none of them.
    """
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            ours = MARK.encode() in (folder / "environ").read_bytes()
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        shared = "_dplint.runner" in line and parent == os.getpid()
        if ours and not shared and ("from dplint.workers." in line or "_dplint.runner" in line):
            found.append((int(folder.name), line))
    return found


def all_gone(seconds=30.0, apart_from=()):
    """What is left of workers and runners after at most that time, apart from those that were there before."""
    until = end_of(seconds)
    while (left := [one for one in processes_of_dplint() if one not in apart_from]) and time.monotonic() < until:
        time.sleep(0.05)
    return left


@pytest.fixture
def nothing_left():
    """Fails if the test leaves a worker or a runner behind that does not go by itself."""
    before = processes_of_dplint()
    yield
    assert all_gone(apart_from=before) == []
