"""Checks without claims, of one function alone, and by codes for some files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dplint.cli import main

COUNT = "def count(x, epsilon, rng):\n    return len(x) + rng.laplace(scale=1 / epsilon)\n"
WRONG = (
    'from dplint import dp\n\n\n@dp(epsilon="epsilon", neighbors="l1")\n'
    "def {name}(counts, epsilon, rng):\n    return [c + rng.laplace(scale=epsilon) for c in counts]\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.dplint]\nstatic-only = true\ncache = false\n")
    return tmp_path


def codes(capsys: pytest.CaptureFixture[str], *options: str) -> list[tuple[str, str, str]]:
    main(["check", "--output-format", "json", *options])
    found = json.loads(capsys.readouterr().out)["findings"]
    return [(Path(one["file"]).name, one["function"], one["code"]) for one in found]


def test_nothing_tested_does_not_look_like_a_pass(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "counts.py").write_text(COUNT)

    assert main(["check", "."]) == 0
    error = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert "No claims, so nothing was tested: 1 function adds noise to data; try `dplint suggest .`." in error
    assert main(["check", ".", "--require-claims"]) == 2
    assert main(["check", ".", "--require-claims", "-q"]) == 2


@pytest.mark.parametrize(
    "text",
    [
        "# dplint: dp(epsilon='epsilon', neighbors='add-remove', domain=(0, 1))\n" + COUNT,
        "# dplint: dp(epsilon='epsilom')\n" + COUNT,  # wrong, but a claim
    ],
)
def test_with_a_claim_there_is_no_box(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "counts.py").write_text(text)

    main(["check", ".", "--require-claims"])
    assert "No claims" not in capsys.readouterr().err


def test_a_claim_in_pyproject_is_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (folder / "pyproject.toml").open("a") as file:
        file.write('[tool.dplint.mechanisms."counts:count"]\nepsilon = 1\nneighbors = "l1"\n')
    (folder / "counts.py").write_text(COUNT)

    assert main(["check", ".", "--require-claims"]) == 0


def test_one_function_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = WRONG.format(name="one") + "\n\n" + WRONG.format(name="two").partition("\n\n\n")[2]
    (folder / "two.py").write_text(both)

    whole = codes(capsys, "two.py")
    assert {function for _, function, _ in whole} == {"one", "two"}
    assert codes(capsys, "two.py::two") == [one for one in whole if one[1] == "two"]
    assert codes(capsys, "two.py:6") == [one for one in whole if one[1] == "one"]
    assert codes(capsys, "two.py::one", "two.py:11") == whole
    around = f"../{folder.name}/two.py::two"
    assert [function for _, function, _ in codes(capsys, around)] == ["two"]


@pytest.mark.parametrize("target", ["two.py::nobody", "two.py:1"])
def test_a_choice_that_nothing_fits_is_an_error(folder: Path, target: str, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "two.py").write_text(WRONG.format(name="one"))

    assert main(["check", target]) == 2
    assert "bears no claim" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments", [["two.py", "two.py::one"], [".::one"], ["two.py::one", "--fix"], ["none.py::one"], ["none.py:1"]]
)
def test_what_does_not_go_together(folder: Path, arguments: list[str]) -> None:
    (folder / "two.py").write_text(WRONG.format(name="one"))

    assert main(["check", *arguments]) == 2


SEEDED = (
    'import numpy as np\nfrom dplint import dp\n\n\n@dp(epsilon="epsilon", neighbors="l1")\n'
    "def seeded(counts, epsilon):\n    rng = np.random.default_rng()\n"
    "    return [c + rng.laplace(scale=epsilon) for c in counts]\n"
)


def test_codes_besides_those_that_are_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "two.py").write_text(SEEDED)
    usual = codes(capsys, ".")
    assert usual

    more = codes(capsys, ".", "--extend-select", "DP301")
    assert set(usual) < set(more)
    assert {code for _, _, code in more} - {code for _, _, code in usual} == {"DP301"}
    assert {code for _, _, code in codes(capsys, ".", "--select", "DP301")} == {"DP301"}


def test_codes_left_out_in_some_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "old").mkdir()
    (folder / "old/one.py").write_text(WRONG.format(name="one"))
    (folder / "new.py").write_text(WRONG.format(name="one"))
    assert {file for file, _, code in codes(capsys, ".") if code == "DP101"} == {"one.py", "new.py"}

    assert {file for file, _, code in codes(capsys, ".", "--per-file-ignores", "old/*:DP1")} == {"new.py"}
    with (folder / "pyproject.toml").open("a") as file:
        file.write("[tool.dplint.per-file-ignores]\n'new.py' = ['DP101']\n")
    assert {file for file, _, code in codes(capsys, ".") if code == "DP101"} == {"one.py"}


def test_the_version_has_a_short_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-V"]) == 0
    short = capsys.readouterr().out
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == short
