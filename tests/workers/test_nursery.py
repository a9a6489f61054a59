"""Workers that are forked from a nursery: the same results, and a death that reaches everything below."""

import os
import signal
import socket
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from dplint.outcomes import Failed, FailureKind, NoViolation, Violation
from dplint.workers import nursery as nursery_module
from dplint.workers import nursery_main
from dplint.workers.messages import Tick
from dplint.workers.nursery import CODE_BYTES, REQUEST, Nursery
from dplint.workers.process import NurseryGone, Worker, WorkerGone
from tests.workers.conftest import children_of, needs_fork, runners, wait_for
from tests.workers.jobs import FIXTURES, answered, broken, job_from, result_of

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


@pytest.mark.parametrize(("name", "kind"), [("noisy_max_v1b", Violation), ("noisy_max_v1a", NoViolation)])
def test_a_seed_gives_the_same_in_a_forked_worker(nursery, nothing_left, name, kind):
    """Also of what is learnt with the help of scikit-learn, and to the bit of what the next pass goes on from."""
    job = job_from(FIXTURES / "statdp" / "noisy_max.py", name, max_runs=1_000_000)
    found = []
    for worker in (Worker(), nursery.worker()):
        found.append(result_of(worker, job))
        worker.kill()
    plain, forked = ((replace(d.result, effort=replace(d.result.effort, seconds=0.0)), d.state) for d in found)

    assert isinstance(forked[0], kind)
    assert forked == plain


def test_a_worker_takes_one_job_after_the_other(nursery, nothing_left):
    worker = nursery.worker()
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
def test_what_user_code_does_is_an_outcome(nursery, nothing_left, name, kind):
    worker = nursery.worker()
    outcome = result_of(worker, broken(name, deadline=2.0 if name == "endless_loop" else 100.0)).result
    worker.kill()

    assert isinstance(outcome, Failed)
    assert outcome.kind is kind


@needs_fork
def test_a_worker_that_is_killed_tells_the_signal(nursery, nothing_left):
    worker = nursery.worker()
    worker.submit(broken("endless_loop"))
    assert isinstance(worker.receive(100), Tick)
    for pid in children_of(nursery.pid):
        os.kill(pid, signal.SIGKILL)

    with pytest.raises(WorkerGone, match="SIGKILL"):
        worker.receive(100)


@pytest.mark.parametrize("fresh", [lambda nursery: nursery.worker(), lambda _: Worker()])
def test_a_worker_that_fails_tells_its_exit_code_and_its_errors(nursery, nothing_left, fresh):
    worker = fresh(nursery)
    worker.submit("no job")

    with pytest.raises(WorkerGone, match="exit code 1") as gone:
        worker.receive(100)
    assert "AssertionError" in gone.value.detail


@needs_fork
def test_nothing_is_left_of_workers_that_ended(nursery, nothing_left):
    """Neither zombies nor descriptors in the nursery, nor scratch folders of their runners."""
    first = nursery.worker()
    result_of(first, answered("quick"))
    before = len(descriptors(nursery.pid))
    first.kill()
    scratch = []
    for _ in range(3):
        worker = nursery.worker()
        worker.submit(broken("endless_loop"))
        assert isinstance(worker.receive(100), Tick)
        scratch += [folder for pid in children_of(nursery.pid) for folder in scratch_of(pid)]
        worker.kill()

    assert len(scratch) >= 3
    assert wait_for(lambda: not children_of(nursery.pid))
    assert wait_for(lambda: len(descriptors(nursery.pid)) < before)
    assert wait_for(lambda: not any(folder.exists() for folder in scratch))


def descriptors(pid):
    """What the descriptors of a process stand for."""
    return [str(fd.readlink()) for fd in Path(f"/proc/{pid}/fd").iterdir()]


def states_of(pid):
    """What each thread of a process is doing, as one letter."""
    return [(task / "stat").read_text().rpartition(") ")[2][0] for task in Path(f"/proc/{pid}/task").iterdir()]


def scratch_of(pid):
    return list(Path(tempfile.gettempdir()).glob(f"dplint-run-{pid}-*"))


@needs_fork
def test_workers_hold_nothing_of_each_other(nursery, nothing_left):
    """A socket that another one holds too would hide the death of its owner."""
    workers = [nursery.worker() for _ in range(3)]
    for worker in workers:
        result_of(worker, answered("quick"))
    pids = children_of(nursery.pid)
    sockets = [{name for name in descriptors(pid) if name.startswith("socket:")} for pid in pids]
    for worker in workers:
        worker.kill()

    assert len(pids) == 3
    assert [len(held) for held in sockets] == [1, 1, 1]
    assert len(set.union(*sockets)) == 3


@needs_fork
def test_everything_steps_back(nursery, nothing_left):
    worker = nursery.worker()
    worker.submit(broken("endless_loop"))
    assert isinstance(worker.receive(100), Tick)
    pids = [nursery.pid, *children_of(nursery.pid), *runners()]
    niceness = [os.getpriority(os.PRIO_PROCESS, pid) for pid in pids]
    worker.kill()

    assert len(pids) == 3
    assert min(niceness) >= os.getpriority(os.PRIO_PROCESS, 0) + 10 or min(niceness) == 19


@needs_fork
def test_a_stopped_worker_can_be_killed(nursery, nothing_left):
    worker = nursery.worker()
    worker.submit(broken("endless_loop"))
    assert isinstance(worker.receive(100), Tick)
    (pid,) = children_of(nursery.pid)
    os.kill(pid, signal.SIGSTOP)
    assert wait_for(lambda: set(states_of(pid)) == {"T"})
    worker.kill()


@needs_fork
def test_what_user_code_has_left_behind_goes_too(nursery, nothing_left, tmp_path):
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    worker = nursery.worker()
    worker.submit(job_from(tmp_path / "sleeper.py", allow=frozenset({"process"})))

    assert wait_for(lambda: len(runners()) >= 2)
    worker.kill()


@needs_fork
@pytest.mark.parametrize("busy", [False, True])
def test_a_nursery_that_dies_takes_its_workers_along_and_has_a_successor(nothing_left, busy):
    with closing(Nursery()) as nursery:
        worker, idle = nursery.worker(), nursery.worker()
        result_of(worker, answered("quick"))
        if busy:
            worker.submit(broken("endless_loop"))
            assert isinstance(worker.receive(100), Tick)
        first = nursery.pid
        os.kill(first, signal.SIGKILL)
        for one in (worker, idle):
            with pytest.raises(WorkerGone):
                one.receive(100)
        outcome = result_of(nursery.worker(), answered("still here")).result

        assert outcome.reason == "still here"
        assert nursery.pid != first


@needs_fork
def test_a_nursery_whose_end_a_worker_has_seen_is_not_asked_again(nothing_left):
    """It need not have ended in the eyes of who waits for it: here it is only stopped."""
    with closing(Nursery()) as nursery:
        worker = nursery.worker()
        result_of(worker, answered("quick"))
        first = nursery.pid
        os.kill(first, signal.SIGSTOP)
        worker._fate.shutdown(socket.SHUT_RD)
        worker.kill()
        with pytest.raises(NurseryGone):
            worker.receive(100)

        assert result_of(nursery.worker(), answered("still here")).result.reason == "still here"
        assert nursery.pid != first


@pytest.fixture
def asked():
    """What a nursery in this process answers to a request for a worker: all that comes over talk, fate and errors."""

    def ask(*, dropped):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        talk, their_talk = socket.socketpair()
        fate, their_fate = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        handler = signal.getsignal(signal.SIGCHLD)
        with ours, theirs, talk, fate, tempfile.TemporaryFile() as errors:
            made = nursery_main._Nursery(theirs)
            try:
                with their_talk, their_fate:
                    socket.send_fds(ours, [REQUEST], [their_talk.fileno(), their_fate.fileno(), errors.fileno()])
                if dropped:
                    fate.shutdown(socket.SHUT_WR)
                assert made._take_request()
            finally:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, handler)
                os.close(made._bell)
                os.close(made._ringing)
            errors.seek(0)
            return talk.recv(1), fate.recv(CODE_BYTES), errors.read()

    return ask


@needs_fork
def test_a_fork_that_fails_is_the_end_of_one_worker_only(monkeypatch, asked):
    """It has an exit code: nobody may think that the nursery is dead."""
    monkeypatch.setattr(os, "fork", Mock(side_effect=BlockingIOError("no more processes")))
    talk, fate, errors = asked(dropped=False)

    assert (talk, fate) == (b"", b"1")
    assert b"no more processes" in errors


@needs_fork
def test_a_worker_that_is_dropped_before_it_is_forked_was_killed(monkeypatch, asked):
    monkeypatch.setattr(os, "fork", Mock(side_effect=AssertionError("nobody wants it")))

    assert asked(dropped=True) == (b"", b"-9", b"")


def test_closing_ends_workers_at_work_and_idle_ones(nothing_left):
    nursery = Nursery()
    idle, busy = nursery.worker(), nursery.worker()
    busy.submit(broken("endless_loop"))
    assert isinstance(busy.receive(100), Tick)
    nursery.close()

    for worker in (idle, busy):
        with pytest.raises(WorkerGone):
            worker.receive(100)
    with pytest.raises(WorkerGone, match="closed"):
        nursery.worker()


@needs_fork
def test_a_nursery_that_cannot_start_says_why(nothing_left, monkeypatch):
    monkeypatch.setattr(nursery_module, "_START", "import no_such_module")
    with closing(Nursery()) as nursery:
        worker = nursery.worker()
        with pytest.raises(WorkerGone, match="nursery") as gone:
            worker.receive(100)

    assert "no_such_module" in gone.value.detail


@needs_fork
def test_a_nursery_inherits_nothing_of_the_front_end(nothing_left):
    """Not even what is inheritable, such as the streams of a protocol that an editor has handed to it."""
    ours, theirs = socket.socketpair()
    os.set_inheritable(theirs.fileno(), True)
    name = str(Path(f"/proc/self/fd/{theirs.fileno()}").readlink())
    with closing(Nursery()) as nursery, ours, theirs:
        worker = nursery.worker()
        result_of(worker, answered("quick"))
        held = [descriptors(pid) for pid in (nursery.pid, *children_of(nursery.pid))]
        worker.kill()

    assert len(held) == 2
    assert name not in {*held[0], *held[1]}


def test_without_fork_workers_are_processes_of_their_own(nothing_left, monkeypatch):
    monkeypatch.setattr(nursery_module, "_CAN_FORK", False)
    nursery = Nursery()
    worker, busy = nursery.worker(), nursery.worker()
    reason = result_of(worker, answered("as ever")).result.reason
    busy.submit(broken("endless_loop"))
    assert isinstance(busy.receive(100), Tick)
    nursery.close()

    assert nursery.pid is None
    assert reason == "as ever"
