"""Files that somebody has put where sources and settings are read: nobody waits for them, or takes them into memory."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from dplint import contents
from dplint.config import ConfigError
from dplint.config.document import find_pyproject, read_document
from dplint.contents import content
from dplint.store.key import is_tracked
from tests.patience import patience

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such files")
CLAIM = "from dplint import dp\n\n\n@dp(epsilon=1.0, neighbors='linf')\ndef m(data: float, rng):\n    return data\n"
ADDRESS_SPACE = 4 << 30


def pipe(path):
    os.mkfifo(path)


def without_end(path):
    path.symlink_to("/dev/zero")


def huge(path):
    with path.open("wb") as stream:
        stream.truncate(1 << 40)  # no block of the disk


KINDS = {"a pipe": pipe, "a device without end": without_end, "a terabyte": huge}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_not_read(kind, tmp_path):
    KINDS[kind](tmp_path / "m.py")
    with pytest.raises(OSError, match=r"no regular file|more than 128 MiB"):
        content(tmp_path / "m.py")


def test_a_file_that_grows_while_it_is_read_ends(tmp_path, monkeypatch):
    path = tmp_path / "m.py"
    path.write_bytes(b"x" * 10)
    assert content(path) == b"x" * 10
    monkeypatch.setattr(contents, "MOST_BYTES", 9)
    with pytest.raises(OSError, match="more than"):
        content(path)
    monkeypatch.setattr(contents.os, "fstat", lambda _: os.stat_result((0o100600, *[0] * 9)))
    with pytest.raises(OSError, match="more than"):
        content(path)


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


def checked(folder):
    """The exit code and all that a static check says, with an end to its memory and its time."""
    command = [sys.executable, "-m", "dplint", "check", ".", "--static-only", "--format", "concise", "--no-progress"]
    environment = {**os.environ, "PYTHONPATH": str(Path(contents.__file__).parents[1])}
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        preexec_fn=limited,
        capture_output=True,
        text=True,
        timeout=patience(60),
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.process
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["pyproject.toml", "imported.py", ".git/index", "known.json"])
def test_a_check_of_a_folder_with_one_ends_with_a_word(name, kind, tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".dplint_cache").mkdir()
    (tmp_path / "m.py").write_text(f"import imported\nfrom imported import *\n{CLAIM}")
    if name == "known.json":
        (tmp_path / "pyproject.toml").write_text("[tool.dplint]\nbaseline = 'known.json'\n")
    KINDS[kind](tmp_path / name)
    code, said = checked(tmp_path)
    assert "Traceback" not in said
    assert code == (0 if name == ".git/index" or (name == "imported.py" and kind != "a terabyte") else 2), said
    assert code == 0 or "no regular file" in said or "more than 128 MiB" in said


@pytest.mark.parametrize("text", ["[" * 50_000, "a = " + "[" * 50_000 + "]" * 50_000, "a = " + "{b=" * 50_000])
def test_settings_that_are_nested_too_deeply_are_told(text, tmp_path):
    path = tmp_path / "pyproject.toml"
    path.write_text(f"[tool.dplint]\n{text}")
    with pytest.raises(ConfigError):
        read_document(path)
    assert find_pyproject(tmp_path) == path


def test_a_git_folder_that_is_named_by_a_huge_file_tracks_nothing(tmp_path):
    huge(tmp_path / ".git")
    assert not is_tracked(tmp_path / "m.py")
