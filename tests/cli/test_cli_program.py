"""`program`: targets, formats, exit codes. Nothing stands in for the lowering."""

import json
from pathlib import Path

import pytest

from dplint.cli import main

SOURCE = """
import numpy as np
from dplint import dp

raise SystemExit("the command runs nothing of the file")


@dp(epsilon="epsilon", neighbors="linf")
def noisy_max(rng, queries, epsilon):
    return int(np.argmax([q + rng.laplace(scale=2 / epsilon) for q in queries]))


@dp(epsilon="epsilon", neighbors="linf")
def sorted_up(rng, queries, epsilon):
    return sorted(bytes(1)), 1j


@dp(epsilon=-1)
def negative(rng, queries):
    return rng.laplace()


def no_claim(x):
    return x
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "release.py").write_text(SOURCE)
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def test_a_program_is_printed_plainly_into_a_pipe(project, capsys):
    assert main(["inspect", "program", "src/release.py::noisy_max"]) == 0

    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "10 \N{BOX DRAWINGS LIGHT VERTICAL}     return int(numpy.argmax([q + rng.laplace(" in out


def test_a_refused_construct_makes_the_code_one(project, capsys):
    assert main(["inspect", "program", "src/release.py::sorted_up"]) == 1

    out = capsys.readouterr().out
    assert "a call of bytes" in out
    assert "a complex number\n" in out


def test_a_file_shows_all_its_mechanisms_and_what_is_wrong_with_claims(project, capsys):
    assert main(["inspect", "program", "src/release.py", "--format", "json"]) == 2

    document = json.loads(capsys.readouterr().out)
    assert [one["function"] for one in document["programs"]] == ["noisy_max", "sorted_up"]
    assert [one["function"] for one in document["findings"]] == ["negative"]


def test_a_broken_claim_is_shown_in_place_of_the_program(project, capsys):
    assert main(["inspect", "program", "src/release.py::negative"]) == 2
    assert "DP0" in capsys.readouterr().out


def test_a_function_without_a_claim_has_no_program(project, capsys):
    assert main(["inspect", "program", "src/release.py::no_claim"]) == 2
    assert "bears no claim" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("src/release.py::noisy_mx", "Did you mean 'noisy_max'?"),
        ("src/relaese.py::noisy_max", "Did you mean 'release.py'?"),
        ("src::noisy_max", "is a folder"),
        ("src", "name one file"),
        ("src/release.py::", "write FILE::FUNCTION"),
        ("::noisy_max", "write FILE::FUNCTION"),
    ],
)
def test_a_wrong_target_says_what_is_right(project, capsys, target, message):
    assert main(["inspect", "program", target]) == 2
    assert message in capsys.readouterr().err


def test_a_file_that_does_not_parse_is_an_error(project, capsys):
    Path("src/release.py").write_text("from dplint import dp\n\ndef f(:\n")

    assert main(["inspect", "program", "src/release.py"]) == 2
    assert "does not parse" in capsys.readouterr().out


def test_the_report_goes_to_a_file(project, capsys):
    assert main(["inspect", "program", "src/release.py::noisy_max", "-o", "out.txt"]) == 0
    assert "numpy.argmax" in Path("out.txt").read_text(encoding="utf-8")
    assert capsys.readouterr().out == ""
