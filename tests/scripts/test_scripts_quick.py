"""`dev.py quick` on a small checkout: what git says has changed, what runs, what is left out, and the exit codes."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from scripts import quick
from scripts.changes import changed_files, checkout
from scripts.selection import Reached

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "pyproject.toml": """
[tool.pytest.ini_options]
markers = ["process", "nightly"]
[tool.mypy]
packages = ["dplint"]
[tool.ruff]
cache-dir = ".cache/ruff"
""",
    "dplint/__init__.py": "",
    "dplint/near.py": "VALUE: int = 1\n",
    "dplint/far.py": "VALUE: int = 2\n",
    "tests/conftest.py": """
from hypothesis import settings

settings.register_profile("local", max_examples=7)
""",
    "tests/test_near.py": """
import pytest
from hypothesis import settings

from dplint.near import VALUE


def test_value():
    assert VALUE == 1
    assert settings().max_examples == 7


@pytest.mark.process
def test_that_starts_processes():
    raise AssertionError("this one must not run")


@pytest.mark.nightly
def test_that_takes_long():
    raise AssertionError("nor this one")
""",
    "tests/test_far.py": "from dplint.far import VALUE\n\n\ndef test_value():\n    assert VALUE == 0\n",
    "README.md": "",
}
WITHOUT_HASTE = ["--seconds", "600", "-n", "0"]
"""On a machine that is busy nothing may be left out; one process suffices."""


def git(folder, *arguments):
    identity = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A checkout of which everything is committed."""
    write(tmp_path, FILES)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "All of it")
    monkeypatch.setattr(quick, "ROOT", tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # the plugin is there
    # That of dplint is not in the package of this checkout.
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:dplint")
    return tmp_path


def write(folder, files):
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


@pytest.mark.process
def test_what_differs_is_what_was_edited_added_or_deleted(project):
    write(project, {"dplint/near.py": "VALUE: int = 3\n", "dplint/new é.py": "", ".gitignore": "*.pyc\n", "a.pyc": ""})
    git(project, "rm", "-q", "README.md")

    changed = ["README.md", ".gitignore", "dplint/near.py", "dplint/new é.py"]
    assert changed_files(project, "HEAD") == sorted(changed)


@pytest.mark.process
def test_a_branch_is_compared_with_where_it_left(project):
    git(project, "checkout", "-q", "-b", "work")
    write(project, {"dplint/near.py": "VALUE: int = 3\n"})
    git(project, "commit", "-q", "-a", "-m", "Another value")
    git(project, "checkout", "-q", "main")
    write(project, {"dplint/far.py": "VALUE: int = 4\n"})
    git(project, "commit", "-q", "-a", "-m", "Somebody else's")
    git(project, "checkout", "-q", "work")

    assert changed_files(project, "HEAD") == []
    assert changed_files(project, "main") == ["dplint/near.py"]
    with pytest.raises(SystemExit, match="no_such_branch"):
        changed_files(project, "no_such_branch")


@pytest.mark.process
def test_the_text_of_a_checkout(project):
    (project / "dplint" / "far.py").unlink()
    write(project, {"fixtures/f.py": "x = 1\n", "vscode-extension/a.py": ""})
    files = checkout(project, changed_files(project, "HEAD"))

    assert files["dplint/near.py"] == "VALUE: int = 1\n"
    assert files["dplint/far.py"] == "", "those who import it are still reached"
    assert files["fixtures/f.py"] is files["README.md"] is None, "these are no modules"
    assert "vscode-extension/a.py" not in files


@pytest.mark.process
def test_nothing_has_changed(project, capsys):
    assert quick.main([]) == 0
    assert "nothing was checked" in capsys.readouterr().out


@pytest.mark.process
def test_only_tests_that_the_change_reaches_run_and_none_that_start_processes(project, capfd):
    write(project, {"dplint/near.py": "VALUE: int = 1  # the same\n"})

    assert quick.main(WITHOUT_HASTE) == 0
    printed = capfd.readouterr().out
    assert "1 file changed; 1 file of tests reached, at most 1 import away" in printed
    assert "1 passed" in printed
    assert "Success: no issues found in 3 source files" in printed


@pytest.mark.process
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("import os\nVALUE: int = 1\n", "F401"),
        ("VALUE: int=1\n", "1 file would be reformatted"),
        ("VALUE: int = 2\n", "assert 2 == 1"),
        ("VALUE: int = 1\nNAME: str = 1\n", "Incompatible types"),
    ],
    ids=["lint", "format", "test", "types"],
)
def test_whatever_fails_is_in_the_exit_code(project, capfd, text, word):
    write(project, {"dplint/near.py": text})

    assert quick.main(WITHOUT_HASTE) == 1
    assert word in capfd.readouterr().out


@pytest.mark.process
def test_files_beyond_the_nearest_are_left_out_and_that_is_said(project, capfd):
    write(project, {"dplint/near.py": "VALUE: int = 1  # the same\n", "dplint/far.py": "VALUE: int = 5\n"})

    assert quick.main([*WITHOUT_HASTE, "--files", "0"]) == 0
    printed = capfd.readouterr().out
    assert "2 files changed; 0 files of tests reached" in printed
    assert "Not run: 2 files of tests that are further away; `dev.py test` runs them" in printed


@pytest.mark.process
@pytest.mark.parametrize("workers", ["0", "2"])
def test_after_its_time_no_test_is_begun_and_that_is_said(project, workers):
    def printed(*options):
        command = [sys.executable, "-m", "pytest", "-q", "-n", workers, "-p", "scripts.no_test_after", "tests"]
        done = subprocess.run([*command, *options], cwd=project, capture_output=True, text=True, check=False)
        return done.stdout

    late, early = printed("--no-test-after", str(time.time())), printed()
    assert "4 tests of 2 files did not run" in late
    assert "tests/test_near.py" in late
    assert "passed" not in late
    assert "failed" not in late
    assert "did not run" not in early
    assert "4 failed" in early


def test_what_is_told_of_a_change():
    changed = ["README.md", "dplint/near.py", "vscode-extension/src/a.ts"]
    reached = [Reached("tests/test_near.py", 1), Reached("tests/test_far.py", 4)]

    assert quick.told(changed, reached, 3, ["README.md", "vscode-extension/src/a.ts"]) == [
        "3 files changed; 2 files of tests reached, at most 4 imports away",
        "Not run: 3 files of tests that are further away; `dev.py test` runs them",
        "No test uses README.md",
        "Not checked here: 1 file of vscode-extension/; `npm run check` there does",
    ]
    assert quick.told(["README.md"], [], 0, ["README.md"])[0] == "1 file changed; 0 files of tests reached"
