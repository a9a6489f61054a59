"""Outputs, messages and files that are larger, deeper or fewer than they should be: an answer, and no silence."""

import io
import os
import pickle
import resource
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from dplint.cli.output import report_stream, whole_file
from dplint.outcomes import Failed, FailureKind, NoViolation, Untestable, Violation
from dplint.runner import frames as runner_frames
from dplint.workers import frames
from dplint.workers.messages import Done
from dplint.workers.pool import run_jobs
from tests.workers.jobs import job_from

HEAD = """import json, random, time
import numpy as np
from dplint import dp


def broken(*_, **__):
    raise RuntimeError("patched")


{first}


@dp(epsilon=1.0, neighbors="linf")
def m(data: float, rng):
    return {output}
"""


def outcome(folder, *, first="", output="data + rng.laplace(scale=1.0)"):
    (folder / "hostile.py").write_text(HEAD.format(first=first, output=output))
    job = job_from(folder / "hostile.py", max_runs=20_000, deadline=30.0)
    (result,) = [message.body.result for message in run_jobs([job], 1) if isinstance(message.body, Done)]
    return result


ANSWERED = {
    "a number of 200,000 digits": ("10**200000", (Untestable, NoViolation)),
    "one of 5,000 beside noise": ("[10**5000, data + rng.laplace(scale=1.0)]", (NoViolation,)),
    "one of 5,000 that tells": ("10**5000 * round(data) + 0 * rng.laplace(scale=1.0)", (Violation, Failed)),
    "a shift": ("(1 << 10**6) * round(data)", (Violation,)),
    "a long text": ("'x' * 10**6", (Untestable, NoViolation)),
    "a deep list": ("json.loads('[' * 500 + ']' * 500)", (Untestable, NoViolation, Failed)),
    "a list that holds itself": ("(lambda x: x.append(x) or x)([])", (Untestable, NoViolation, Failed)),
}


@pytest.mark.process
@pytest.mark.parametrize("name", ANSWERED)
def test_what_is_large_or_deep_has_an_answer(name, tmp_path):
    output, kinds = ANSWERED[name]
    result = outcome(tmp_path, output=output)
    assert isinstance(result, kinds), result
    assert not isinstance(result, Failed) or result.kind is not FailureKind.INTERNAL, result


PATCHES = {
    "numpy.asarray": "np.asarray = broken",
    "numpy.zeros": "np.zeros = broken",
    "numpy.random.SeedSequence": "np.random.SeedSequence = broken",
    "random.Random": "random.Random = broken",
}


@pytest.mark.process
@pytest.mark.parametrize("name", PATCHES)
def test_what_a_module_replaces_is_its_own_affair(name, tmp_path):
    result = outcome(tmp_path, first=PATCHES[name])
    assert isinstance(result, Failed)
    assert result.kind is FailureKind.CRASH
    assert f"the module replaces {name}, which dplint calls as well" in result.reason


@pytest.mark.process
@pytest.mark.parametrize("patch", ["json.dumps = broken", "json.loads = broken", "import os; os.write = broken"])
def test_what_the_runner_needs_for_its_answers_is_kept_from_before(patch, tmp_path):
    assert isinstance(outcome(tmp_path, first=patch), NoViolation)


@pytest.mark.process
@pytest.mark.parametrize("patch", ["import builtins; builtins.len = broken", "json.JSONEncoder.encode = broken"])
def test_what_ends_the_runner_says_why(patch, tmp_path):
    result = outcome(tmp_path, first=patch)
    assert isinstance(result, Failed)
    assert result.reason.endswith("without an answer: RuntimeError: patched")


def piped(content):
    reading, writing = os.pipe()
    os.write(writing, content)
    os.close(writing)
    return reading


HEADER = b"dpl1" + struct.pack("<IQ", 3, 0)
BROKEN_FRAMES = {
    "another beginning": b"nonsense" * 4,
    "no JSON": HEADER + b"{{{",
    "no object": HEADER + b"[1]",
    "a size beyond all": b"dpl1" + struct.pack("<IQ", 0xFFFFFFFF, 0),
    "a deep header": b"dpl1" + struct.pack("<IQ", 60_000, 0) + b"[" * 60_000,
}


@pytest.mark.parametrize("name", BROKEN_FRAMES)
def test_a_broken_frame_of_a_runner_is_an_error(name):
    with pytest.raises(runner_frames.BrokenFrame):
        runner_frames.read_frame(piped(BROKEN_FRAMES[name]))


def test_a_frame_that_is_cut_short_is_the_end():
    assert runner_frames.read_frame(piped(HEADER + b"{")) is None


@pytest.mark.parametrize(
    "content",
    [b"\xff" * 8 + b"x", struct.pack("<Q", 4) + b"oops", struct.pack("<Q", 30) + pickle.dumps(1)[:2] + b"." * 28],
    ids=["size", "text", "pickle"],
)
def test_a_broken_message_of_a_worker_is_an_error(content):
    with pytest.raises(ValueError, match=r"frame of|no message"):
        frames.read_frame(io.BytesIO(content))


@pytest.fixture
def full_disk():
    """No file of more than 4 KiB: as on a disk that is full, a write fails in the middle."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_report_on_a_full_disk_leaves_what_was_there(tmp_path, full_disk):
    path = tmp_path / "report.html"
    path.write_text("the last one")
    with pytest.raises(Exception, match=r"File too large|No space left") as told, report_stream(path) as stream:
        stream.write("x" * 100_000)
    assert type(told.value).__name__ == "FileError"
    assert path.read_text() == "the last one"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.process
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("form", ["json", "html", "concise", "rich"])
def test_a_full_standard_output_is_told_in_a_line(tmp_path, form):
    (tmp_path / "m.py").write_text("x = 1\n")
    command = [sys.executable, "-m", "dplint", "check", "m.py", "--static-only", "--format", form]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False)
    assert done.returncode in (0, 2)  # nothing to write is nothing that fails
    assert "Traceback" not in done.stderr
    assert done.returncode == 0 or "No space left on device" in done.stderr


def test_a_report_keeps_permissions_and_follows_links(tmp_path):
    kept = tmp_path / "kept.json"
    kept.write_text("{}")
    kept.chmod(0o640)
    (tmp_path / "link.json").symlink_to(kept)
    with report_stream(tmp_path / "link.json") as stream:
        stream.write("new")
    assert (tmp_path / "link.json").is_symlink()
    assert kept.read_text() == "new"
    assert kept.stat().st_mode & 0o777 == 0o640


def test_a_pipe_is_written_as_it_is(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with whole_file(tmp_path / "pipe") as path:
        assert path == tmp_path / "pipe"
