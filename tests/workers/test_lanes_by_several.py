"""Others that make runs for the one that audits, where the budget is a time; else the outcome is that of one alone."""

from unittest import mock

import pytest

from dplint.audit import lane_counts
from dplint.audit.betting import proposing
from dplint.check import check_paths
from dplint.config import Settings
from dplint.outcomes import NoViolation, Result, Violation
from dplint.report.json_document import result_json
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
def test_where_the_number_of_runs_is_given_nobody_else_is_asked(name, file):
    """Noise comes in the order in which paths are met, which is another one in another process."""
    job = job_from(file(name), max_runs=RUNS, keep_going=True)
    found = outcome(job, alone)
    assert isinstance(found[0], MECHANISMS[name][1])
    assert found[0].effort.runs >= RUNS

    with mock.patch.object(lane_counts, "SETTLED", 0.0), mock.patch.object(proposing, "SETTLED", 0.0):
        somebody = Somebody(job)
        assert outcome(job, somebody) == found
    assert not somebody.lessons
    assert bool(somebody.counts) == (name == "of_several_lengths"), "it is called, and calls are the same for all"


@pytest.mark.parametrize("name", ["kept", "of_several_lengths", "in_words"])
def test_where_time_is_given_others_count_what_has_no_texts(name, file):
    job = job_from(file(name), budget=4.0, keep_going=True)
    with mock.patch.object(lane_counts, "SETTLED", 0.0), mock.patch.object(proposing, "SETTLED", 0.0):
        somebody = Somebody(job)
        found = outcome(job, somebody)[0]
    somebody.close()

    assert isinstance(found, MECHANISMS[name][1])
    assert bool(somebody.counts) == (name != "in_words")


def checked(path, jobs):
    """The JSON of a check, without what a clock has told."""
    settings = Settings(jobs=jobs, runs=RUNS, seed=5, keep_going=True, cache=False)
    (result,) = (one for one in check_paths([path], settings) if isinstance(one, Result))
    return without_seconds(result_json(result))


def without_seconds(value):
    if isinstance(value, dict):
        return {key: without_seconds(one) for key, one in value.items() if key != "seconds"}
    return [without_seconds(one) for one in value] if isinstance(value, list) else value


def test_the_json_of_a_check_is_that_of_one_worker(file):
    path = file("kept")
    found = checked(path, 1)
    assert found["verdict"] == "no-violation"
    assert found["runs"] >= RUNS

    assert checked(path, 2) == found
