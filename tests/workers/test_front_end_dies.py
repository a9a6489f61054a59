"""kill -9 of the front end, at any moment: no worker and no runner is left. And what user code prints stays inside."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.end_to_end.conftest import ROOT, processes_of_dplint
from tests.patience import patience
from tests.workers.conftest import needs_fork, runners, wait_for

pytestmark = pytest.mark.process

IN_C = """
import itertools
from dplint import dp


@dp(epsilon=1.0, neighbors="linf")
def counts_for_ever(rng, queries):
    return any(itertools.repeat(False))
"""
FRONT_END = """
import sys, threading
from pathlib import Path
sys.path.insert(0, {root!r})
from dplint.workers.background import Background
from dplint.workers.messages import Done
from dplint.workers.fork_server import ForkServer
from tests.workers.jobs import answered, job_from, result_of

done = threading.Event()

def listener(key, message):
    if isinstance(message, Done):
        done.set()

def say(text):
    print(text, flush=True)

def wait():
    threading.Event().wait()

{what}
"""
LOADING = "fork_server = ForkServer(); say('ready'); wait()"
IDLE = """
fork_server = ForkServer()
workers = [fork_server.worker() for _ in range(3)]
result_of(workers[2], answered('quick'))
say('ready')
wait()
"""
HANGS = "background = Background(2, listener); background.put(1, job_from(Path({path!r}))); say('ready'); wait()"
PRINTS = """
background = Background(1, listener)
background.put(1, job_from(Path({path!r}), max_runs=20_000))
done.wait()
background.close()
say('ready')
"""

_A_WHILE = 0.05
"""Seconds of processor time: what a runner does first takes a hundredth of that."""


@contextmanager
def front_end(what, **given):
    """A process that makes a fork server, says that it is ready, and waits; killed in the end."""
    code = FRONT_END.format(root=str(ROOT), what=what.format(**given))
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def is_made(process):
    return process.stdout.readline() == "ready\n"


@pytest.mark.parametrize("what", [LOADING, IDLE])
def test_idle_processes_go_with_the_front_end(nothing_left, what):
    with front_end(what) as process:
        assert is_made(process)
        assert wait_for(lambda: [line for _, line in processes_of_dplint() if "fork_server_main" in line])


@pytest.mark.parametrize("language", ["Python", "C"])
def test_code_that_hangs_goes_with_the_front_end(nothing_left, tmp_path, language):
    path = ROOT / "fixtures" / "broken" / "endless_loop.py"
    if language == "C":
        path = tmp_path / "in_c.py"
        path.write_text(IN_C)
    with front_end(HANGS, path=str(path)) as process:
        assert is_made(process)
        assert wait_for(runners)


def both_compute():
    """Whether there are two runners, and each has had the processor for a while (`utime` in proc(5))."""
    stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in runners()]
    return len(stats) > 1 and min(int(stat[11]) for stat in stats) / os.sysconf("SC_CLK_TCK") > _A_WHILE


@needs_fork
def test_workers_go_with_a_front_end_that_is_killed_while_all_are_stopped(nothing_left, tmp_path):
    """Only the kernel can end a process that is stopped: what has just begun must have asked it to."""
    path = ROOT / "fixtures" / "broken" / "endless_loop.py"
    with front_end(HANGS, path=str(path)) as process:
        assert is_made(process)
        assert wait_for(both_compute), "one that has imported the module, and one that it has forked"
        for pid in runners():
            os.kill(pid, signal.SIGSTOP)


def test_nothing_that_is_printed_reaches_the_front_ends_output(nothing_left):
    with front_end(PRINTS, path=str(ROOT / "fixtures" / "broken" / "prints.py")) as process:
        printed, _ = process.communicate(timeout=patience(200))

    assert printed == "ready\n"
    assert process.returncode == 0
