"""`--all-functions`: the rules also look at what bears no claim."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dplint.cli import main

TEXT = "def total(values, epsilon, rng):\n    return sum(values) + rng.laplace(scale=epsilon)\n"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.dplint]\n")
    path = tmp_path / "sums.py"
    path.write_text(TEXT)
    return path


def found(capsys: pytest.CaptureFixture[str], *options: str) -> list[tuple[str, str, int]]:
    assert main(["check", "--format", "json", "--static-only", *options, "."]) == 0
    findings = json.loads(capsys.readouterr().out)["findings"]
    return [(one["code"], one["severity"], one["line"]) for one in findings]


def test_only_on_request(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert file.exists()
    assert found(capsys) == []
    assert found(capsys, "--all-functions") == [("DP101", "warning", 2)]
    assert found(capsys, "--all-functions") == [("DP101", "warning", 2)]  # from the cache
    assert found(capsys) == []


def test_tests_are_left_out_as_by_suggest_unless_they_are_named(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.rename(file.with_name("test_sums.py"))

    assert found(capsys, "--all-functions") == []
    assert main(["check", "--format", "json", "--static-only", "--all-functions", "test_sums.py"]) == 0
    assert [one["code"] for one in json.loads(capsys.readouterr().out)["findings"]] == ["DP101"]


def test_by_the_configuration(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.with_name("pyproject.toml").write_text("[tool.dplint]\nall-functions = true\n")

    assert found(capsys) == [("DP101", "warning", 2)]


def test_a_comment_silences_it(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(TEXT.replace("epsilon)\n", "epsilon)  # dplint: ignore[DP101]\n"))

    assert found(capsys, "--all-functions") == []


def test_cells_of_a_notebook_outside_of_functions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = ["%matplotlib inline\n", "import numpy as np\n", "epsilon = 0.5"]
    second = ["ages = np.array([31, 44])\n", "noisy = ages.sum() + np.random.laplace(0, epsilon)\n", "noisy"]
    silenced = ["again = ages.sum() + np.random.laplace(0, 2 * epsilon)  # dplint: ignore[DP101]"]
    code = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [{"cell_type": "markdown", "metadata": {}, "source": ["# Ages"]}]
    cells += [{**code, "source": source} for source in (first, second, silenced)]
    notebook = {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    path = tmp_path / "ages.ipynb"
    path.write_text(json.dumps(notebook))

    assert main(["check", "--format", "json", "--static-only", "--all-functions", str(path)]) == 0

    (one,) = json.loads(capsys.readouterr().out)["findings"]
    assert (one["code"], one["cell"], one["line"], one["column"]) == ("DP101", 3, 2, second[1].index("epsilon") + 1)
    assert one["function"] is None
