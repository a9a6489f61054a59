"""Options of `check` that change files, and the baseline, on real files with nothing run."""

import json
import os
from pathlib import Path

import pytest

from dplint.cli import main
from dplint.cli.buffer import Buffer

WRONG = """from dplint import dp


@dp(epsilon=0)
def f(rng, data):
    return 0
"""
USELESS = "from dplint import dp\n\nx = 1  # dplint: ignore[DP305]\n"
CHECK = ["check", ".", "--static-only", "--format", "concise"]


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "wrong.py").write_text(WRONG)
    return tmp_path


def test_a_baseline_lets_only_new_problems_through(project, capsys):
    assert main(CHECK) == 1
    assert main([*CHECK, "--baseline", "base.json", "--write-baseline"]) == 0
    assert "Wrote 1 of 1 problem to base.json" in capsys.readouterr().err
    (project / "wrong.py").write_text("# moved\n\n" + WRONG)
    assert main([*CHECK, "--baseline", "base.json"]) == 0
    assert "1 in the baseline" in capsys.readouterr().out
    (project / "wrong.py").write_text(WRONG + WRONG.replace("def f", "def g"))
    assert main([*CHECK, "--baseline", "base.json"]) == 1
    out = capsys.readouterr().out
    assert (out.count("DP003"), "1 in the baseline" in out) == (1, True)


def test_the_settings_name_a_baseline_which_need_not_be_there(project, capsys, monkeypatch):
    """It counts from the folder of pyproject.toml; an option wins."""
    Path("pyproject.toml").write_text('[tool.dplint]\nbaseline = "known/base.json"\n')
    Path("known").mkdir()
    assert main(CHECK) == 1
    assert main([*CHECK, "--write-baseline"]) == 0
    assert Path("known/base.json").is_file()
    assert main([*CHECK, "--baseline", "other.json"]) == 2
    assert main([*CHECK, "--baseline", os.devnull]) == 1, "an empty file knows nothing"
    monkeypatch.chdir("known")
    capsys.readouterr()
    assert main(["check", "..", *CHECK[2:]]) == 0
    assert "1 in the baseline" in capsys.readouterr().out


def test_a_baseline_means_the_same_files_from_everywhere(project, capsys, monkeypatch):
    (project / "inner").mkdir()
    main([*CHECK, "--baseline", "base.json", "--write-baseline"])
    capsys.readouterr()
    monkeypatch.chdir(project / "inner")
    assert main(["check", "..", "--static-only", "--baseline", "../base.json", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["baseline"] == 1


def test_a_baseline_does_not_hide_what_could_not_be_checked(project, capsys):
    (project / "broken.py").write_text("from dplint import dp\ndef (")
    assert main([*CHECK, "--baseline", "base.json", "--write-baseline"]) == 2
    assert main([*CHECK, "--baseline", "base.json"]) == 2
    assert "does not parse" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "does not exist. --write-baseline makes it"),
        ("{", "is no JSON"),
        ("[]", "no baseline of this version"),
        ('{"dplint-baseline": 2, "problems": []}', "no baseline of this version"),
        ('{"dplint-baseline": 1, "problems": [{"file": "a"}]}', "without a fingerprint"),
    ],
)
def test_a_file_that_is_no_baseline_is_refused_before_the_work(project, capsys, content, words):
    if content is not None:
        (project / "base.json").write_text(content)
    assert main([*CHECK, "--baseline", "base.json"]) == 2
    assert words in " ".join(capsys.readouterr().err.split())


def test_a_comment_for_all_that_is_reported(project, capsys):
    assert main([*CHECK, "--add-ignore"]) == 0
    assert "wrong.py:4: DP003 silenced in this line" in capsys.readouterr().out
    assert "@dp(epsilon=0)  # dplint: ignore[DP003]" in (project / "wrong.py").read_text()
    assert main(CHECK) == 0
    assert main([*CHECK, "--add-ignore"]) == 0
    assert "Nothing to silence" in capsys.readouterr().out


def test_what_cannot_be_silenced_is_told_and_is_a_failure(project, capsys):
    (project / "broken.py").write_text("from dplint import dp\ndef (")
    assert main([*CHECK, "--add-ignore"]) == 2
    out = capsys.readouterr().out
    assert "Not silenced:" in out
    assert "broken.py:2" in out
    assert "ignore[DP003]" in (project / "wrong.py").read_text()


def test_fix_mends_and_then_checks(project, capsys):
    (project / "useless.py").write_text(USELESS)
    assert main([*CHECK, "--fix"]) == 1
    captured = capsys.readouterr()
    assert "Fixed DP020 in useless.py: Remove the comment" in captured.err
    assert "DP020" not in captured.out
    assert (project / "useless.py").read_text() == "from dplint import dp\n\nx = 1\n"


def test_diff_shows_and_changes_nothing(project, capsys):
    (project / "useless.py").write_text(USELESS)
    assert main([*CHECK, "--diff"]) == 1
    out = capsys.readouterr().out
    assert "--- a/useless.py\n+++ b/useless.py\n" in out
    assert "-x = 1  # dplint: ignore[DP305]\n+x = 1\n" in out
    assert (project / "useless.py").read_text() == USELESS
    (project / "useless.py").unlink()
    assert main([*CHECK, "--diff"]) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "-", "--fix"], "--fix is for files"),
        (["check", "-", "--add-ignore"], "--add-ignore is for files"),
        (["check", ".", "--watch", "--diff"], "--diff is for files, and does not go with --watch"),
        (["check", ".", "--unsafe-fixes"], "give --fix to apply them"),
        (["check", ".", "--write-baseline"], "--baseline FILE"),
    ],
)
def test_options_that_do_not_fit(project, capsys, monkeypatch, arguments, words):
    text = Buffer(Path("stdin.py"), b"")
    monkeypatch.setattr("dplint.cli.run_check.read_buffer", lambda paths, name: text if Path("-") in paths else None)
    assert main(arguments) == 2
    assert words in " ".join(capsys.readouterr().err.split())
