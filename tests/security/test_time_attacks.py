"""Code that would use up the processor: each audit ends in its time, whatever it is busy with."""

import signal
import sys

import pytest

from dplint.outcomes import Failed, FailureKind, Underpowered
from dplint.program import expressions
from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.concrete import run
from dplint.runner import fence, time_had
from dplint.workers import main as workers
from dplint.workers.messages import Done
from dplint.workers.pool import run_jobs
from dplint.workers.process import WorkerGone, done_without_worker
from tests.workers.jobs import job_from

HEAD = "import math\nfrom dplint import dp\n\n\n@dp(epsilon=1.0, neighbors='linf')\ndef m(data: float, rng):\n"
BUSY_IN_C = {
    "a factorial": "    math.factorial(10**7)\n    return data + rng.laplace(scale=1.0)\n",
    "a power": "    return data + 0 * (7**(10**8) % 2) + rng.laplace(scale=1.0)\n",
    "choices": "    math.comb(10**7, 5 * 10**6)\n    return data + rng.laplace(scale=1.0)\n",
}
TURNS = {
    "a loop": "    n = 0\n    for i in range(10**10):\n        n += i\n    return data + rng.laplace(scale=1.0) + n\n",
    "loops in loops": "    n = 0\n    for i in range(10**5):\n        for j in range(10**5):\n            n += 1\n"
    "    return data + n + rng.laplace(scale=1.0)\n",
    "whiles in whiles": "    i = 0\n    while i < 9000:\n        j = 0\n        while j < 9000:\n            j += 1\n"
    "        i += 1\n    return data + rng.laplace(scale=1.0)\n",
    "a comprehension": "    return data + sum([1 for i in range(10**10)]) + rng.laplace(scale=1.0)\n",
}


def job_of(folder, body, **settings):
    (folder / "busy.py").write_text(HEAD + body)
    return job_from(folder / "busy.py", **settings)


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="counts processor time by process")
@pytest.mark.parametrize("name", BUSY_IN_C)
def test_the_time_limit_is_kept_by_a_worker_that_is_busy_in_c(name, tmp_path):
    job = job_of(tmp_path, BUSY_IN_C[name], time_limit=2.0, deadline=1.0, budget=1.0, max_runs=None)
    (result,) = [message.body.result for message in run_jobs([job], 1) if isinstance(message.body, Done)]
    if isinstance(result, Underpowered):  # on a machine so busy that no run could have ended
        assert "not enough time" in result.why
    else:
        assert isinstance(result, Failed)
        assert result.kind in (FailureKind.BUDGET, FailureKind.DEADLINE), result


@pytest.mark.parametrize("name", TURNS)
def test_a_reading_does_not_walk_loops_without_end(name, tmp_path, monkeypatch):
    monkeypatch.setattr(expressions, "_MOST_TURNS", 20_000)
    program = job_of(tmp_path, TURNS[name]).program
    with pytest.raises(UnsupportedConstruct, match="turns of loops"):
        run(program, {"data": 1.0, "rng": None}, lambda *_: 0.0)


@pytest.mark.parametrize("limit", [0.5, 7.0, 60.0])
def test_the_system_ends_a_job_within_a_fifth_more_than_its_limit(limit, tmp_path, monkeypatch):
    armed = []
    monkeypatch.setattr(signal, "setitimer", lambda timer, seconds: armed.append((timer, seconds)))
    fence.limit_work(workers._seconds_of(job_of(tmp_path, TURNS["a loop"], time_limit=limit)))
    ((timer, seconds),) = armed
    assert timer == signal.ITIMER_PROF, "by the processor's time, not the wall's"
    assert limit < seconds <= 1.2 * limit


def test_an_end_by_the_system_is_told_as_one_by_the_time_limit(tmp_path):
    job = job_of(tmp_path, TURNS["a loop"], time_limit=7.0)
    failed = done_without_worker(WorkerGone("the worker process ended with signal SIGPROF", ""), job).result
    assert failed.kind is FailureKind.BUDGET
    assert "the time limit of 7 s" in failed.reason


@pytest.fixture
def machine(monkeypatch):
    """The wall's clock, and of processes how long they have waited for a processor, and had one."""
    state = {"now": 100.0, "self": 3.0, 7: 1.0, 8: 5.0, "ran": {}}

    def read(meter):
        process = meter.pid or "self"
        return time_had.Turns(state["ran"].get(process, 0.0), state.get(process, 0.0))

    monkeypatch.setattr(time_had.time, "monotonic", lambda: state["now"])
    monkeypatch.setattr(time_had._Meter, "read", read)
    followed = time_had._Followed()
    for name, value in {"_FOLLOWED": followed, "follow": followed.follow, "leave": followed.leave}.items():
        monkeypatch.setattr(time_had, name, value)
    monkeypatch.setattr(time_had, "_CLOCK", time_had._Clock(followed))
    return state


def test_time_that_others_had_is_not_counted(machine):
    before = time_had.now()
    machine["now"] += 10
    assert time_had.now() - before == pytest.approx(10)
    machine["now"] += 10
    machine["self"] += 4
    assert time_had.now() - before == pytest.approx(16)


@pytest.mark.parametrize(("ran", "had"), [({}, 0), ({"self": 0.5, 7: 0.75, 8: 0.25}, 0.75), ({7: 30.0}, 10)])
def test_where_all_wait_at_once_it_is_what_one_of_them_has_had(machine, ran, had):
    before = time_had.now()
    time_had.follow(7)
    time_had.follow(8)
    machine["now"] += 10
    for process in ("self", 7, 8):
        machine[process] += 9
    machine["ran"] = ran
    assert time_had.now() - before == pytest.approx(had)


def test_sixteen_that_are_busy_on_two_processors_take_nothing_from_a_budget(machine):
    """A worker and its runner in turns, each with an eighth of a processor: 20 s of work take 160 s by the clock."""
    machine["ran"] = {"self": 0.0, 7: 0.0}
    time_had.follow(7)
    before = time_had.now()
    for turn in range(160):
        who = "self" if turn % 2 else 7
        machine["now"] += 1
        machine["ran"][who] += 1 / 8
        machine[who] += 7 / 8
        time_had.now()
    assert time_had.now() - before == pytest.approx(20)


def test_nor_is_that_in_which_a_runner_has_waited(machine):
    before = time_had.now()
    time_had.follow(7)
    time_had.follow(8)
    machine["now"] += 10
    machine[7] += 2
    assert time_had.now() - before == pytest.approx(8)
    time_had.leave(7)
    del machine[7]
    machine[7] = 50.0  # another process with the same number
    assert time_had.now() - before == pytest.approx(8)
    time_had.follow(7)
    machine["now"] += 10
    machine[7] += 1
    assert time_had.now() - before == pytest.approx(17)


def test_where_nobody_tells_it_is_the_time_of_the_wall(machine, monkeypatch):
    monkeypatch.setattr(time_had._Meter, "read", lambda meter: time_had.Turns(0.0, 0.0))
    time_had.follow(7)
    before = time_had.now()
    machine["now"] += 10
    assert time_had.now() - before == 10
