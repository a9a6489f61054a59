"""Arguments and objects that calls in the project make, in a whole check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dplint.cli import main

LIBRARY = """
from dataclasses import dataclass

import numpy as np

from dplint import dp


@dataclass
class Domain:
    low: float
    high: float


class Release:
    def __init__(self, domain, weights):
        self.domain, self.weights = domain, weights

    @dp(epsilon="epsilon", neighbors="replace-one", domain=(0.0, 10.0), size=3)
    def total(self, rows, epsilon):
        kept = np.clip(rows, self.domain.low, self.domain.high)
        scale = self.domain.high * self.weights.max() / epsilon
        return float((kept * self.weights).sum()) + np.random.laplace(scale=scale)


@dp(epsilon="epsilon", neighbors="replace-one", domain=(0.0, 10.0), size=3)
def weighted(rows, epsilon, domain, weights):
    kept = np.clip(rows, domain.low, domain.high)
    return float((kept * weights).sum()) + np.random.laplace(scale=domain.high / 20 / epsilon)
"""
USE = """
import numpy as np
from lib import Domain, Release, weighted

DOMAIN = Domain(low=0.0, high=5.0)


def main(rows):
    print(Release(domain=DOMAIN, weights=np.array([1.0, 2.0, 1.0])).total(rows, 0.5))
    print(weighted(rows, 0.5, DOMAIN, np.ones(3)))
"""


@pytest.mark.process
def test_objects_and_arrays_are_made_as_callers_make_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One record moves the weighted sum by 5, and the noise of `weighted` is made for 0.25."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'p'\n", encoding="utf-8")
    (tmp_path / "lib.py").write_text(LIBRARY, encoding="utf-8")
    assert main(["check", ".", "--no-cache", "--budget", "2s", "--format", "json"]) == 2, "nobody says what they take"
    capsys.readouterr()
    (tmp_path / "use.py").write_text(USE, encoding="utf-8")
    assert main(["check", ".", "--no-cache", "--budget", "2s", "--format", "json"]) == 1
    total, wrong = json.loads(capsys.readouterr().out)["results"]
    assert total["verdict"] == "proved-in-part", "for three records, by what it does"
    assert total["proof"]["scope"]["sizes"] == {"smallest": 3, "largest": 3}
    assert "the object is made as Release(domain=Domain(low=0.0, high=5.0)" in " ".join(total["effort"]["notes"])
    assert wrong["verdict"] == "violation"
    arguments = {one["name"]: one["value"] for one in wrong["counterexample"]["witness"]["arguments"]}
    assert arguments["domain"] == ":Domain(low=0.0, high=5.0)"
    assert arguments["weights"] == "numpy:ones(3)"


BY_NAME = """
import enum

import numpy as np

from dplint import dp


class Mode(enum.Enum):
    SUM = 1
    MEAN = 2


class Counter:
    def __init__(self, start):
        self.calls = start

    def step(self):
        self.calls += 1
        return self.calls


@dp(epsilon="epsilon", neighbors="replace-one", domain=(0.0, 10.0), args={"mode": [":Mode.SUM", ":Mode.MEAN"]}, size=3)
def by_mode(rows, epsilon, mode):
    if mode is Mode.SUM:
        return sum(rows) + np.random.laplace(scale=10 / epsilon)
    return sum(rows) / 3 + np.random.laplace(scale=10 / 3 / epsilon)


@dp(epsilon="epsilon", neighbors="replace-one", domain=(0.0, 10.0), args={"counter": ":Counter(start=0)"}, size=3)
def counted(rows, epsilon, counter):
    return sum(rows) + np.random.laplace(scale=10 / epsilon / counter.step())
"""


@pytest.mark.process
def test_what_is_given_by_name_is_run_many_times_at_once_and_each_run_has_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A counter that runs shared would divide the noise by more and more: a violation after a few runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib.py").write_text(BY_NAME, encoding="utf-8")
    assert main(["check", "lib.py", "--no-cache", "--budget", "2s", "--format", "json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    for one in results:
        assert one["verdict"] == "proved-in-part"
        assert one["runs"] > 0, "runs go on against what is proved of few records"
        assert "every run calls the function" not in " ".join(one["effort"]["notes"])
    assert ":Mode.SUM" in str(results[0]["proof"]["scope"]["arguments"]), "a proof of one value says so"


UNPREPARED = """
import numpy as np

from dplint import dp


class Quantile:
    def __init__(self):
        self.steps = 0

    def reset(self, start):
        self.guess = start

    @dp(epsilon=1.0, neighbors="any", domain=(0.0, 1.0))
    def release(self, value):
        return value + self.guess + np.random.laplace(scale=1.0)
"""


@pytest.mark.process
def test_an_object_that_another_method_prepares_is_told_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is not the data that is to blame."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib.py").write_text(UNPREPARED, encoding="utf-8")
    assert main(["check", "lib.py", "--no-cache", "--runs", "2000"]) == 2
    said = " ".join(capsys.readouterr().out.split())
    assert "'Quantile' object has no attribute 'guess'" in said
    assert "let make= of the claim name a function that makes the object and prepares it" in said
    assert "annotate" not in said
