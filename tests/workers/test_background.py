"""Audits in the background: order, replacement, ends, and what becomes of the rest when one thing fails."""

import os
import random
import signal
import threading
import time
from contextlib import closing

import pytest

from dplint.outcomes import Failed, FailureKind, NoViolation, StopReason, Underpowered, Untestable, Violation
from dplint.workers.background import Background
from dplint.workers.messages import Done, Tick
from tests.patience import patience
from tests.workers.conftest import Heard, children_of, needs_fork, runners, wait_for
from tests.workers.jobs import FIXTURES, answered, broken, job_from
from tests.workers.test_stopping import SLOW

pytestmark = pytest.mark.process


@pytest.fixture
def heard():
    return Heard()


@pytest.fixture
def slow(tmp_path):
    """A job that goes on for a minute and knows something from the first second on."""
    (tmp_path / "slow.py").write_text(SLOW)
    return job_from(tmp_path / "slow.py", "first")


def knows_something(messages):
    """Runs were made before that, to try inputs, of which nothing is kept."""
    return any(isinstance(body, Tick) and body.standing is not None for _, body in messages)


def test_a_job_tells_its_progress_and_then_its_outcome(fork_server, nothing_left, heard):
    with closing(Background(2, heard, fork_server=fork_server)) as background:
        background.put("wrong", job_from(FIXTURES / "statdp" / "sparse_vector.py", "isvt3"))
        outcome = heard.result("wrong")

    kinds = [type(body) for _, body in heard.messages]
    assert isinstance(outcome, Violation)
    assert kinds == [Tick] * (len(kinds) - 1) + [Done]
    assert len(kinds) > 1


def test_quick_changes_of_mind_leave_no_process(fork_server, nothing_left, heard):
    moments = random.Random(1)
    job = broken("endless_loop")
    with closing(Background(2, heard, fork_server=fork_server)) as background:
        for number in range(25):
            background.put(number % 3, job)
            time.sleep(moments.random() * 0.05)
            background.drop(number % 3)
        assert background.running == background.waiting == ()
        background.put("last", answered("quick"))
        heard.result("last")

    assert heard.done == ["last"]
    if fork_server.pid is not None:
        assert wait_for(lambda: not children_of(fork_server.pid))


def test_the_most_urgent_is_asked_for_when_a_worker_is_free(fork_server, nothing_left, heard):
    rank = {}
    with closing(Background(1, heard, fork_server=fork_server, urgency=lambda key: rank[key])) as background:
        rank.update(busy=0)
        background.put("busy", broken("endless_loop"))
        heard.wait(bool)
        for key in "abcd":
            rank[key] = 0
            background.put(key, answered(key))
        assert background.running == ("busy",)
        assert background.waiting == ("a", "b", "c", "d")
        rank.update(a=4, b=2, c=3, d=1)
        background.drop("busy")
        heard.wait(lambda _: len(heard.done) == 4)

    assert heard.done == ["d", "b", "c", "a"]


@pytest.mark.parametrize("urgency", [None, lambda key: 1 / 0])
def test_without_urgency_or_with_a_broken_one_the_first_is_first(fork_server, nothing_left, heard, urgency):
    with closing(Background(1, heard, fork_server=fork_server, urgency=urgency)) as background:
        background.pause()
        for key in "abc":
            background.put(key, answered(key))
        background.resume()
        heard.wait(lambda _: len(heard.done) == 3)

    assert heard.done == ["a", "b", "c"]


def test_a_job_that_was_replaced_never_speaks_again(fork_server, nothing_left):
    """Put at random moments of the life of the job before, also while that is telling its outcome."""
    moments = random.Random(2)
    late, current = [], [0]

    def listener(key, message):
        if isinstance(message, Done):
            number = int(message.result.reason)
            time.sleep(0.002)
            late.extend([number] if number < current[0] else [])

    with closing(Background(2, listener, fork_server=fork_server)) as background:
        jobs = [answered(str(number)) for number in range(40)]
        for number, job in enumerate(jobs):
            background.put("key", job)
            current[0] = number
            time.sleep(moments.random() * 0.03)

    assert late == []


def test_a_job_that_waits_is_replaced_in_its_place(fork_server, nothing_left, heard):
    with closing(Background(1, heard, fork_server=fork_server)) as background:
        background.pause()
        for key, reason in (("a", "old"), ("b", "b"), ("a", "new")):
            background.put(key, answered(reason))
        background.resume()
        heard.wait(lambda _: len(heard.done) == 2)

    assert heard.done == ["a", "b"]
    assert heard.results("a") == [Untestable(reason="new")]


def test_a_running_job_ends_with_what_is_known_and_a_waiting_one_is_forgotten(fork_server, nothing_left, heard, slow):
    with closing(Background(1, heard, fork_server=fork_server)) as background:
        background.put("runs", slow)
        heard.wait(knows_something)
        background.put("waits", slow)
        background.ask_to_end("waits")
        assert background.waiting == ()
        background.ask_to_end("runs")
        outcome = heard.result("runs")

    assert isinstance(outcome, NoViolation | Underpowered)
    assert outcome.effort.stop is StopReason.CANCELLED
    assert heard.done == ["runs"]


def test_a_job_can_be_asked_to_end_at_any_moment(fork_server, nothing_left, heard, slow):
    """The request reaches a worker that is not there yet, or has not heard of its job."""
    with closing(Background(1, heard, fork_server=fork_server)) as background:
        for number in range(5):
            background.put(number, slow)
            wait_for(lambda key=number: key in background.running)
            time.sleep(number * 0.01)
            background.ask_to_end(number)
            assert heard.result(number).effort.stop is StopReason.CANCELLED


class Late:
    """A fork server that gives a worker only once it is told to."""

    def __init__(self, fork_server):
        self._fork_server = fork_server
        self.asked, self.told = threading.Event(), threading.Event()

    def worker(self):
        self.asked.set()
        assert self.told.wait(patience(100))
        return self._fork_server.worker()


@pytest.mark.parametrize("end", ["ask_to_end", "drop"])
def test_a_job_can_be_ended_before_it_has_a_worker(fork_server, nothing_left, heard, slow, end):
    late = Late(fork_server)
    with closing(Background(1, heard, fork_server=late)) as background:
        background.put("early", slow if end == "ask_to_end" else broken("endless_loop", deadline=1000.0))
        assert late.asked.wait(patience(100))
        getattr(background, end)("early")
        late.told.set()
        background.put("next", answered("well"))
        heard.result("next")
        if end == "ask_to_end":
            heard.result("early")

    stops = [outcome.effort.stop for outcome in heard.results("early")]
    assert stops == ([StopReason.CANCELLED] if end == "ask_to_end" else [])


def test_a_pause_ends_what_runs_and_begins_nothing(fork_server, nothing_left, heard, slow):
    with closing(Background(1, heard, fork_server=fork_server)) as background:
        background.put("runs", slow)
        heard.wait(knows_something)
        background.put("waits", answered("after the pause"))
        background.pause()
        outcome = heard.result("runs")
        assert background.waiting == ("waits",)
        assert "waits" not in heard.done
        background.resume()
        heard.result("waits")

    assert outcome.effort.stop is StopReason.CANCELLED
    assert next(body.state for key, body in heard.messages if isinstance(body, Done)) is not None


@needs_fork
def test_a_worker_that_dies_is_the_failure_of_its_job_only(fork_server, nothing_left, heard):
    with closing(Background(1, heard, fork_server=fork_server)) as background:
        background.put("killed", broken("endless_loop"))
        background.put("next", answered("well"))
        heard.wait(bool)
        for pid in children_of(fork_server.pid):
            os.kill(pid, signal.SIGKILL)
        outcome = heard.result("killed")
        heard.result("next")

    assert isinstance(outcome, Failed)
    assert outcome.kind is FailureKind.INTERNAL
    assert "SIGKILL" in outcome.reason
    assert heard.results("next") == [Untestable(reason="well")]


@needs_fork
def test_audits_go_on_when_the_fork_server_has_died(nothing_left, heard):
    with closing(Background(1, heard)) as background:
        background.put("first", answered("quick"))
        heard.result("first")
        fork_server = background.fork_server.pid
        os.kill(fork_server, signal.SIGKILL)
        os.waitid(os.P_PID, fork_server, os.WEXITED | os.WNOWAIT)
        background.put("second", answered("well"))

        assert heard.result("second") == Untestable(reason="well")


@needs_fork
def test_an_audit_that_the_fork_server_took_along_is_begun_once_more(nothing_left, heard, slow):
    with closing(Background(1, heard)) as background:
        background.put("slow", slow)
        heard.wait(bool)
        first = background.fork_server.pid
        os.kill(first, signal.SIGKILL)
        assert wait_for(lambda: background.fork_server.pid != first)
        before = len(heard.messages)
        heard.wait(lambda messages: any(body.done > 1000 for _, body in messages[before:]))
        background.ask_to_end("slow")

        assert isinstance(heard.result("slow"), NoViolation | Underpowered)


@needs_fork
def test_an_audit_that_ends_the_fork_server_every_time_has_failed(nothing_left, heard):
    with closing(Background(1, heard)) as background:
        background.put("endless", broken("endless_loop"))
        heard.wait(bool)
        first = background.fork_server.pid
        os.kill(first, signal.SIGKILL)
        assert wait_for(lambda: background.fork_server.pid != first)
        os.kill(background.fork_server.pid, signal.SIGKILL)
        outcome = heard.result("endless")
        background.put("next", answered("well"))

        assert isinstance(outcome, Failed)
        assert "fork server" in outcome.reason
        assert heard.result("next") == Untestable(reason="well")


def test_a_listener_that_fails_does_not_stop_the_audits(fork_server, nothing_left, caplog):
    heard = Heard()

    def listener(key, message):
        heard(key, message)
        raise ValueError("not understood")

    with closing(Background(1, listener, fork_server=fork_server)) as background:
        for key in "ab":
            background.put(key, answered(key))
            heard.result(key)

    assert heard.done == ["a", "b"]
    assert "not understood" in caplog.text


def test_the_listener_may_drop_its_own_key(fork_server, nothing_left):
    heard = Heard()

    def listener(key, message):
        background.drop(key)
        heard(key, message)

    background = Background(1, listener, fork_server=fork_server)
    with closing(background):
        background.put("once", broken("endless_loop"))
        heard.wait(bool)
        background.put("other", answered("quick"))
        heard.result("other")

    assert [key for key, _ in heard.messages] == ["once", "other"]


def test_more_audits_at_a_time_and_fewer_again(fork_server, nothing_left, heard):
    with closing(Background(1, heard, fork_server=fork_server)) as background:
        for key in "abc":
            background.put(key, broken("endless_loop"))
        assert wait_for(lambda: background.running == ("a",))
        background.jobs = 2
        assert wait_for(lambda: background.running == ("a", "b"))
        background.jobs = 1
        background.drop("a")
        background.drop("b")
        assert wait_for(lambda: background.running == ("c",))
        background.put("d", answered("quick"))
        background.drop("c")
        heard.result("d")

    assert background.jobs == 1


def test_closing_leaves_neither_thread_nor_process_nor_message(nothing_left, heard):
    before = set(threading.enumerate())
    background = Background(2, heard)
    for key in "abc":
        background.put(key, broken("endless_loop"))
    heard.wait(lambda messages: {key for key, _ in messages} == {"a", "b"})
    background.close()
    count = len(heard.messages)
    background.put("late", answered("quick"))

    assert wait_for(lambda: not set(threading.enumerate()) - before)
    assert wait_for(lambda: not runners())
    assert background.running == background.waiting == ()
    assert len(heard.messages) == count
    background.close()
