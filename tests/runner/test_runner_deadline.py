"""A deadline is for a run that does not end: not for many of them, and not for a machine that is busy."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import pytest

from dplint.outcomes import FailureKind
from dplint.runner import deadline as module
from dplint.runner.client import DataValue, Runner, RunnerError, SampleRequest
from dplint.runner.deadline import Deadline
from dplint.runner.heartbeat import Heartbeat, HeartbeatReader
from dplint.runner.time_had import Turns


@pytest.fixture
def heartbeats(tmp_path):
    folder = os.open(tmp_path, os.O_RDONLY)
    reader = HeartbeatReader(folder, "heartbeat")
    os.close(folder)
    return Heartbeat(str(tmp_path / "heartbeat"), lambda: None), reader


@pytest.fixture
def clock(monkeypatch):
    """The wall's clock, and how long the process has waited for a processor."""
    now = {"now": 100.0, "waited": 7.0}
    monkeypatch.setattr(module.time, "monotonic", lambda: now["now"])
    monkeypatch.setattr(module, "turns", lambda _: Turns(0.0, now["waited"]))
    return now


def test_a_sign_of_life_begins_the_deadline_anew(heartbeats, clock):
    runner, reader = heartbeats
    deadline = Deadline(1, 10.0, reader)
    clock["now"] += 9
    assert deadline.left() == pytest.approx(1)

    runner.part(1)
    runner.ended(1)
    assert deadline.left() == pytest.approx(10)


def test_waiting_for_a_processor_does_not_count_up_to_five_times_the_deadline(heartbeats, clock):
    deadline = Deadline(1, 10.0, heartbeats[1])
    clock["now"] += 12
    clock["waited"] += 5
    assert deadline.left() == pytest.approx(3)
    assert not deadline.machine_was_busy

    clock["now"] += 1000
    clock["waited"] += 1000
    assert deadline.left() < 0
    assert deadline.machine_was_busy


def test_a_process_that_is_stopped_has_time_when_it_goes_on(heartbeats, clock, monkeypatch):
    deadline = Deadline(1, 10.0, heartbeats[1])
    clock["now"] += 1
    assert deadline.left() == pytest.approx(9)
    monkeypatch.setattr(module, "_stands_still", lambda _: True)
    for _ in range(40):
        clock["now"] += 1
        assert deadline.left() == pytest.approx(9)
    assert not deadline.machine_was_busy

    monkeypatch.setattr(module, "_stands_still", lambda _: False)
    clock["now"] += 4
    assert deadline.left() == pytest.approx(5)


@pytest.mark.process
def test_a_runner_that_was_stopped_is_no_run_that_does_not_end(write):
    with Runner(sys.executable, deadline=1.5, memory_mib=512) as runner:
        runner.load(write("import time\ndef m(rng, queries): return time.sleep(0.05)"))
        threading.Timer(0.3, os.kill, (runner.pid, signal.SIGSTOP)).start()
        threading.Timer(2.8, os.kill, (runner.pid, signal.SIGCONT)).start()
        (batch,) = runner.sample(SampleRequest((DataValue([0]),), runs=20))

    assert batch.runs == 20


def test_the_reader_knows_which_data_value_is_run(heartbeats):
    runner, reader = heartbeats
    assert reader.read() == (0, None)
    runner.at(4)
    assert reader.read() == (0, 4)
    runner.at(None)
    assert reader.read() == (0, None)


def test_parts_grow_with_what_runs_take(heartbeats):
    runner, _ = heartbeats
    assert runner.part(1000) == 1
    runner.ended(1)
    sizes = []
    for _ in range(6):
        sizes.append(runner.part(10**9))
        runner.ended(sizes[-1])

    assert sizes == sorted(sizes)
    assert sizes[0] == 8


@pytest.mark.process
def test_many_slow_runs_are_no_run_that_does_not_end(write, hasty_runner):
    """Ten runs of 0.4 s with a deadline of 1.5 s; each raises, and that is what is told."""
    hasty_runner.load(write("import time\ndef m(queries):\n    time.sleep(0.4)\n    raise ValueError('too large')"))
    (batch,) = hasty_runner.sample(SampleRequest((DataValue([1.0]),), runs=10))

    assert batch.outputs() == [("ValueError", "too large")] * 10


@pytest.mark.process
def test_a_run_that_does_not_end_names_its_input(write, hasty_runner):
    hasty_runner.load(write("def m(queries, T):\n    while queries[0] > 1: pass\n    return 1"))
    with pytest.raises(RunnerError) as caught:
        hasty_runner.sample(SampleRequest((DataValue([1]), DataValue([2, 0])), arguments={"T": 3}, runs=200))

    assert caught.value.kind == FailureKind.DEADLINE
    assert "a run did not end within 1.5 s: data = [2, 0], T = 3" in caught.value.reason


@pytest.mark.process
def test_whoever_waits_may_lose_patience(write, hasty_runner):
    class EnoughError(Exception):
        pass

    def waiting(quiet):
        if time.monotonic() > until:
            raise EnoughError

    hasty_runner.load(write("import time\ndef m(queries): time.sleep(0.1)"))
    hasty_runner._process.waiting, until = waiting, time.monotonic() + 0.5
    with pytest.raises(EnoughError):
        hasty_runner.sample(SampleRequest((DataValue([1]),), runs=1000))
    with pytest.raises(RunnerError):
        hasty_runner.sample(SampleRequest((DataValue([1]),)))
