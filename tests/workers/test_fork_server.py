"""Workers that are forked from a fork server: the same results, and a death that reaches everything below."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from dplint.outcomes import Failed, FailureKind, NoViolation, Violation
from dplint.runner import system
from dplint.workers import fork_server as fork_server_module
from dplint.workers import fork_server_main
from dplint.workers.fork_server import CODE_BYTES, REQUEST, ForkServer, workers_at_once
from dplint.workers.messages import Tick
from dplint.workers.process import ForkServerGone, Worker, WorkerGone
from tests.workers.conftest import children_of, needs_fork, runners, wait_for
from tests.workers.jobs import FIXTURES, answered, broken, job_from, result_of

pytestmark = pytest.mark.process

SLEEPER = """
import os, time
from dplint import dp


@dp(epsilon=1.0, neighbors="linf")
def leaves_a_child_behind(rng, queries):
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
    time.sleep(600)
"""


ON_USE = """
import importlib, sys
from dplint.workers import fork_server_main as main
for module in main._ON_USE:
    main._load_on_use(module)
for module in main._FIRST:
    importlib.import_module(module.partition(":")[0])
import numpy as np
heavy = ["numpy.testing._private", "numpy.ma.core", "numpy.polynomial.polynomial", "scipy.optimize"]
print([name for name in heavy if name in sys.modules])
np.testing.assert_array_equal([1], [1])
print("numpy.testing._private" in sys.modules, np.testing is importlib.import_module("numpy.testing"))
from numpy.polynomial.polynomial import polyval
print(polyval(2, [1, 1]), np.ma.masked_array([1, 2], [0, 1]).sum(), np.ma is importlib.import_module("numpy.ma"))
"""


def test_what_few_audits_need_is_loaded_when_it_is_used():
    """It would keep all that are forked first waiting; and it is the real module once somebody asks."""
    found = subprocess.run([sys.executable, "-c", ON_USE], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines() == ["[]", "True True", "3.0 1 True"]


@needs_fork
@pytest.mark.parametrize("lasting", [True, False])
def test_what_few_audits_need_is_loaded_for_workers_to_come(nothing_left, lasting):
    """A check has all its workers at once, and they want the processors."""

    def loaded():
        return "scipy/optimize" in Path(f"/proc/{server.pid}/maps").read_text()

    with closing(ForkServer() if lasting else workers_at_once(None)) as server:
        worker = server.worker()
        result_of(worker, answered("quick"))
        worker.kill()

        assert wait_for(lambda: not children_of(server.pid))
        assert wait_for(loaded, 100 if lasting else 2) == lasting


@pytest.mark.parametrize(("name", "kind"), [("noisy_max_v1b", Violation), ("noisy_max_v1a", NoViolation)])
def test_a_seed_gives_the_same_in_a_forked_worker(fork_server, nothing_left, name, kind):
    """Also of what is learnt, and to the bit of what the next pass goes on from."""
    job = job_from(FIXTURES / "statdp" / "noisy_max.py", name, max_runs=1_000_000)
    found = []
    for worker in (Worker(), fork_server.worker()):
        found.append(result_of(worker, job))
        worker.kill()
    plain, forked = ((replace(d.result, effort=replace(d.result.effort, seconds=0.0)), d.state) for d in found)

    assert isinstance(forked[0], kind)
    assert forked == plain


def test_a_worker_takes_one_job_after_the_other(fork_server, nothing_left):
    worker = fork_server.worker()
    reasons = [result_of(worker, answered(reason)).result.reason for reason in ("first", "second")]
    worker.kill()

    assert reasons == ["first", "second"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("os_exit", FailureKind.CRASH),
        ("segfault", FailureKind.CRASH),
        ("forks", FailureKind.EFFECT),
        ("unbounded_memory", FailureKind.MEMORY),
        ("endless_loop", FailureKind.DEADLINE),
    ],
)
def test_what_user_code_does_is_an_outcome(fork_server, nothing_left, name, kind):
    worker = fork_server.worker()
    outcome = result_of(worker, broken(name, deadline=2.0 if name == "endless_loop" else 100.0)).result
    worker.kill()

    assert isinstance(outcome, Failed)
    assert outcome.kind is kind


@needs_fork
def test_a_worker_that_is_killed_tells_the_signal(fork_server, nothing_left):
    worker = fork_server.worker()
    worker.submit(broken("endless_loop"))
    assert isinstance(worker.receive(100), Tick)
    for pid in children_of(fork_server.pid):
        os.kill(pid, signal.SIGKILL)

    with pytest.raises(WorkerGone, match="SIGKILL"):
        worker.receive(100)


@pytest.mark.parametrize("fresh", [lambda fork_server: fork_server.worker(), lambda _: Worker()])
def test_a_worker_that_fails_tells_its_exit_code_and_its_errors(fork_server, nothing_left, fresh):
    worker = fresh(fork_server)
    worker.submit("no job")

    with pytest.raises(WorkerGone, match="exit code 1") as gone:
        worker.receive(100)
    assert "AssertionError" in gone.value.detail


@needs_fork
def test_nothing_is_left_of_workers_that_ended(fork_server, nothing_left):
    """Neither zombies nor descriptors in the fork server, nor scratch folders of their runners."""
    first = fork_server.worker()
    result_of(first, answered("quick"))
    before = len(descriptors(fork_server.pid))
    first.kill()
    scratch = []
    for _ in range(3):
        worker = fork_server.worker()
        worker.submit(broken("endless_loop"))
        assert isinstance(worker.receive(100), Tick)
        scratch += [folder for pid in children_of(fork_server.pid) for folder in scratch_of(pid)]
        worker.kill()

    assert len(scratch) >= 3
    assert wait_for(lambda: not children_of(fork_server.pid))
    assert wait_for(lambda: len(descriptors(fork_server.pid)) < before)
    assert wait_for(lambda: not any(folder.exists() for folder in scratch))


def descriptors(pid):
    """What the descriptors of a process stand for; one that is closed meanwhile stands for nothing."""
    found = []
    for fd in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            found.append(str(fd.readlink()))
    return found


def states_of(pid):
    """What each thread of a process is doing, as one letter."""
    return [(task / "stat").read_text().rpartition(") ")[2][0] for task in Path(f"/proc/{pid}/task").iterdir()]


def scratch_of(pid):
    return list(Path(tempfile.gettempdir()).glob(f"dplint-run-{pid}-*"))


@needs_fork
def test_workers_hold_nothing_of_each_other(fork_server, nothing_left):
    """A socket that another one holds too would hide the death of its owner."""
    workers = [fork_server.worker() for _ in range(3)]
    for worker in workers:
        result_of(worker, answered("quick"))
    pids = children_of(fork_server.pid)
    sockets = [{name for name in descriptors(pid) if name.startswith("socket:")} for pid in pids]
    for worker in workers:
        worker.kill()

    assert len(pids) == 3
    assert [len(held) for held in sockets] == [1, 1, 1]
    assert len(set.union(*sockets)) == 3


@needs_fork
def test_everything_steps_back(fork_server, nothing_left):
    worker = fork_server.worker()
    worker.submit(broken("endless_loop"))
    assert isinstance(worker.receive(100), Tick)
    pids = [fork_server.pid, *children_of(fork_server.pid), *runners()]
    niceness = [os.getpriority(os.PRIO_PROCESS, pid) for pid in pids]
    worker.kill()

    assert len(pids) == 3
    assert min(niceness) >= os.getpriority(os.PRIO_PROCESS, 0) + 10 or min(niceness) == 19


@needs_fork
def test_a_stopped_worker_can_be_killed(fork_server, nothing_left):
    worker = fork_server.worker()
    worker.submit(broken("endless_loop"))
    assert isinstance(worker.receive(100), Tick)
    (pid,) = children_of(fork_server.pid)
    os.kill(pid, signal.SIGSTOP)
    assert wait_for(lambda: set(states_of(pid)) == {"T"})
    worker.kill()


@needs_fork
def test_what_user_code_has_left_behind_goes_too(fork_server, nothing_left, tmp_path):
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    worker = fork_server.worker()
    worker.submit(job_from(tmp_path / "sleeper.py", allow=frozenset({"process"})))

    assert wait_for(lambda: len(runners()) >= 2)
    worker.kill()


@needs_fork
@pytest.mark.parametrize("busy", [False, True])
def test_a_fork_server_that_dies_takes_its_workers_along_and_has_a_successor(nothing_left, busy):
    with closing(ForkServer()) as fork_server:
        worker, idle = fork_server.worker(), fork_server.worker()
        result_of(worker, answered("quick"))
        if busy:
            worker.submit(broken("endless_loop"))
            assert isinstance(worker.receive(100), Tick)
        first = fork_server.pid
        os.kill(first, signal.SIGKILL)
        for one in (worker, idle):
            with pytest.raises(WorkerGone):
                one.receive(100)
        outcome = result_of(fork_server.worker(), answered("still here")).result

        assert outcome.reason == "still here"
        assert fork_server.pid != first


@needs_fork
def test_a_fork_server_whose_end_a_worker_has_seen_is_not_asked_again(nothing_left):
    """It need not have ended in the eyes of who waits for it: here it is only stopped."""
    with closing(ForkServer()) as fork_server:
        worker = fork_server.worker()
        result_of(worker, answered("quick"))
        first = fork_server.pid
        os.kill(first, signal.SIGSTOP)
        worker._fate.shutdown(socket.SHUT_RD)
        worker.kill()
        with pytest.raises(ForkServerGone):
            worker.receive(100)

        assert result_of(fork_server.worker(), answered("still here")).result.reason == "still here"
        assert fork_server.pid != first


@pytest.fixture
def asked():
    """All that a fork server in this process answers to a request for a worker, over talk, fate and errors."""

    def ask(*, dropped):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        talk, their_talk = socket.socketpair()
        fate, their_fate = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours, theirs, talk, fate, tempfile.TemporaryFile() as errors:
            made = fork_server_main._ForkServer(theirs)
            try:
                with their_talk, their_fate:
                    socket.send_fds(
                        ours, [REQUEST.pack(512)], [their_talk.fileno(), their_fate.fileno(), errors.fileno()]
                    )
                if dropped:
                    fate.shutdown(socket.SHUT_WR)
                assert made._take_request()
            finally:
                made._bell.leave()
            errors.seek(0)
            return talk.recv(1), fate.recv(CODE_BYTES), errors.read()

    return ask


@needs_fork
def test_a_fork_that_fails_is_the_end_of_one_worker_only(monkeypatch, asked):
    """It has an exit code: nobody may think that the fork server is dead."""
    monkeypatch.setattr(os, "fork", Mock(side_effect=BlockingIOError("no more processes")))
    talk, fate, errors = asked(dropped=False)

    assert (talk, fate) == (b"", b"1")
    assert b"no more processes" in errors


@needs_fork
def test_a_worker_that_is_dropped_before_it_is_forked_was_killed(monkeypatch, asked):
    monkeypatch.setattr(os, "fork", Mock(side_effect=AssertionError("nobody wants it")))

    assert asked(dropped=True) == (b"", b"-9", b"")


def test_closing_ends_workers_at_work_and_idle_ones(nothing_left):
    fork_server = ForkServer()
    idle, busy = fork_server.worker(), fork_server.worker()
    busy.submit(broken("endless_loop"))
    assert isinstance(busy.receive(100), Tick)
    fork_server.close()

    for worker in (idle, busy):
        with pytest.raises(WorkerGone):
            worker.receive(100)
    with pytest.raises(WorkerGone, match="closed"):
        fork_server.worker()


@needs_fork
def test_a_fork_server_that_cannot_start_says_why(nothing_left, monkeypatch):
    monkeypatch.setattr(fork_server_module, "_START", "import no_such_module")
    with closing(ForkServer()) as fork_server:
        worker = fork_server.worker()
        with pytest.raises(WorkerGone, match="fork server") as gone:
            worker.receive(100)

    assert "no_such_module" in gone.value.detail


@needs_fork
def test_a_fork_server_inherits_nothing_of_the_front_end(nothing_left):
    """Not even what is inheritable, such as the streams of a protocol that an editor has handed to it."""
    ours, theirs = socket.socketpair()
    os.set_inheritable(theirs.fileno(), True)
    name = str(Path(f"/proc/self/fd/{theirs.fileno()}").readlink())
    with closing(ForkServer()) as fork_server, ours, theirs:
        worker = fork_server.worker()
        result_of(worker, answered("quick"))
        held = [descriptors(pid) for pid in (fork_server.pid, *children_of(fork_server.pid))]
        worker.kill()

    assert len(held) == 2
    assert name not in {*held[0], *held[1]}


def test_without_fork_workers_are_processes_of_their_own(nothing_left, monkeypatch):
    monkeypatch.setattr(system, "LINUX", False)
    fork_server = ForkServer()
    worker, busy = fork_server.worker(), fork_server.worker()
    reason = result_of(worker, answered("as ever")).result.reason
    busy.submit(broken("endless_loop"))
    assert isinstance(busy.receive(100), Tick)
    fork_server.close()

    assert fork_server.pid is None
    assert reason == "as ever"
