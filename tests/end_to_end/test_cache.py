"""Checks of the same project one after the other: the later one goes on where the earlier one stopped."""

import pytest

from tests.end_to_end.conftest import run_check

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


def evidence(report):
    """What was found, without what differs from run to run: seconds."""
    found = report.results["wrong"]["counterexample"]
    return {key: found[key] for key in ("event", "d1", "d2", "count1", "runs1", "log_e_value", "seed")}


def test_a_second_check_goes_on_and_finds_a_known_violation_again(project):
    first = run_check(".", *OPTIONS, cwd=project, cache=True)
    second = run_check(".", *OPTIONS, cwd=project, cache=True)

    assert (first.code, second.code) == (1, 1)
    assert earlier_runs(first) == {"right": 0, "wrong": 0}
    assert earlier_runs(second)["right"] == first.results["right"]["runs"] > 0
    assert evidence(second) == evidence(first)


def test_a_change_of_the_source_and_no_cache_begin_anew(project):
    run_check(".", *OPTIONS, cwd=project, cache=True)
    kept = {path.name: path.read_bytes() for path in (project / ".dplint_cache").iterdir()}

    without = run_check(".", *OPTIONS, cwd=project)
    assert earlier_runs(without)["right"] == 0
    assert {path.name: path.read_bytes() for path in (project / ".dplint_cache").iterdir()} == kept

    (project / "release.py").write_text(SOURCE.replace("scale=0.2", "scale=0.3"))
    changed = run_check(".", *OPTIONS, cwd=project, cache=True)
    assert earlier_runs(changed)["wrong"] == 0
    assert earlier_runs(changed)["right"] > 0  # it cannot reach what was changed


def test_a_cache_full_of_rubbish_is_a_note_and_no_more(project):
    run_check(".", *OPTIONS, cwd=project, cache=True)
    for path in (project / ".dplint_cache").glob("*.json"):
        path.write_text("rubbish")
    report = run_check(".", *OPTIONS, cwd=project, cache=True)

    assert report.code == 1
    notes = [note for result in report.results.values() for note in result["effort"]["notes"]]
    assert sum("is broken, and is ignored" in note for note in notes) == 2
