"""`dplint check -`: a text on the standard input, checked as the file that it stands for."""

import io
import json
import sys
from types import SimpleNamespace

import pytest

from dplint.cli import main

WRONG = b"from dplint import dp\n\n@dp(epsilon=0)\ndef f(rng, data): ...\n"


@pytest.fixture
def typed(monkeypatch, tmp_path):
    """Puts bytes on the standard input, in a project of its own."""
    (tmp_path / "src").mkdir()
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)

    def put(raw: bytes):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(raw)))
        return tmp_path

    return put


def test_the_text_is_checked_and_not_the_file(typed, capsys):
    folder = typed(WRONG)
    (folder / "src" / "m.py").write_text("this is no Python\n")
    assert main(["check", "-", "--stdin-filename", "src/m.py", "--static-only"]) == 1
    out = capsys.readouterr().out
    assert "src/m.py:3:" in out
    assert "3 │ @dp(epsilon=0)" in out, "the line that is shown is the one of the text"


def test_the_settings_are_those_of_the_file(typed, capsys):
    folder = typed(WRONG)
    (folder / "src" / "pyproject.toml").write_text("[tool.dplint]\nignore = ['DP003']\n")
    assert main(["check", "-", "--stdin-filename", "src/m.py", "--static-only"]) == 0
    typed(WRONG)
    assert main(["check", "-", "--static-only", "--format", "concise"]) == 1
    assert "stdin.py:3:" in capsys.readouterr().out


@pytest.mark.parametrize("raw", [b"from dplint import dp\ndef f(", b"# dplint \xff\n"])
def test_what_cannot_be_read_is_a_failure(typed, capsys, raw):
    typed(raw)
    assert main(["check", "-", "--format", "json", "--exit-zero"]) == 2
    (error,) = json.loads(capsys.readouterr().out)["errors"]
    assert error["file"] == "stdin.py"


@pytest.mark.process
def test_mechanisms_of_the_text_are_audited(typed, capsys):
    """The text is run, although there is no such file."""
    typed(b"# dplint: dp(epsilon=1.0, neighbors='l1', size=2)\ndef leak(rng, data):\n    return data[0]\n")
    arguments = [
        "--stdin-filename",
        "src/m.py",
        "--format",
        "json",
        "--select",
        "DP9",
        "--runs",
        "40000",
        "--jobs",
        "1",
    ]
    assert main(["check", "-", *arguments]) == 1
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert (result["verdict"], result["function"], result["file"]) == ("violation", "leak", "src/m.py")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["-", "src"], "together with other paths"),
        (["src", "--stdin-filename", "x.py"], 'give "-" as the path'),
        (["-", "--watch"], "--watch is for files"),
    ],
)
def test_bad_usage(typed, capsys, arguments, part):
    typed(WRONG)
    assert main(["check", *arguments]) == 2
    assert part in capsys.readouterr().err
