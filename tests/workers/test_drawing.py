"""Workers that draw blocks for the one that audits: the same outcome to the bit, whatever becomes of them."""

import os
import signal
from contextlib import nullcontext
from dataclasses import replace
from functools import cache

import pytest

from dplint.outcomes import Violation
from dplint.workers import pool
from dplint.workers.messages import Done
from dplint.workers.pool import run_jobs
from tests.workers.jobs import job_from

pytestmark = pytest.mark.process

MODULE = """
from dplint import dp

LAST = None


@dp(epsilon=1.0, neighbors="linf")
def kept(data: float, rng):
    global LAST  # which is not traced, so that each run is a call
    LAST = data
    sum(range(1_000))
    return data + rng.laplace(scale=1.0)


@dp(epsilon=1.0, neighbors="linf")
def broken(data: float, rng):
    global LAST  # which is not traced, so that each run is a call
    LAST = data
    sum(range(1_000))
    return data + rng.laplace(scale=0.8)
"""
RUNS = 20_000


@pytest.fixture(scope="module")
def job(tmp_path_factory):
    file = tmp_path_factory.mktemp("drawing") / "mechanisms.py"
    file.write_text(MODULE)
    return lambda name: job_from(file, name, epsilons=(), max_runs=RUNS, keep_going=True)


@pytest.fixture(scope="module")
def alone(job):
    """The outcomes of one worker, that has nobody to ask."""
    return cache(lambda *names: outcomes([job(name) for name in names], 1))


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
    made_by = {"act": lambda worker: None, "asked": [], "around": nullcontext}

    def noting(worker, job, order):
        made_by["asked"].append(order)
        with nullcontext() if any(one.blocks is not None for one in made) else made_by["around"](worker):
            worker.submit(order)
            made_by["act"](worker)
            found = worker.receive(100)
        made.append(found)
        return found

    monkeypatch.setattr(pool, "drawn_by", noting)
    return made, made_by


@pytest.mark.parametrize("name", ["kept", pytest.param("broken", marks=pytest.mark.nightly)])
def test_the_same_outcome_whoever_draws(job, alone, draws, standing_still, name):
    made, made_by = draws
    made_by["around"] = standing_still
    assert isinstance(alone(name)[0][0], Violation) == (name == "broken")
    assert not made

    assert outcomes([job(name)], 3) == alone(name)
    assert any(one.blocks is not None for one in made)


@pytest.mark.nightly
def test_the_same_outcome_with_sixteen(job, alone, draws):
    """On a machine of few processors most of them come too late to draw anything, which is no matter."""
    assert outcomes([job("kept")], 16) == alone("kept")
    assert len(draws[1]["asked"]) > 1


def test_one_that_is_killed_in_a_block_changes_nothing(job, alone, draws, standing_still):
    made, made_by = draws
    killed = []

    def kill(worker):
        if len(killed) < 2:
            killed.append(worker._process.pid)
            os.kill(worker._process.pid, signal.SIGKILL)

    made_by["act"], made_by["around"] = kill, standing_still
    assert outcomes([job("kept")], 2) == alone("kept")
    assert len(killed) == 2
    assert any(one.blocks is not None for one in made), "another one was started"


@pytest.mark.nightly
@pytest.mark.usefixtures("own_processes")
def test_one_that_is_stopped_is_not_waited_for(job, alone, draws):
    _, made_by = draws
    stopped = []

    def stop(worker):
        if not stopped:
            stopped.append(worker._process.pid)
            os.kill(worker._process.pid, signal.SIGSTOP)

    made_by["act"] = stop
    # Its blocks are drawn here, or this would never end.
    assert outcomes([job("kept")], 2) == alone("kept")
    assert stopped


@pytest.mark.nightly
def test_two_jobs_and_three_workers(job, alone, draws, standing_still):
    draws[1]["around"] = standing_still
    assert outcomes([job("kept"), job("broken")], 3) == alone("kept", "broken")
    assert any(one.blocks is not None for one in draws[0])
