"""Checks of the same project one after the other: the later one answers from the cache, or goes on from there."""

import json

import pytest

from tests.end_to_end.conftest import run_check

pytestmark = pytest.mark.process

SOURCE = """
from dplint import dp


@dp(epsilon=1.0, neighbors="linf", size=1)
def right(rng, answers):
    return answers[0] + rng.laplace(scale=1.0)


@dp(epsilon=1.0, neighbors="linf", size=1)
def wrong(rng, answers):
    return answers[0] + rng.laplace(scale=0.2)
"""
OPTIONS = ("--method", "anytime", "--runs", 40_000, "--seed", 5)


@pytest.fixture
def project(tmp_path):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "release.py").write_text(SOURCE)
    return tmp_path


def earlier_runs(report):
    return {name: result["effort"]["earlier_runs"] for name, result in report.results.items()}


def cached(report):
    """The mechanisms that were answered with nothing run, by the note that says so."""
    results = report.results.items()
    return {
        name for name, result in results if any(note.startswith("from the cache") for note in result["effort"]["notes"])
    }


def without_effort(report):
    """All results and findings, without what an audit cost and the notes on it."""
    results = [{key: value for key, value in one.items() if key != "effort"} for one in report.document["results"]]
    return json.dumps([results, report.document["findings"], report.document["errors"]])


def test_a_second_check_answers_from_the_cache_with_the_same_results(project):
    (project / "release.py").write_text(SOURCE.replace("import dp", f"import dp\nopen({str(project / 'runs')!r}, 'a')"))
    options = (*OPTIONS, "--allow", "write")
    first = run_check(".", *options, cwd=project, cache=True)
    (project / "runs").unlink()
    second = run_check(".", *options, cwd=project, cache=True)

    assert (first.code, second.code) == (1, 1)
    assert cached(first) == set()
    assert cached(second) == {"right", "wrong"}
    assert second.document["summary"]["cached"] == 2
    assert without_effort(second) == without_effort(first)
    assert not (project / "runs").exists(), "the module was not even imported"


def test_a_larger_budget_goes_on_and_finds_a_known_violation_at_once(project):
    first = run_check(".", *OPTIONS, cwd=project, cache=True)
    more = ("--method", "anytime", "--runs", 60_000, "--seed", 5)
    second = run_check(".", *more, cwd=project, cache=True)

    assert cached(second) == {"wrong"}
    assert earlier_runs(second)["right"] == first.results["right"]["runs"] > 0
    third = run_check(".", *more, cwd=project, cache=True)
    assert cached(third) == {"right", "wrong"}
    assert without_effort(third) == without_effort(second)


def test_a_change_of_the_source_and_no_cache_begin_anew(project):
    run_check(".", *OPTIONS, cwd=project, cache=True)
    kept = {path.name: path.read_bytes() for path in (project / ".dplint_cache").iterdir()}

    without = run_check(".", *OPTIONS, cwd=project)
    assert cached(without) == set()
    assert earlier_runs(without)["right"] == 0
    assert {path.name: path.read_bytes() for path in (project / ".dplint_cache").iterdir()} == kept

    (project / "release.py").write_text(SOURCE.replace("scale=0.2", "scale=0.3"))
    changed = run_check(".", *OPTIONS, cwd=project, cache=True)
    assert cached(changed) == {"right"}  # it cannot reach what was changed
    assert earlier_runs(changed)["wrong"] == 0


def test_a_cache_full_of_rubbish_is_a_note_and_no_more(project):
    run_check(".", *OPTIONS, cwd=project, cache=True)
    for path in (project / ".dplint_cache").glob("*.json"):
        path.write_text("rubbish")
    report = run_check(".", *OPTIONS, cwd=project, cache=True)

    assert report.code == 1
    notes = [note for result in report.results.values() for note in result["effort"]["notes"]]
    assert sum("is no cache file of this version of dplint, and is ignored" in note for note in notes) == 2


NOISE = """
def noisy(rng, answer, epsilon):
    return answer + rng.laplace(scale={scale} / epsilon)
"""
RELEASE = """
from dplint import dp

from noise import noisy


@dp(epsilon="epsilon", neighbors="l1")
def release(rng, answers, epsilon):
    return [noisy(rng, answer, epsilon) for answer in answers]
"""


def test_a_proof_is_known_as_long_as_all_that_it_is_about_stays_the_same(project):
    (project / "release.py").write_text(RELEASE)
    (project / "noise.py").write_text(NOISE.format(scale=1))
    options = ("--budget", "5s", "--seed", 5)

    first = run_check(".", *options, cwd=project, cache=True)
    again = run_check(".", *options, cwd=project, cache=True)
    (project / "noise.py").write_text(NOISE.format(scale=0.5))
    changed = run_check(".", *options, cwd=project, cache=True)

    assert [one.results["release"]["verdict"] for one in (first, again)] == ["proved", "proved"]
    assert (cached(first), cached(again), cached(changed)) == (set(), {"release"}, set())
    assert changed.results["release"]["verdict"] == "violation"
