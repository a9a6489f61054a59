"""Code that takes memory, time, threads and the channel of its runner: each has its outcome, and costs nobody else."""

import sys

import pytest

from dplint.outcomes import FailureKind
from dplint.runner import deadline, fence, frames
from dplint.runner.client import DataValue, Runner, SampleRequest
from dplint.runner.hosts import RunnerError
from tests.runner.conftest import described

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform != "linux", reason="limits are those of Linux")]
ONCE = SampleRequest((DataValue([1]),))
HEAD = "import ctypes, gc, mmap, os, re, resource, signal, struct, sys, threading, time\nimport numpy as np\n"
MEMORY, DEADLINE, CRASH = FailureKind.MEMORY, FailureKind.DEADLINE, FailureKind.CRASH
EFFECT = FailureKind.EFFECT

ENDED = {
    "arrays": ("kept = [np.empty(10**7) for _ in range(1000)]", MEMORY),
    "one array": ("return int(np.ones(10**10)[0])", MEMORY),
    "a text": ("return len('x' * 10**11)", MEMORY),
    "a number": ("return (1 << 10**11).bit_length()", MEMORY),
    "memory that is shared": ("return len(mmap.mmap(-1, 1 << 30))", EFFECT),
    "memory of zeros": ("return len(mmap.mmap(open('/dev/zero', 'r+b').fileno(), 1 << 30))", EFFECT),
    "a file in memory": ("return os.memfd_create('x')", None),
    "more descriptors than there are": ("return [os.open('/dev/null', 0) for _ in range(10**6)]", None),
    "more threads than there are": (
        "for _ in range(10**5): threading.Thread(target=time.sleep, args=(9**9,), daemon=True).start()",
        None,
    ),
    "memory by the C library": ("ctypes.memset(ctypes.CDLL(None).malloc(1 << 40), 1, 1 << 20)", CRASH),
    "a limit that is raised": (
        """
        for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
            try:
                resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            except (OSError, ValueError):
                pass
        return int(np.ones(10**10)[0])
        """,
        MEMORY,
    ),
    "a limit that is raised by a raw call": (
        """
        most = (ctypes.c_uint64 * 2)(2**64 - 1, 2**64 - 1)
        for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
            ctypes.CDLL(None).prlimit(0, kind, most, None)
        return int(np.ones(10**10)[0])
        """,
        MEMORY,
    ),
    "an endless loop": ("while True: pass", DEADLINE),
    "an endless loop without interrupts": (
        """
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGABRT, signal.SIGALRM, signal.SIGXCPU):
            signal.signal(number, signal.SIG_IGN)
        while True: pass
        """,
        DEADLINE,
    ),
    "an endless loop that hides what ends it": (
        """
        while True:
            try:
                while True: pass
            except BaseException:
                pass
        """,
        DEADLINE,
    ),
    "a pattern without end": ("return bool(re.match(r'(a+)+$', 'a' * 60 + 'b'))", DEADLINE),
    "a sleep": ("time.sleep(10**6)", DEADLINE),
    "a sleep in C": ("ctypes.CDLL(None).sleep(10**6)", DEADLINE),
    "a lock that nobody opens": ("lock = threading.Lock(); lock.acquire(); lock.acquire()", DEADLINE),
    "a pipe that nobody writes to": ("ends = os.pipe(); os.read(ends[0], 1)", DEADLINE),
    "an end by itself": ("os._exit(0)", CRASH),
    "an end in C": ("ctypes.string_at(1)", CRASH),
    "a signal to itself": ("os.kill(os.getpid(), signal.SIGKILL)", MEMORY),
    "all descriptors closed": ("os.closerange(0, 4096)", CRASH),
    "garbage in all descriptors": (
        """
        for fd in range(3, 256):
            try:
                os.write(fd, b"\\xff" * 64)
            except OSError:
                pass
        """,
        CRASH,
    ),
    "an answer without end": (
        """
        for fd in range(100, 110):
            try:
                if os.write(fd, struct.pack("<4sIQ", b"dpl1", 2, 1 << 35) + b"{}") == 18:
                    while True: os.write(fd, bytes(1 << 16))
            except OSError:
                pass
        """,
        DEADLINE,
    ),
    "a stream of output without end": ("while True: os.write(2, bytes(1 << 16))", DEADLINE),
    "an answer of its own": (
        """
        for fd in range(100, 110):
            try:
                os.write(fd, b"{}" + bytes(62))
            except OSError:
                pass
        """,
        CRASH,
    ),
}
"""Bodies, and as what an audit tells them; None for an exception, which is an output."""


def mechanism(tmp_path, body):
    lines = "".join(f"    {line}\n" for line in body.strip().replace("\n        ", "\n").split("\n"))
    path = tmp_path / "hostile.py"
    path.write_text(f"{HEAD}def m(queries):\n{lines}    return 1\n\ndef good(queries):\n    return 7\n")
    return described(path, "m"), described(path, "good")


@pytest.fixture
def runner(monkeypatch):
    monkeypatch.setattr(deadline, "_MOST_WAITING", 1e3)  # its deadline is over by what it has had of a busy machine
    with Runner(sys.executable, deadline=1.5, memory_mib=512) as made:
        yield made


@pytest.mark.parametrize("name", ENDED)
def test_what_it_takes_is_an_outcome_and_nobody_else_s(name, tmp_path, runner):
    body, kind = ENDED[name]
    if kind is EFFECT and set(fence.try_out(frozenset())) != set(fence.PARTS):
        pytest.skip("this kernel, or the container that this runs in, has no such fence")
    hostile, good = mechanism(tmp_path, body)
    runner.load(hostile)
    if kind is None:
        (output,) = runner.sample(ONCE)[0].outputs()
        assert isinstance(output, tuple), "an exception"
    else:
        with pytest.raises(RunnerError) as ended:
            runner.sample(ONCE)
        assert ended.value.kind == kind, ended.value
    with Runner(sys.executable, deadline=60, memory_mib=512) as other:
        other.load(good)
        assert other.sample(ONCE)[0].outputs() == [7]


def test_an_answer_that_takes_all_memory_is_a_failure(tmp_path, runner, monkeypatch):
    def none_left(text):
        raise MemoryError

    _, good = mechanism(tmp_path, "pass")
    monkeypatch.setattr(frames, "parse_header", none_left)
    with pytest.raises(RunnerError) as ended:
        runner.load(good)
    assert ended.value.kind == MEMORY


def test_threads_that_go_on_end_with_their_runner(tmp_path, runner):
    body = "for _ in range(2): threading.Thread(target=time.sleep, args=(10**6,)).start()"
    hostile, _ = mechanism(tmp_path, body)
    runner.load(hostile)
    assert runner.sample(ONCE)[0].outputs() == [1]
    runner.close()
    assert runner._process.ended


def test_what_is_printed_is_not_kept(tmp_path, runner):
    hostile, _ = mechanism(tmp_path, "for _ in range(64): print('x' * 2**16)")
    runner.load(hostile)
    assert runner.sample(ONCE)[0].outputs() == [1]
    assert runner.captured.total >= 2**22
    assert len(runner.captured.tail) <= 4096
