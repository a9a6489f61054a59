"""`dplint suggest`: what is printed, what is written, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dplint.cli import main

SURE = "def sure(x: list[bool], epsilon, rng):\n    return len(x) + rng.laplace(scale=1 / epsilon)\n"
GUESS = "def guess(x, epsilon, rng):\n    return len(x) + rng.laplace(scale=1 / epsilon)\n"
CLAIM = '# dplint: dp(epsilon="epsilon", neighbors="add-remove")\n'


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.dplint]\n")
    path = tmp_path / "counts.py"
    path.write_text(GUESS + "\n\n" + SURE)
    return path


def test_the_surest_comes_first(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suggest", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["suggestions"]

    assert [(one["function"], one["line"], one["confidence"]) for one in found] == [
        ("sure", 5, "high"),
        ("guess", 1, "medium"),
    ]
    assert found[0]["arguments"] == {"epsilon": '"epsilon"', "neighbors": '"add-remove"'}
    assert not found[0]["uncertain"]
    assert found[1]["uncertain"]


def test_only_what_is_sure_enough_is_written(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suggest", "--write", "--confidence", "high"]) == 0

    assert file.read_text() == f"{GUESS}\n\n{CLAIM}{SURE}"
    assert capsys.readouterr().out.endswith("1 claim written in 1 file.\n")


def test_a_difference_is_shown_and_nothing_is_written(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = file.read_text()

    assert main(["suggest", "--diff"]) == 1
    assert f"+{CLAIM}" in capsys.readouterr().out
    assert file.read_text() == before

    file.write_text("x = 1\n")
    assert main(["suggest", "--diff"]) == 0


def test_line_ends_and_the_byte_order_mark_stay(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + SURE.replace("\n", "\r\n").encode())

    assert main(["suggest", "--write"]) == 0
    assert file.read_bytes() == b"\xef\xbb\xbf" + (CLAIM + SURE).replace("\n", "\r\n").encode()


@pytest.mark.parametrize(
    "name", ["tests/counts.py", "simulated_data/counts.py", "test_counts.py", "benchmarks/counts.py", "plot_error.py"]
)
def test_tests_plots_and_benchmarks_are_left_out_unless_they_are_named(
    file: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file.parent / name
    path.parent.mkdir(exist_ok=True)
    file.rename(path)

    assert main(["suggest"]) == 0
    assert "No function without a claim" in capsys.readouterr().out
    assert main(["suggest", name]) == 0
    assert "2 claims suggested" in capsys.readouterr().out


def test_a_file_that_cannot_be_read_is_an_error(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.with_name("broken.py").write_text("laplace = (\n")

    assert main(["suggest"]) == 2
    printed = capsys.readouterr()
    assert "broken.py" in printed.err
    assert "2 claims suggested" in printed.out


def test_questions_need_a_terminal(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suggest", "--interactive"]) == 2
    assert "needs a terminal" in capsys.readouterr().err


@pytest.mark.parametrize(("answers", "written"), [("yn", 1), ("ny", 1), ("a", 2), ("ya", 2), ("q", 0), ("yq", 1)])
def test_what_is_accepted_is_written(
    file: Path, answers: str, written: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    left = iter(answers)
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(f"dplint.cli.run_suggest.sys.{stream}.isatty", lambda: True)
    monkeypatch.setattr("rich.prompt.Prompt.ask", lambda *_, **__: next(left))

    assert main(["suggest", "--interactive"]) == 0
    assert file.read_text().count("# dplint: dp(") == written
    assert next(left, None) is None


def test_one_way_at_a_time(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["suggest", "--write", "--diff"]) == 2
    assert "do not go together" in capsys.readouterr().err
