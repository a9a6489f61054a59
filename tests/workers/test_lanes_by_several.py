"""Workers that make lanes for the one that audits: the same verdict and the same JSON, however many there are."""

import pickle

import pytest

from dplint.audit.betting.lessons import LessonRequest
from dplint.check import check_paths
from dplint.config import Settings
from dplint.outcomes import Result
from dplint.report.json_document import result_json
from dplint.workers import pool

MECHANISMS = {
    "kept": (
        "noisy = [one + rng.laplace(scale=2.0) for one in answers]\n    return noisy.index(max(noisy))",
        "no-violation",
    ),
    "broken": (
        "noisy = [one + rng.laplace(scale=1.9) for one in answers]\n    return noisy.index(max(noisy)), noisy[0] > 0.5",
        "violation",
    ),
    "of_several_lengths": (
        "noisy = [one + rng.laplace(scale=20.0) for one in answers]\n    return [one for one in noisy if one > 5.0]",
        "no-violation",
    ),
    "of_one_length": ("return [one + rng.laplace(scale=20.0) for one in answers]", "no-violation"),
    "in_words": (
        "noisy = [one + rng.laplace(scale=2.0) for one in answers]\n    return 'a' if noisy[0] >= max(noisy) else 'b'",
        "no-violation",
    ),
}
RUNS = dict.fromkeys(MECHANISMS, 6_000_000) | {"of_several_lengths": 2_000_000, "of_one_length": 10_000_000}
"""So many that others are asked: lists of several lengths take longer."""


@pytest.fixture
def answers(monkeypatch):
    """What others were asked for, and whether they have answered."""
    found, drawn_by = [], pool.drawn_by

    def noting(worker, job, order):
        done = drawn_by(worker, job, order)
        found.append((type(pickle.loads(order.draw.asked)[0]), done.blocks is not None))
        return done

    monkeypatch.setattr(pool, "drawn_by", noting)
    return found


def checked(path, jobs, runs):
    """The JSON of a check, without what a clock has told."""
    settings = Settings(jobs=jobs, runs=runs, seed=5, keep_going=True, cache=False)
    (result,) = (one for one in check_paths([path], settings) if isinstance(one, Result))
    return without_seconds(result_json(result))


def without_seconds(value):
    if isinstance(value, dict):
        return {key: without_seconds(one) for key, one in value.items() if key != "seconds"}
    return [without_seconds(one) for one in value] if isinstance(value, list) else value


@pytest.mark.process
@pytest.mark.parametrize("name", MECHANISMS)
def test_verdict_and_json_are_those_of_one_worker(name, tmp_path, answers):
    body, verdict = MECHANISMS[name]
    file = tmp_path / "mechanism.py"
    file.write_text(
        "from dplint import dp\n\n\n@dp(epsilon=1.0, neighbors='linf')\n"
        f"def {name}(answers: list[float], rng):\n    {body}\n"
    )
    alone = checked(file, 1, RUNS[name])
    assert not answers, "there was nobody to ask"
    assert alone["verdict"] == verdict
    assert alone["runs"] >= RUNS[name]

    for jobs in (2, 3):
        assert checked(file, jobs, RUNS[name]) == alone
        assert any(answered for _, answered in answers) == (name != "in_words"), "who has counted"
        assert (LessonRequest, True) in answers or name != "of_one_length", "who has learnt"
        answers.clear()
