"""The pool: what it does when the process that its workers are forked from is gone."""

import os
import signal
import sys

import pytest

from dplint.outcomes import NoViolation
from dplint.workers.messages import Done, Tick
from dplint.workers.pool import Pool, run_jobs
from tests.workers.jobs import job_from

pytestmark = pytest.mark.process

MODULE = """
from dplint import dp


@dp(epsilon=1.0, neighbors="linf")
def kept(data: float, rng):
    return data + rng.laplace(scale=1.0)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux only")
def test_a_fork_server_that_dies_costs_no_audit(tmp_path, nothing_left):
    file = tmp_path / "mechanisms.py"
    file.write_text(MODULE)
    jobs = [job_from(file, "kept", epsilons=(), max_runs=300_000, keep_going=True, seed=seed) for seed in (1, 2)]
    alone = {m.job: m.body.result.effort.runs for m in run_jobs(jobs, 1) if isinstance(m.body, Done)}
    killed = []
    pool = Pool()
    try:
        found = {}
        for message in run_jobs(jobs, 2, pool=pool):
            if isinstance(message.body, Tick) and not killed:
                killed.append(pool.workers.pid)
                os.kill(pool.workers.pid, signal.SIGKILL)
            if isinstance(message.body, Done):
                assert message.job not in found
                found[message.job] = message.body.result
    finally:
        pool.close()
    assert killed
    assert all(isinstance(one, NoViolation) for one in found.values())
    assert {job: one.effort.runs for job, one in found.items()} == alone
