"""How a project's tests call its functions, and what is made of it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from dplint.check.recorded import RecordingError, module_of, record_calls
from dplint.cli import main
from dplint.source.files import RECORDED

MODULE = """
from dataclasses import dataclass

import numpy as np


@dataclass
class Ledger:
    epsilon: float
    bins: list

    def histogram(self, ages):
        counts, _ = np.histogram(ages, bins=self.bins)
        return counts + np.random.laplace(scale=1 / self.epsilon, size=len(counts))


class Cohort:
    def __init__(self, ledger, top):
        self.ledger, self.top = ledger, top

    def release(self, rows):
        return sum(rows) + np.random.laplace(scale=self.top / self.ledger.epsilon)


def noisy_sum(values, low, high, epsilon):
    if low > high:
        raise ValueError(low)
    values = np.clip(values, low, high)
    return values.sum() + np.random.laplace(scale=max(abs(low), abs(high)) / epsilon)
"""
TESTS = """
import json

import numpy as np
import pytest
from mechanisms import Cohort, Ledger, noisy_sum

CASES = json.loads('[{"low": 0, "high": 10, "epsilon": 0.5}]')  # what no reading of the text sees


def make(kind, **given):
    return kind(**given)


def test_all():
    ledger = make(Ledger, epsilon=1.0, bins=[0, 20, 40, 60])
    assert len(ledger.histogram(list(range(1000, 1030)))) == 3
    for case in CASES:
        noisy_sum(np.arange(5.0) + 31337, **case)
    with pytest.raises(ValueError):
        noisy_sum(np.zeros(2), 77, 66, 1.0)
    make(Cohort, ledger=ledger, top=9.0).release([31337.5] * 7)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose tests find objects and arguments where no reading of their text does."""
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'p'\n", encoding="utf-8")
    (tmp_path / "mechanisms.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "test_mechanisms.py").write_text(TESTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def calls_in(project: Path) -> list[str]:
    tree = ast.parse((project / RECORDED).read_text(encoding="utf-8"))
    return [ast.unparse(one) for one in tree.body if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)]


@pytest.mark.process
def test_calls_are_written_with_the_objects_they_are_made_on_and_without_data(project: Path) -> None:
    count, passed = record_calls(project, sys.executable)
    calls = calls_in(project)
    assert passed
    assert count == len(calls)
    ledger = "mechanisms.Ledger(epsilon=1.0, bins=[0, 20, 40, 60])"
    assert f"{ledger}.histogram(ages=[0] * 30)" in calls
    assert "mechanisms.noisy_sum(values=numpy.zeros(5), low=0, high=10, epsilon=0.5)" in calls
    assert f"mechanisms.Cohort(ledger={ledger}, top=9.0).release(rows=[0.0] * 7)" in calls
    text = (project / RECORDED).read_text(encoding="utf-8")
    assert "31337" not in text, "data"
    assert "1000" not in text, "data"
    assert "77" not in text, "a call that raises says nothing of what a function takes"


@pytest.mark.process
def test_what_is_recorded_is_evidence_for_claims(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suggest", "mechanisms.py"]) == 0
    before = capsys.readouterr().out
    assert 'args={"low": 0.0, "high": 1.0}' in before, "a guess"
    assert "needs an instance of Ledger" in before
    assert main(["suggest", "mechanisms.py", "--from-tests"]) == 0
    after = capsys.readouterr()
    assert 'domain=(0, 10), args={"low": 0, "high": 10}' in after.out
    assert "needs an instance of Ledger" not in after.out
    assert f"written to {RECORDED}" in after.err


@pytest.mark.process
def test_tests_that_fail_are_told_and_still_say_something(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (project / "test_mechanisms.py").open("a", encoding="utf-8") as file:
        file.write("\n\ndef test_false():\n    assert False\n")
    assert main(["suggest", "mechanisms.py", "--from-tests"]) == 0
    assert "some of the tests fail" in capsys.readouterr().err


@pytest.mark.process
def test_without_tests_there_is_an_error_and_nothing_is_written(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "test_mechanisms.py").unlink()
    assert main(["suggest", "mechanisms.py", "--from-tests"]) == 2
    assert "pytest has run no tests (exit code 5)" in capsys.readouterr().err
    assert not (project / RECORDED).exists()
    with pytest.raises(RecordingError, match="cannot be run"):
        record_calls(project, str(project / "no-python"))


def test_the_file_is_none_to_check(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / RECORDED).write_text("def broken(:\n", encoding="utf-8")
    assert main(["check", ".", "--static-only"]) == 0
    assert RECORDED not in capsys.readouterr().out


def test_lines_that_are_no_python_are_left_out() -> None:
    text, calls = module_of(["a.b.f(x=1)", "a.b.<locals>.g(x=1)", "a.b.f(x=1)"])
    assert calls == 1
    assert "import a.b\n" in text


@pytest.mark.process
def test_the_plugin_needs_nothing_but_the_standard_library() -> None:
    """It runs where the project's tests do, which need not have dplint."""
    from dplint.check import recorded_calls  # noqa: PLC0415 - which sets no profiler until pytest begins

    code = (
        "import runpy, sys; runpy.run_path(sys.argv[1]); print(sorted(one for one in sys.modules if 'dplint' in one))"
    )
    told = subprocess.run(
        [sys.executable, "-I", "-c", code, recorded_calls.__file__], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "[]"
