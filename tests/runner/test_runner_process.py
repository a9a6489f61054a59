"""Processes: none survives, none hangs, and what user code writes disturbs nothing."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from dplint.outcomes import FailureKind
from dplint.runner import forking
from dplint.runner.client import DataValue, Runner, RunnerError, SampleRequest
from tests.environments import bare_python
from tests.patience import end_of

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
ONE = (DataValue([1.0, 2.0]),)


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until_gone(pid: int, seconds: float) -> bool:
    end = end_of(seconds)
    while is_alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not is_alive(pid)


def test_close_ends_the_process_and_removes_its_folder(write):
    mechanism = write("import os\ndef m(queries): return os.environ['TMPDIR']")
    with Runner(sys.executable, deadline=10, memory_mib=256) as runner:
        runner.load(mechanism)
        (folder,) = set(runner.sample(SampleRequest(ONE))[0].outputs())
        pid = runner.pid
        assert Path(folder).is_dir()

    assert not is_alive(pid)
    assert not Path(folder).exists()
    runner.close()
    with pytest.raises(RunnerError, match="closed"):
        runner.load(mechanism)


def test_a_forgotten_runner_is_ended():
    runner = Runner(sys.executable, deadline=10, memory_mib=256)
    pid = runner.pid
    del runner
    gc.collect()

    assert not is_alive(pid)


@pytest.mark.parametrize(
    ("thread", "body"),
    [
        (False, "while True: pass"),
        (False, "pow(7, 10**9)"),
        (False, "import time\n    while True:\n        try: time.sleep(9)\n        except BaseException: pass"),
        (True, "while True: pass"),
    ],
    ids=["python", "holds the interpreter lock", "catches all", "started by a thread"],
)
def test_a_killed_client_takes_its_runner_along(thread, body, tmp_path):
    """The client is killed with SIGKILL in the middle of a request that never ends."""
    (tmp_path / "hangs.py").write_text(f"def m(queries):\n    {body}\n")
    script = textwrap.dedent(f"""
        import sys, threading
        from pathlib import Path
        sys.path[:0] = [{str(Path(__file__).parent)!r}, {str(ROOT)!r}]
        from conftest import described
        from dplint.runner.client import *
        def run():
            with Runner(sys.executable, deadline=60, memory_mib=512) as runner:
                runner.load(described(Path({str(tmp_path / "hangs.py")!r}), "m"))
                print(runner.pid, flush=True)
                runner.sample(SampleRequest((DataValue([1]),)))
        if {thread}:
            threading.Thread(target=run).start()
        else:
            run()
    """)
    # A killed client cannot remove its scratch folder.
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as client:
        assert client.stdout is not None
        pid = int(client.stdout.readline())
        time.sleep(0.3)
        assert is_alive(pid)
        client.kill()

    assert wait_until_gone(pid, 2)


def test_what_the_mechanism_starts_is_ended_with_it(write):
    mechanism = write("""
        import subprocess
        CHILD = subprocess.Popen(["sleep", "60"])
        def m(queries): return CHILD.pid
    """)
    with Runner(sys.executable, deadline=10, memory_mib=256, allow=frozenset(["process"])) as runner:
        runner.load(mechanism)
        (child,) = runner.sample(SampleRequest(ONE))[0].outputs()
        assert is_alive(child)

    assert wait_until_gone(child, 2)


def test_after_a_deadline_every_call_says_why(write, hasty_runner):
    mechanism = write("def m(queries):\n    while True: pass")
    hasty_runner.load(mechanism)
    with pytest.raises(RunnerError) as caught:
        hasty_runner.sample(SampleRequest(ONE))

    assert caught.value.kind == FailureKind.DEADLINE
    assert "in m" in caught.value.detail
    assert "_dplint.runner" not in caught.value.detail
    with pytest.raises(RunnerError, match=r"ended before: a run did not end within 1\.5 s"):
        hasty_runner.load(mechanism)


def test_an_import_without_end_meets_the_deadline_too(write, hasty_runner):
    with pytest.raises(RunnerError, match=r"the import did not end within 1\.5 s"):
        hasty_runner.load(write("for TABLE in iter(int, 1): pass\ndef m(queries): return TABLE"))


def test_a_million_prints_neither_hang_nor_fill_anything(write):
    mechanism = write("def m(queries):\n    print('a line that tells nobody anything')\n    return 1")
    with Runner(sys.executable, deadline=30, memory_mib=256) as runner:
        runner.load(mechanism)
        (batch,) = runner.sample(SampleRequest(ONE, runs=1_000_000, block=10_000))
        captured = runner.captured

    assert batch.runs == 1_000_000
    assert captured.total == 1_000_000 * len("a line that tells nobody anything\n")
    assert len(captured.tail) == 4096


def test_reading_standard_input_finds_it_empty(write, shared_runner):
    shared_runner.load(write("import sys\ndef m(queries): return sys.stdin.read()"))

    assert shared_runner.sample(SampleRequest(ONE))[0].outputs() == [""]


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", FailureKind.MEMORY, "SIGKILL"),
        ("import os; os.closerange(3, 1024)", FailureKind.CRASH, "channel|exit code"),
        ("import os; os.write(os.dup(101), b'x' * 4096)", FailureKind.CRASH, "something else than the runner"),
        ("raise KeyboardInterrupt", FailureKind.CRASH, "raised KeyboardInterrupt"),
        ("raise MemoryError", FailureKind.MEMORY, "memory"),
        ("import sys; sys.exit()", FailureKind.CRASH, r"called sys.exit\(\)"),
    ],
)
def test_deaths(body, kind, text, write, own_runner):
    own_runner.load(write(f"def m(queries):\n    {body}"))
    with pytest.raises(RunnerError, match=text) as caught:
        own_runner.sample(SampleRequest(ONE))

    assert caught.value.kind == kind


def test_a_runner_goes_on_after_a_failure_that_did_not_kill_it(write, own_runner):
    own_runner.load(write("import sys\ndef m(queries): sys.exit(3)"))
    with pytest.raises(RunnerError, match=r"sys.exit\(3\)"):
        own_runner.sample(SampleRequest(ONE))
    own_runner.load(write("def m(queries): return 1"))

    assert own_runner.sample(SampleRequest(ONE))[0].outputs() == [1]


def test_an_interpreter_that_does_not_exist(tmp_path):
    with pytest.raises(RunnerError, match="cannot start the interpreter") as caught:
        Runner(str(tmp_path / "python"), deadline=5, memory_mib=256)

    assert caught.value.kind == FailureKind.IMPORT


def test_an_interpreter_that_does_not_start():
    with pytest.raises(RunnerError, match="did not start: the process ended by itself with exit code 1") as caught:
        Runner("/bin/false", deadline=5, memory_mib=256)

    assert caught.value.kind == FailureKind.IMPORT


def test_files_of_the_working_directory_do_not_shadow_the_standard_library(tmp_path, monkeypatch):
    for name in ("json", "random", "platform", "importlib", "numpy"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('shadowed')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    with Runner(sys.executable, deadline=10, memory_mib=256) as runner:
        assert runner.captured.total == 0


def test_a_fork_of_the_worker_does_not_end_its_runner():
    with Runner(sys.executable, deadline=10, memory_mib=256) as runner:
        child = os.fork()
        if child == 0:
            runner.close()
            os._exit(0)
        os.waitpid(child, 0)
        assert is_alive(runner.pid)


def test_an_interpreter_without_numpy(tmp_path):
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nunset PYTHONPATH\nexec "{bare_python(tmp_path / "bare")}" "$@"\n')
    bare.chmod(0o755)
    with pytest.raises(RunnerError, match="has no NumPy") as caught:
        Runner(str(bare), deadline=5, memory_mib=256)

    assert caught.value.kind == FailureKind.IMPORT


def test_the_runner_is_modest(write, shared_runner):
    shared_runner.load(
        write("""
        import os, resource
        def m(queries):
            limits = [resource.getrlimit(name)[0] for name in (resource.RLIMIT_AS, resource.RLIMIT_CORE)]
            return os.nice(0), limits[0] > 0, limits[1], os.getsid(0) == os.getpid(), os.environ["OMP_NUM_THREADS"]
    """)
    )
    (output,) = shared_runner.sample(SampleRequest(ONE))[0].outputs()

    assert output == (min(19, os.nice(0) + 10), True, 0, True, "1")


@pytest.mark.skipif(sys.platform != "linux", reason="runners are forked on Linux alone")
def test_what_is_forked_has_a_group_of_its_own_before_its_first_turn(monkeypatch):
    """So that Linux hangs up on it, should it be stopped until its host has gone."""
    fork = os.fork

    def stopped():
        pid = fork()
        if not pid:
            os.kill(os.getpid(), signal.SIGSTOP)
        return pid

    monkeypatch.setattr(os, "fork", stopped)
    pid = forking.fork_into_a_group()
    try:
        os.waitpid(pid, os.WUNTRACED)
        assert os.getpgid(pid) == pid
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
