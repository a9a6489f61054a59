"""Scratch folders of those who had no time to remove them are gone with the next run; all others stay."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from dplint.runner import scratch

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")]
ROOT = Path(__file__).resolve().parents[2]
HOLDS = f"""
import sys, time
sys.path.insert(0, {str(ROOT)!r})
from dplint.runner.scratch import make_scratch
print(make_scratch()[0], flush=True)
time.sleep(1000)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(scratch, "_NEW_SECONDS", 0.0)
    return tmp_path


def holding(folder):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS], stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(folder)}
    )
    return process, Path(process.stdout.readline().strip())


def test_that_of_a_killed_process_is_gone_with_the_next_run(folder):
    process, path = holding(folder)
    (path / "left").write_text("behind")
    scratch.sweep()
    assert path.exists()
    process.kill()
    process.communicate()
    scratch.sweep()
    assert not path.exists()


def test_a_process_of_another_container_has_a_lock(folder):
    """Its number is not known here."""
    process, path = holding(folder)
    try:
        elsewhere = path.rename(folder / f"dplint-run-{2**22 + 1}-x")
        scratch.sweep()
        assert elsewhere.exists()
    finally:
        process.kill()
        process.communicate()


def test_what_has_just_been_made_and_what_is_no_folder_stay(folder, monkeypatch):
    monkeypatch.setattr(scratch, "_NEW_SECONDS", 60.0)
    new, link = folder / f"dplint-run-{2**22 + 1}-new", folder / f"dplint-run-{2**22 + 1}-link"
    new.mkdir()
    (folder / "theirs").mkdir()
    old = time.time() - 1000
    os.utime(folder / "theirs", (old, old))
    link.symlink_to(folder / "theirs")
    scratch.sweep()
    monkeypatch.setattr(scratch, "_NEW_SECONDS", 0.0)
    new.rmdir()
    scratch.sweep()
    assert (folder / "theirs").exists()
