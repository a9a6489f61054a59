"""What only a real process shows: broken pipes and signals."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys, time
import report_samples as samples
from dplint.cli import main, run_check

class Check:
    def check_paths(self, paths, settings, stop, *_shard):
        try:
            print("started", file=sys.stderr, flush=True)
            if "wait" in sys.argv:
                time.sleep(60)
            if "until stopped" in sys.argv:
                while not stop.requested:
                    time.sleep(0.01)
            if "for ever" in sys.argv:
                while True:
                    time.sleep(0.01)
            for _ in range(200):
                yield from samples.FINDINGS
        finally:
            print("closed", file=sys.stderr, flush=True)

run_check.check = Check()
sys.exit(main(["check", ".", "--format", "concise", *(option for option in sys.argv if option == "--quiet")]))
"""


def start(tmp_path: Path, *arguments: str, **streams) -> subprocess.Popen:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests" / "report")])}
    command = [sys.executable, "-c", PROGRAM, *arguments]
    streams = {"stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **streams}
    return subprocess.Popen(command, env=environment, cwd=tmp_path, text=True, **streams)


def test_a_reader_that_goes_away_is_no_error_message(tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    with start(tmp_path, stdout=writing) as process:
        os.close(writing)
        _, error = process.communicate(timeout=60)
    assert process.returncode == 141
    assert error == "started\nclosed\n"


def read_until(terminal: int, words: str) -> str:
    """What the process writes to its terminal, up to these words."""
    text = ""
    while words not in text:
        text += os.read(terminal, 4096).decode()
    return text


@pytest.mark.parametrize("quiet", [True, False])
def test_in_a_terminal_the_first_ctrl_c_asks_for_the_report(tmp_path, quiet):
    terminal, stderr = pty.openpty()
    with start(
        tmp_path, "until stopped", *(["--quiet"] if quiet else []), stdout=subprocess.PIPE, stderr=stderr
    ) as process:
        os.close(stderr)
        shown = read_until(terminal, "started")
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        shown += read_until(terminal, "closed")
    os.close(terminal)
    assert process.returncode == 130
    assert output.count("DP001") == 200, "the report is there"
    assert "stopping" in shown


def test_the_second_ctrl_c_ends_at_once(tmp_path):
    terminal, stderr = pty.openpty()
    with start(tmp_path, "for ever", "--quiet", stdout=subprocess.PIPE, stderr=stderr) as process:
        os.close(stderr)
        read_until(terminal, "started")
        process.send_signal(signal.SIGINT)
        read_until(terminal, "stopping")
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        read_until(terminal, "closed")
    os.close(terminal)
    assert (process.returncode, output) == (130, "")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_closes_the_stream_and_is_quiet(tmp_path, number, code):
    with start(tmp_path, "wait", stdout=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "started\n"
        process.send_signal(number)
        output, error = process.communicate(timeout=60)
    assert process.returncode == code
    assert output == ""
    assert error == "closed\n"


FROZEN = """
import gc, sys
from dplint.cli import main
code = main(["explain"])
before = gc.get_freeze_count()
sys.argv = ["dplint", "explain"]
code += main()
print(code, before, gc.get_freeze_count() > 10_000, file=sys.stderr)
"""


def test_what_was_loaded_is_not_looked_through_when_the_command_ends():
    """That would take a fifth of a short check. Who calls it as a function goes on, with a collector that works."""
    found = subprocess.run([sys.executable, "-c", FROZEN], capture_output=True, text=True, check=True)

    assert found.stderr.split() == ["0", "0", "True"]
