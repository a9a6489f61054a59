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
        (["src", "--stdin-filename", "x.py"], "give \"-\" or 'x.py' as the path"),
        (["-", "--watch"], "--watch is for files"),
    ],
)
def test_bad_usage(typed, capsys, arguments, part):
    typed(WRONG)
    assert main(["check", *arguments]) == 2
    assert part in capsys.readouterr().err


TWO = b"""from dplint import dp


@dp(epsilon=0)
def first(rng, data): ...


@dp(epsilon=0)
def second(rng, data): ...
"""


def test_one_function_of_the_text_is_checked_alone(typed, capsys):
    typed(TWO)
    check = ["check", "src/m.py::second", "--stdin-filename", "src/m.py", "--static-only", "--format", "concise"]
    assert main(check) == 1
    out = capsys.readouterr().out
    assert "src/m.py:8:" in out
    assert "src/m.py:4:" not in out
    typed(TWO)
    assert main([*check[:1], "src/m.py::third", *check[2:]]) == 2
    assert "third bears no claim" in capsys.readouterr().out


FIXABLE = b"""from dplint import dp


@dp(epsilon="epsilom", neighbors="l1")
def first(rng, data, epsilon): ...


@dp(epsilon="epsilom", neighbors="l1")
def second(rng, data, epsilon): ...
"""


def test_what_would_be_mended_in_the_text_is_shown_of_one_function_or_of_all(typed, capsys):
    """Nothing is written, so that no file is needed."""
    folder = typed(FIXABLE)
    diff = ["--stdin-filename", "m.py", "--static-only", "--diff", "--unsafe-fixes"]
    assert main(["check", "-", *diff]) == 1
    assert capsys.readouterr().out.count('+@dp(epsilon="epsilon"') == 2
    typed(FIXABLE)
    assert main(["check", "m.py::second", *diff]) == 1
    out = capsys.readouterr().out
    assert out.count('+@dp(epsilon="epsilon"') == 1
    assert " def second" in out
    assert not (folder / "m.py").exists()


PLAIN = b"def noisy(rng, data: float, epsilon):\n    return data + rng.laplace(scale=1 / epsilon)\n"


@pytest.mark.process
def test_other_commands_read_the_text_too(typed, capsys):
    """The scale is that of sensitivity 1 over epsilon: epsilon is the loss, and half of it would be too little."""
    typed(PLAIN)
    assert main(["suggest", "-"]) == 0
    assert "stdin.py:1: noisy" in capsys.readouterr().out
    typed(PLAIN)
    named = ["--stdin-filename", "m.py"]
    assert main(["inspect", "loss", "m.py::noisy", "--neighbors", "linf", *named]) == 0
    assert "m.py:1:5" in capsys.readouterr().out
    claimed = b"# dplint: dp(epsilon='epsilon / 2', neighbors='linf')\n" + PLAIN
    typed(claimed)
    assert main(["budget", "-"]) == 0
    assert "stdin.py::noisy  claims 0.5 * epsilon" in capsys.readouterr().out
    typed(claimed)
    assert main(["inspect", "worst", "m.py::noisy", "--budget", "500ms", *named]) == 1
    assert "m.py::noisy" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["suggest", "-", "--write", "--stdin-filename", "m.py"], "--write is for files"),
        (["suggest", "-", "--write"], "--write is for files"),
        (["suggest", "m.py::f", "--stdin-filename", "m.py"], "this is for whole texts"),
        (["budget", "-", "src"], "together with other paths"),
        (["inspect", "worst", "m.py::g", "--stdin-filename", "m.py"], "has no function 'g'"),
        (["check", "m.py::f", "--fix", "--stdin-filename", "m.py"], "--fix is for files"),
    ],
)
def test_bad_usage_of_other_commands(typed, capsys, arguments, part):
    typed(WRONG)
    assert main(arguments) == 2
    assert part in capsys.readouterr().err
