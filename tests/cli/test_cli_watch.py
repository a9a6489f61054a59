"""`--watch`: a report after every change, none for a check that a change overtook, and a clean end."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
import report_samples as samples

from dplint.cli import main, run_check, run_watch
from dplint.cli.run_watch import snapshot
from dplint.config import Settings, SettingsByFile
from dplint.source.files import Exclusions
from tests.patience import patience

ROOT = Path(__file__).parents[2]
NOTHING = Exclusions(SettingsByFile.fixed(Settings()))


@pytest.fixture
def watch(monkeypatch, tmp_path):
    """Runs `check --watch` over checks made by hand; the last of them is Ctrl-C."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run_watch, "LEAST_PAUSE", 0.001)
    (tmp_path / "m.py").write_text("x = 0\n")

    def run(*checks):
        left = list(checks)
        namespace = SimpleNamespace(check_paths=lambda _paths, _settings, stop, *_: left.pop(0)(stop))
        monkeypatch.setattr(run_check, "check", namespace)
        code = main(["check", "--watch", "--format", "concise"])
        assert not left
        return code

    return run


def interrupted(_stop):
    raise KeyboardInterrupt
    yield


def change():
    Path("m.py").write_text(Path("m.py").read_text() + "x = 1\n")


def test_a_change_brings_a_new_report_and_ctrl_c_ends(watch, capsys):
    def first(_stop):
        # the file changes once the watcher waits
        threading.Timer(0.05, change).start()
        yield samples.FINDINGS[0]

    assert watch(first, interrupted) == 130
    captured = capsys.readouterr()
    assert captured.out.count("DP001") == 1
    assert captured.err.count("checking") == 2
    assert "Traceback" not in captured.err


def test_a_check_that_a_change_overtakes_is_stopped_and_not_reported(watch, capsys):
    stopped = threading.Event()

    def overtaken(stop):
        stop.tell(stopped.set)
        change()
        assert stopped.wait(patience(60))
        yield samples.FINDINGS[0]

    assert watch(overtaken, interrupted) == 130
    assert capsys.readouterr().out == ""


def test_watched_are_the_files_of_the_paths_and_of_the_project(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "lib").mkdir()
    files = [tmp_path / name for name in ("pyproject.toml", "src/m.py", "lib/used.py")]
    for file in files:
        file.write_text("")
    (tmp_path / "notes.txt").write_text("")
    before = snapshot([tmp_path / "src"], NOTHING)
    assert set(before) == set(files)
    assert snapshot([tmp_path / "src"], NOTHING) == before
    files[2].write_text("x = 1\n")
    assert snapshot([tmp_path / "src"], NOTHING) != before
    files[1].unlink()
    assert set(snapshot([tmp_path / "src" / "m.py"], NOTHING)) == {files[0], files[2]}


@pytest.mark.process
def test_a_real_process(tmp_path):
    file = tmp_path / "m.py"
    file.write_text("from dplint import dp\n\n@dp(epsilon=0)\ndef f(rng, data): ...\n")
    (tmp_path / "pyproject.toml").write_text("")
    command = [sys.executable, "-m", "dplint", "check", ".", "--static-only", "--watch", "--format", "concise"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment, cwd=tmp_path, text=True, **streams) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("m.py:3:")
        process.stdout.readline()
        file.write_text("\n" + file.read_text())
        assert process.stdout.readline().startswith("m.py:4:")
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest, error = process.communicate(timeout=patience(60))
    assert (process.returncode, rest) == (130, "")
    assert error.count("watching 2 files") in (1, 2), "Ctrl-C may come before the second one is said"
    assert "Traceback" not in error
