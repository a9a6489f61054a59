"""No process outlives what it was started for, however the check ends."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from dplint.check import check_paths
from dplint.config import load_settings
from dplint.outcomes import Failed, Progress, Result
from tests.end_to_end.conftest import ROOT, processes_of_dplint
from tests.patience import end_of, patience

pytestmark = pytest.mark.process

ENDLESS = ROOT / "fixtures" / "broken" / "endless_loop.py"
NEIGHBOUR = ROOT / "fixtures" / "broken" / "neighbour.py"

needs_proc = pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="processes are listed from /proc")


def wait_for(condition, seconds):
    until = end_of(seconds)
    while not condition() and time.monotonic() < until:
        time.sleep(0.05)
    return condition()


@needs_proc
def test_closing_the_stream_ends_workers_and_runners(nothing_left):
    settings = load_settings(ROOT, {"deadline": 60.0, "jobs": 1, "cache": False})

    with closing(check_paths([ENDLESS], settings)) as events:
        for event in events:
            if isinstance(event, Progress) and wait_for(lambda: len(processes_of_dplint()) >= 2, 60):
                break


@needs_proc
@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_process_survives_the_command(nothing_left, signal_number):
    """Killed in the middle of an audit that would take a minute."""
    command = subprocess.Popen(
        [sys.executable, "-m", "dplint", "check", str(ENDLESS), "--deadline", "60", "--no-cache"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    assert wait_for(lambda: len(processes_of_dplint()) >= 2, 60)
    command.send_signal(signal_number)

    assert command.wait(timeout=patience(100)) != 0


def parent_of(pid):
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:  # it has ended meanwhile
        return None


def workers():
    found = {pid for pid, line in processes_of_dplint() if "dplint.workers.fork_server_main" in line}
    return [pid for pid in found if parent_of(pid) in found]


@needs_proc
def test_a_worker_that_is_killed_is_a_failure_of_its_mechanism_only(nothing_left):
    """The worker of the endless loop is killed; its neighbour, next in line, still gets its verdict."""
    settings = load_settings(ROOT, {"deadline": 60.0, "jobs": 1, "profile": "editor", "seed": 1, "cache": False})
    results, killed = {}, []

    with closing(check_paths([ENDLESS, NEIGHBOUR], settings)) as events:
        for event in events:
            if isinstance(event, Progress) and event.mechanism.path == str(ENDLESS) and not killed:
                # What it tells first may be of its reading, before there is a worker; and more of it may be on the way.
                killed += wait_for(workers, 60)
                assert killed
                for pid in killed:
                    os.kill(pid, signal.SIGKILL)
            if isinstance(event, Result):
                results[Path(event.mechanism.path).name] = event.outcome

    assert isinstance(results["endless_loop.py"], Failed)
    assert "SIGKILL" in results["endless_loop.py"].reason
    assert not isinstance(results["neighbour.py"], Failed)
