"""Workers that draw blocks for the one that audits: the same outcome to the bit, whatever becomes of them."""

import os
import signal
import time
from dataclasses import replace

import pytest

from dplint.outcomes import Violation
from dplint.workers import pool
from dplint.workers.fork_server import WorkersOfItsOwn
from dplint.workers.messages import Done
from dplint.workers.pool import run_jobs
from tests.workers.jobs import job_from

pytestmark = pytest.mark.process

MODULE = """
from dplint import dp


@dp(epsilon=1.0, neighbors="linf")
def kept(data: float, rng):
    exec("pass")
    sum(range(3_000))
    return data + rng.laplace(scale=1.0)


@dp(epsilon=1.0, neighbors="linf")
def broken(data: float, rng):
    exec("pass")
    sum(range(3_000))
    return data + rng.laplace(scale=0.8)
"""
RUNS = 100_000


@pytest.fixture
def job(tmp_path):
    file = tmp_path / "mechanisms.py"
    file.write_text(MODULE)
    return lambda name: job_from(file, name, epsilons=(), max_runs=RUNS, keep_going=True)


def outcomes(jobs, workers):
    found = {}
    for message in run_jobs(jobs, workers):
        if isinstance(message.body, Done):
            assert message.job not in found, "counted twice"
            outcome = message.body.result
            found[message.job] = replace(outcome, effort=replace(outcome.effort, seconds=0.0)), message.body.state
    return [found[number] for number in range(len(jobs))]


@pytest.fixture
def draws(monkeypatch):
    """What others have drawn, and what is done in the middle of it."""
    made = []
    made_by = {"act": lambda worker: None, "asked": []}

    def noting(worker, job, order):
        made_by["asked"].append(order)
        worker.submit(order)
        made_by["act"](worker)
        found = worker.receive(100)
        made.append(found)
        return found

    monkeypatch.setattr(pool, "drawn_by", noting)
    return made, made_by


@pytest.mark.parametrize("name", ["kept", pytest.param("broken", marks=pytest.mark.nightly)])
def test_the_same_outcome_whoever_draws(job, draws, name):
    made, _ = draws
    alone = outcomes([job(name)], 1)
    assert not made
    assert isinstance(alone[0][0], Violation) == (name == "broken")

    assert outcomes([job(name)], 3) == alone
    assert any(one.blocks is not None for one in made)


@pytest.mark.nightly
def test_the_same_outcome_with_sixteen(job, draws):
    """On a machine of few processors most of them come too late to draw anything, which is no matter."""
    assert outcomes([job("kept")], 16) == outcomes([job("kept")], 1)
    assert len(draws[1]["asked"]) > 1


@pytest.fixture
def own_processes(monkeypatch):
    """Workers that are no children of a fork server, so that their numbers are known."""
    monkeypatch.setattr(pool, "workers_at_once", WorkersOfItsOwn)


@pytest.mark.usefixtures("own_processes")
def test_one_that_is_killed_in_a_block_changes_nothing(job, draws):
    made, made_by = draws
    killed = []

    def kill(worker):
        if len(killed) < 2:
            killed.append(worker._process.pid)
            os.kill(worker._process.pid, signal.SIGKILL)

    made_by["act"] = kill
    assert outcomes([job("kept")], 2) == outcomes([job("kept")], 1)
    assert len(killed) == 2
    assert any(one.blocks is not None for one in made), "another one was started"


@pytest.mark.nightly
@pytest.mark.usefixtures("own_processes")
def test_one_that_is_stopped_is_not_waited_for(job, draws):
    _, made_by = draws
    stopped = []

    def stop(worker):
        if not stopped:
            stopped.append(worker._process.pid)
            os.kill(worker._process.pid, signal.SIGSTOP)

    made_by["act"] = stop
    began = time.monotonic()
    assert outcomes([job("kept")], 2) == outcomes([job("kept")], 1)
    assert stopped
    assert time.monotonic() - began < 300


@pytest.mark.nightly
def test_two_jobs_and_three_workers(job, draws):
    both = [job("kept"), job("broken")]
    assert outcomes(both, 3) == outcomes(both, 1)
    assert any(one.blocks is not None for one in draws[0])
