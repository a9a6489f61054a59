"""What only a real process shows: broken pipes and signals."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys, time
import report_samples as samples
from dplint.cli import main, run_check

class Check:
    def check_paths(self, paths, settings):
        try:
            print("started", file=sys.stderr, flush=True)
            if "wait" in sys.argv:
                time.sleep(60)
            for _ in range(200):
                yield from samples.FINDINGS
        finally:
            print("closed", file=sys.stderr, flush=True)

run_check.check = Check()
sys.exit(main(["check", ".", "--format", "concise"]))
"""


def start(tmp_path: Path, *arguments: str, **streams) -> subprocess.Popen:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests" / "report")])}
    command = [sys.executable, "-c", PROGRAM, *arguments]
    return subprocess.Popen(
        command, env=environment, cwd=tmp_path, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, **streams
    )


def test_a_reader_that_goes_away_is_no_error_message(tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    with start(tmp_path, stdout=writing) as process:
        os.close(writing)
        _, error = process.communicate(timeout=60)
    assert process.returncode == 141
    assert error == "started\nclosed\n"


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
