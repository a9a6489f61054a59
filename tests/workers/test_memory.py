"""What evaluates a program has a share of the memory: who takes too much is told so, and neighbours are judged."""

import sys
from pathlib import Path

import pytest

from dplint.check import reading_ahead
from dplint.check.loading import load_files
from dplint.check.reading_ahead import Readers
from dplint.config import Settings, SettingsByFile
from dplint.outcomes import Failed, FailureKind, Violation
from dplint.runner import fence
from dplint.runner.client import DataValue, Runner, RunnerError, SampleRequest
from dplint.workers import pool, process
from dplint.workers.fork_server import ForkServer
from dplint.workers.messages import Done
from dplint.workers.pool import run_jobs
from dplint.workers.process import WorkerGone, budget_mib, done_without_worker, share_mib
from tests.workers.conftest import children_of, needs_fork, nothing_left
from tests.workers.jobs import job_from, result_of

__all__ = ["nothing_left"]

HOG = """import numpy as np
from dplint import dp


@dp(epsilon=1.0, neighbors="linf")
def hog(data: list[float], rng):
    kept = [np.ones(10**6) for _ in range(150)]
    return data[0] + len(kept) + rng.laplace(scale=1.0)
"""
"""1.2 GB in small pieces: of these there is always room for some."""
NEIGHBOUR = """from dplint import dp


@dp(epsilon=1.0, neighbors="linf")
def neighbour(data: list[float], rng):
    return data[0] + rng.laplace(scale=0.2)
"""
SHARE_MIB = 256
SLACK_MIB = 64
"""For what a process takes that it does not ask for: stacks, and pages of the fork server that it writes to."""


@pytest.fixture
def hog(tmp_path):
    (tmp_path / "hog.py").write_text(HOG)
    return job_from(tmp_path / "hog.py", exact_seconds=5.0, proof_seconds=5.0, max_runs=20_000)


@pytest.fixture
def neighbour(tmp_path):
    (tmp_path / "neighbour.py").write_text(NEIGHBOUR)
    return job_from(tmp_path / "neighbour.py", max_runs=200_000)


def highest_mib(pid):
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024


@pytest.mark.parametrize("jobs", [1, 2, 10])
@pytest.mark.parametrize("budget", [8_000, 64_000, 1_000_000])
def test_shares_of_workers_runners_and_readers_are_no_more_than_the_budget(jobs, budget):
    assert 0.99 * budget <= 3 * jobs * share_mib(jobs, budget) <= budget


def test_a_container_has_less_than_its_machine(tmp_path, monkeypatch):
    limit, used = tmp_path / "max", tmp_path / "current"
    monkeypatch.setattr(process, "_GROUPS", ((str(limit), str(used)),))
    whole = budget_mib()
    limit.write_text("max\n")
    used.write_text("123\n")
    assert budget_mib() == pytest.approx(whole, rel=0.2), "no limit, beside other processes"
    limit.write_text(f"{300 << 20}\n")
    used.write_text(f"{100 << 20}\n")
    assert budget_mib() == 150, "three quarters of what is left"


@needs_fork
@pytest.mark.process
def test_a_hog_is_told_and_the_same_worker_judges_the_next(hog, neighbour):
    server = ForkServer(lasting=False)
    try:
        server.share_mib = SHARE_MIB
        worker = server.worker()
        before = result_of(worker, neighbour).result
        (pid,) = children_of(server.pid)
        loaded = highest_mib(pid)
        told = result_of(worker, hog).result
        highest = highest_mib(pid)
        after = result_of(worker, neighbour).result
        worker.kill()
    finally:
        server.close()

    assert isinstance(told, Failed)
    assert told.kind is FailureKind.MEMORY
    assert any("more memory than there is for it" in note for note in told.effort.notes), "by exact, or a proof"
    assert highest - loaded <= SHARE_MIB + SLACK_MIB
    assert isinstance(before, Violation)
    assert isinstance(after, Violation)


@pytest.mark.process
def test_ten_hogs_and_a_neighbour_who_is_judged(hog, neighbour, monkeypatch):
    monkeypatch.setattr(pool, "share_mib", lambda *_: SHARE_MIB)
    jobs = [*[hog] * 10, neighbour]
    done = {message.job: message.body.result for message in run_jobs(jobs, 3) if isinstance(message.body, Done)}
    *hogs, judged = [done[number] for number in range(len(jobs))]
    assert {(type(one), one.kind) for one in hogs} == {(Failed, FailureKind.MEMORY)}
    assert isinstance(judged, Violation)


@pytest.mark.process
def test_a_runner_has_its_share_whatever_the_settings_allow(hog, monkeypatch):
    monkeypatch.setattr(fence.SHARE, "mib", SHARE_MIB)
    with Runner(sys.executable, deadline=30, memory_mib=4096) as runner:
        runner.load(hog.mechanism, None)
        with pytest.raises(RunnerError) as caught:
            runner.sample(SampleRequest((DataValue([1.0]),)))
    assert caught.value.kind is FailureKind.MEMORY


@pytest.mark.process
def test_a_file_that_takes_more_than_its_share_is_an_error_and_the_next_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reading_ahead, "_WORTH", 0.0)
    monkeypatch.setattr(reading_ahead, "share_mib", lambda _: 48)
    for name in ("a_first", "c_next"):
        (tmp_path / f"{name}.py").write_text(HOG)
    (tmp_path / "b_large.py").write_text(HOG + "\n\nTABLE = [" + "(1, x), " * 100_000 + "]\n")
    with Readers(1, lowering=True) as readers:
        first, large, after = load_files([tmp_path], SettingsByFile.fixed(Settings(cache=False)), readers)
    assert not first.errors
    assert len(large.errors) == 1
    assert not large.pending
    assert [one.mechanism.qualname for one in after.pending] == ["hog"]


@pytest.mark.parametrize(
    ("detail", "kind"),
    [
        ("terminate called after throwing an instance of 'std::bad_alloc'", FailureKind.MEMORY),
        ("memory allocation of 4096 bytes failed", FailureKind.MEMORY),
        ("Fatal Python error: Segmentation fault", FailureKind.INTERNAL),
    ],
)
def test_a_worker_that_died_for_lack_of_memory_is_said_to(neighbour, detail, kind):
    result = done_without_worker(WorkerGone("the worker process ended with signal SIGABRT", detail), neighbour).result
    assert isinstance(result, Failed)
    assert result.kind is kind


FULL = "import sys; sys.path.append(sys.argv[1]); from dplint.runner.fence import Share; Share.half_used = True; "


@pytest.mark.process
def test_who_has_half_of_its_share_in_use_makes_room_for_another(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reading_ahead, "_WORTH", 0.0)
    monkeypatch.setattr(reading_ahead, "START", FULL + reading_ahead.START)
    started, popen = [], reading_ahead.subprocess.Popen

    def noting(*args, **given):
        started.append(popen(*args, **given))
        return started[-1]

    monkeypatch.setattr(reading_ahead.subprocess, "Popen", noting)
    for number in range(4):
        (tmp_path / f"{number}.py").write_text(HOG)
    with Readers(1, lowering=True) as readers:
        found = list(load_files([tmp_path], SettingsByFile.fixed(Settings(cache=False)), readers))
    assert [one.errors for one in found] == [()] * 4
    assert [len(one.pending) for one in found] == [1] * 4
    assert len(started) == 3, "the first is read here, and each of the others by one that ends then"
