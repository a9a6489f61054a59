"""Others that make lanes for the one that audits: the same outcome and the same JSON, however many there are."""

import pickle
from unittest import mock

import pytest

from dplint.audit import lane_counts
from dplint.audit.betting import proposing
from dplint.audit.lane_counts import CountRequest
from dplint.check import check_paths
from dplint.config import Settings
from dplint.outcomes import NoViolation, Result, Violation
from dplint.report.json_document import result_json
from dplint.workers import pool, process
from tests.audit.drawing_tools import Somebody, alone, outcome
from tests.workers.jobs import job_from

MECHANISMS = {
    "kept": (
        "noisy = [one + rng.laplace(scale=2.0) for one in answers]\n    return noisy.index(max(noisy))",
        NoViolation,
    ),
    "broken": (
        "noisy = [one + rng.laplace(scale=1.9) for one in answers]\n    return noisy.index(max(noisy)), noisy[0] > 0.5",
        Violation,
    ),
    "of_several_lengths": (
        "noisy = [one + rng.laplace(scale=20.0) for one in answers]\n    return [one for one in noisy if one > 5.0]",
        NoViolation,
    ),
    "of_one_length": ("return [one + rng.laplace(scale=20.0) for one in answers]", NoViolation),
    "in_words": (
        "noisy = [one + rng.laplace(scale=2.0) for one in answers]\n    return 'a' if noisy[0] >= max(noisy) else 'b'",
        NoViolation,
    ),
}
RUNS = 300_000
AT_ONCE = (
    "import sys; sys.path.append(sys.argv[1]); from dplint.audit import lane_counts; lane_counts.SETTLED = 0.0; "
    f"{process._START}"
)
"""Starts a worker that asks others as soon as it can."""

pytestmark = pytest.mark.process


@pytest.fixture
def file(tmp_path):
    def write(name):
        made = tmp_path / "mechanism.py"
        made.write_text(
            "from dplint import dp\n\n\n@dp(epsilon=1.0, neighbors='linf')\n"
            f"def {name}(answers: list[float], rng):\n    {MECHANISMS[name][0]}\n"
        )
        return made

    return write


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_outcome_is_the_same_whoever_counts(name, file):
    job = job_from(file(name), max_runs=RUNS, keep_going=True)
    found = outcome(job, alone)
    assert isinstance(found[0], MECHANISMS[name][1])
    assert found[0].effort.runs >= RUNS

    with mock.patch.object(lane_counts, "SETTLED", 0.0), mock.patch.object(proposing, "SETTLED", 0.0):
        somebody = Somebody(job)
        assert outcome(job, somebody) == found
    assert bool(somebody.counts) == (name != "in_words"), "who has counted"
    assert somebody.lessons or name != "of_one_length", "who has learnt"


@pytest.fixture
def answers(monkeypatch, standing_still):
    """Whether others have answered, time by time. Who audits stands still meanwhile, so that none comes too late."""
    found, drawn_by = [], pool.drawn_by

    def noting(worker, job, order):
        with standing_still(worker):
            done = drawn_by(worker, job, order)
        found.append(isinstance(pickle.loads(order.draw.asked)[0], CountRequest) and done.blocks is not None)
        return done

    monkeypatch.setattr(pool, "drawn_by", noting)
    monkeypatch.setattr(pool, "_WORTH", 1e-9)
    monkeypatch.setattr(process, "_START", AT_ONCE)
    return found


def checked(path, jobs):
    """The JSON of a check, without what a clock has told."""
    settings = Settings(jobs=jobs, runs=RUNS, seed=5, keep_going=True, cache=False)
    (result,) = (one for one in check_paths([path], settings) if isinstance(one, Result))
    return without_seconds(result_json(result))


def without_seconds(value):
    if isinstance(value, dict):
        return {key: without_seconds(one) for key, one in value.items() if key != "seconds"}
    return [without_seconds(one) for one in value] if isinstance(value, list) else value


def test_the_json_of_a_check_is_that_of_one_worker(file, answers):
    path = file("kept")
    found = checked(path, 1)
    assert not answers, "there was nobody to ask"
    assert found["verdict"] == "no-violation"
    assert found["runs"] >= RUNS

    assert checked(path, 2) == found
    assert any(answers), "who has counted"
