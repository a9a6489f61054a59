"""What was heard of jobs, and the watch over processes that are left behind."""

import os
import signal
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from dplint.workers import pool
from dplint.workers.fork_server import ForkServer, WorkersOfItsOwn
from dplint.workers.messages import Done
from tests.end_to_end.conftest import nothing_left, processes_of_dplint
from tests.patience import end_of
from tests.workers.jobs import answered, result_of

__all__ = ["nothing_left"]

needs_fork = pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux alone")


def wait_for(condition, seconds=60):
    """What the condition gives as soon as it is true, or after that time."""
    until = end_of(seconds)
    while not (found := condition()) and time.monotonic() < until:
        time.sleep(0.005)
    return found


def runners():
    """The numbers of this test session's runners."""
    return [pid for pid, line in processes_of_dplint() if "_dplint.runner" in line]


def children_of(pid):
    """The children of a process, zombies as well."""
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


class Heard:
    """A listener that remembers."""

    def __init__(self):
        self._changed = threading.Condition()
        self.messages = []

    def __call__(self, key, message):
        with self._changed:
            self.messages.append((key, message))
            self._changed.notify_all()

    def wait(self, condition):
        """Wait until the condition holds of the messages."""
        with self._changed:
            assert self._changed.wait_for(lambda: condition(self.messages), 100), self.messages

    def result(self, key):
        """The result of the job with this key, when it is there."""
        self.wait(lambda messages: key in self.done)
        return self.results(key)[-1]

    def results(self, key):
        """All results under this key so far."""
        return [body.result for k, body in self.messages if k == key and isinstance(body, Done)]

    @property
    def done(self):
        """The keys of the jobs that are done, in the order in which they were."""
        return [key for key, body in self.messages if isinstance(body, Done)]


@pytest.fixture
def own_processes(monkeypatch):
    """The workers of a pool are no children of a fork server, so that their numbers are known."""
    monkeypatch.setattr(pool, "workers_at_once", WorkersOfItsOwn)


@pytest.fixture
def standing_still(monkeypatch, own_processes):
    """Inside of this, workers that got a job stand still, but for the one that draws: so they wait for it."""
    busy, carry_through = set(), pool.carry_through

    def carried(worker, *given):
        busy.add(worker._process.pid)
        return carry_through(worker, *given)

    @contextmanager
    def still(drawing):
        waiting = busy - {drawing._process.pid}
        send(waiting, signal.SIGSTOP)
        try:
            yield
        finally:
            send(waiting, signal.SIGCONT)

    def send(pids, number):
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    monkeypatch.setattr(pool, "carry_through", carried)
    return still


@pytest.fixture(scope="module")
def fork_server():
    """A fork server that all tests of a module share."""
    made = ForkServer()
    # Before that, it may not be listed yet among the processes that were there before a test.
    worker = made.worker()
    result_of(worker, answered("ready"))
    worker.kill()
    yield made
    made.close()
