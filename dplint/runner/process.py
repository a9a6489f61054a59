"""Starting, talking to, and ending one runner process. Part of the worker."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import socket
import subprocess
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from dplint.outcomes import FailureKind, FailureScope
from dplint.runner import frames, time_had
from dplint.runner.deadline import Deadline
from dplint.runner.fence import SHARE
from dplint.runner.forking import SCRATCH_NAMES
from dplint.runner.heartbeat import HeartbeatReader
from dplint.runner.hosts import ADDRESS, Child, RunnerError, Spawned, Waiting, forked_over, forked_runner
from dplint.runner.scratch import make_scratch, sweep
from dplint.runner.system import ONE_THREAD

_PACKAGE = Path(__file__).parents[1]
_DECORATOR = _PACKAGE / "decorator.py"
_TAIL, _SAID = 4096, 200
_CHUNK = 1 << 20
_POLL_SECONDS = 0.2
_DUMP_SECONDS = 0.5
_STARTUP_SECONDS = 30.0
_TEMPORARY = "tmp"
"""The part of a scratch folder that user code is told of. Beside it lie those of forked processes."""
_DOING = {"load": "the import", "import": "the import", "pairs": "the neighbour function", "fork": "a fork"}

# A file of the working directory must not shadow the standard library. What an environment runs whenever Python starts
# is run behind the fence: `main` calls `site`. `_dplint` is the folder of dplint, under a name that no package of the
# user's has; `runner` and `distributions` are imported from it.
_BOOTSTRAP = """
import sys
sys.path[:] = [entry for entry in sys.path if entry]
import types
if sys.version_info < (3, 9):
    sys.exit("dplint needs Python 3.9 or later to run mechanisms; this is " + sys.version)
package = types.ModuleType("_dplint")
package.__path__ = [sys.argv[1]]
sys.modules["_dplint"] = package
from _dplint.runner.main import main
settings = sys.argv[2]
sys.argv[:] = [""]
main(settings)
"""


Start: TypeAlias = Callable[[Callable[[], subprocess.Popen[bytes]]], subprocess.Popen[bytes]]


class Capture:
    """What the process wrote to its standard streams: the last bytes and how many there were."""

    def __init__(self) -> None:
        self._tail = b""
        self.total = 0

    def add(self, data: bytes) -> None:
        """Take in what was read."""
        self.total += len(data)
        self._tail = (self._tail + data)[-_TAIL:] if len(data) < _TAIL else data[-_TAIL:]

    @property
    def tail(self) -> str:
        """The last 4 KiB as text."""
        return self._tail.decode("utf-8", "replace")


class Process:
    """One runner process in its own session. Nothing of it survives `close`, this object, or the parent process.

    host: asks for a host that has imported the module that it will be asked for, as `host_request` makes it: then the
    process is forked from that. waiting: called several times a second while an answer is awaited, with the
    seconds since the last sign of life; if it raises, the process is ended. control: a descriptor that the process,
    which is to be a host, takes orders from. idle: seconds after which a host that nobody needs ends, None for never.
    start: calls a function in a thread that lives as long as the process may, so that Linux ends that with it.
    over: a connection to a host that the process is to be forked from if that works; it is the process's from now on.
    share_mib: its share of the memory for all processes of a front end; None for as much as this process has.
    reads: what may be read besides Python, its packages and the system; None for all but keys. gate: whether a host is
    to fork only when it is let, for which its other end of `control` gets a descriptor.
    """

    def __init__(
        self,
        interpreter: str,
        *,
        memory_mib: int,
        allow: frozenset[str],
        host: dict[str, Any] | None = None,
        waiting: Waiting = lambda _: None,
        control: int | None = None,
        idle: float | None = None,
        start: Start | None = None,
        over: socket.socket | None = None,
        share_mib: int | None = None,
        reads: Sequence[str] | None = None,
        gate: bool = False,
    ) -> None:
        sweep()
        self.waiting = waiting
        self.capture = Capture()
        self._interpreter = interpreter
        self._dead: RunnerError | None = None
        self.scratch = ""
        """The folder of this process and of what it forks."""
        self._control = control
        self._start = start
        self._settings: dict[str, Any] = {
            "memory_mib": memory_mib,
            "share_mib": SHARE.mib if share_mib is None else share_mib,
            "allow": sorted(allow),
            "reads": reads,
            "decorator": str(_DECORATOR),
            "by_signal": start is not None or threading.current_thread() is threading.main_thread(),
            "control": control,
            "gate": gate,
            "idle": idle,
        }
        try:
            self._child = self._forked(host, over) or self._spawned()
        except BaseException:
            self._remove_scratch()
            raise
        time_had.follow(self._child.pid)
        self._end = weakref.finalize(self, _end, self._child, self.scratch, self._folder, os.getpid())
        self._streams = _Streams(self._child, self.capture)
        try:
            self.hello, _ = self._finish_exchange(b"", _STARTUP_SECONDS, f"nothing heard within {_STARTUP_SECONDS:g} s")
        except RunnerError as error:
            self._end()
            if error.kind in (FailureKind.IMPORT, FailureKind.BUDGET):
                raise
            reason = f"the interpreter {interpreter!r} did not start: {error.reason}"
            raise _set_up(reason, error.detail) from None

    def _forked(self, host: dict[str, Any] | None, over: socket.socket | None) -> Child | None:
        """A process from a host, None if there is none for this module. Raises RunnerError if its import failed."""
        if over is not None:
            return forked_over(over, self._with_scratch, self.waiting, self._control)
        address = os.environ.get(ADDRESS)
        if host is None or not address:
            return None
        return forked_runner(address, host, self._with_scratch, self.waiting)

    def _with_scratch(self, within: str | None = None) -> dict[str, Any]:
        """The settings with a new scratch folder, which lies in that of the host if there is one."""
        self._remove_scratch()
        self.scratch, self._folder = make_scratch(within=within)
        self._heartbeat = HeartbeatReader(self._folder, "heartbeat")
        os.mkdir(_TEMPORARY, 0o700, dir_fd=self._folder)
        return {
            **self._settings,
            "folder": self.scratch,
            "scratch": f"{self.scratch}/{_TEMPORARY}",
            "heartbeat": f"{self.scratch}/heartbeat",
        }

    def _remove_scratch(self) -> None:
        if self.scratch:
            shutil.rmtree(self.scratch, ignore_errors=True)
            os.close(self._folder)

    def _spawned(self) -> Child:
        settings = self._with_scratch()

        def popen() -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                [self._interpreter, "-S", "-c", _BOOTSTRAP, str(_PACKAGE), json.dumps(settings)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=_environment(settings["scratch"]),
                start_new_session=True,
                pass_fds=() if self._control is None else (self._control,),
            )

        try:
            return Spawned(popen() if self._start is None else self._start(popen))
        except OSError as error:
            why = error.strerror or str(error)
            raise _set_up(f"cannot start the interpreter {self._interpreter!r}: {why}") from None

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._child.pid

    @property
    def ended(self) -> bool:
        """Whether the process has ended."""
        return self._child.poll() is not None

    def exchange(
        self, header: dict[str, Any], deadline: float, buffers: Sequence[Any] = ()
    ) -> tuple[dict[str, Any], bytes]:
        """The answer to one request: its header and body, as `frames.pack` takes the request's.

        Raises RunnerError; a process that does not answer in time is ended.
        """
        if self._dead is not None:
            raise RunnerError(self._dead.kind, f"the runner has ended before: {self._dead.reason}", self._dead.detail)
        message = frames.pack({**header, "deadline": deadline}, buffers)
        return self._finish_exchange(message, deadline, f"{_DOING.get(header['do'], 'a run')} did not end within")

    def close(self) -> None:
        """End the process and everything it started, and remove its scratch folder."""
        self._end()
        self._dead = self._dead or RunnerError(FailureKind.INTERNAL, "it was closed")

    def _finish_exchange(self, message: bytes, seconds: float, late: str) -> tuple[dict[str, Any], bytes]:
        deadline = Deadline(self._child.pid, seconds, self._heartbeat)
        try:
            header, body = self._streams.exchange(message, deadline, self.waiting)
        except TimeoutError:
            _, data = self._heartbeat.read()
            if deadline.machine_was_busy:
                reason = f"not enough time: the machine was too busy, and {late}"
                self._die(FailureKind.BUDGET, f"{reason} {seconds:g} s" if message else reason, "", data)
            reason = f"{late} {seconds:g} s" if message else late
            self._die(FailureKind.DEADLINE, reason, self._where(), data)
        except EOFError:
            _, data = self._heartbeat.read()
            self._die(*self._post_mortem(), data)
        except MemoryError:
            self._die(FailureKind.MEMORY, "its answer takes more memory than there is for it", self.capture.tail)
        except frames.BrokenFrame as error:
            self._die(
                FailureKind.CRASH, f"something else than the runner wrote to its channel: {error}", self.capture.tail
            )
        except BaseException:
            # Whoever waits has no more time: the answer would be taken for that to the next request.
            self.close()
            raise
        failure = header.get("failure")
        if failure is not None:
            raise RunnerError.of_document(failure)
        return header, body

    def _die(self, kind: FailureKind, reason: str, detail: str, data: int | None = None) -> None:
        self._dead = RunnerError(kind, reason, detail, data=data)
        self._end()
        raise self._dead

    def _where(self) -> str:
        """Where the process hangs: on SIGABRT, faulthandler writes the stack, also from C code."""
        before = self.capture.total
        self._child.abort()
        self._streams.drain(time.monotonic() + _DUMP_SECONDS)
        if self.capture.total == before:
            return self.capture.tail
        return _without_runner_frames(self.capture.tail)

    def _post_mortem(self) -> tuple[FailureKind, str, str]:
        self._streams.drain(time.monotonic() + _DUMP_SECONDS)
        code = self._child.wait(1.0)
        if code is None:
            return FailureKind.CRASH, "the process closed its channel to dplint", self.capture.tail
        detail = _without_runner_frames(self.capture.tail)
        if code >= 0:
            last = detail.strip().rpartition("\n")[2][:_SAID]
            reason = f"the process ended by itself with exit code {code}, without an answer"
            return FailureKind.CRASH, f"{reason}: {last}" if last else reason, detail
        name = _signal_name(-code)
        if name == "SIGXCPU":
            return FailureKind.DEADLINE, "the process was stopped for the processor time it used", detail
        if name == "SIGKILL":
            reason = "the process was killed (SIGKILL), most likely because the machine ran out of memory"
            return FailureKind.MEMORY, reason, detail
        if name == "SIGABRT" and any(word in detail for word in ("bad_alloc", "MemoryError", "Cannot allocate memory")):
            return FailureKind.MEMORY, "the process died for lack of memory: signal SIGABRT", detail
        return FailureKind.CRASH, f"the process died: signal {name}", detail


class _Streams:
    """Both directions of the protocol and the captured output, in one loop, so that none can block another."""

    def __init__(self, child: Child, capture: Capture) -> None:
        self._child = child
        self._capture = capture
        self._to, self._replies, self._captured = child.to, child.replies, child.captured
        self._open = {self._replies, self._captured}
        self._received = bytearray()
        for fd in (self._to, self._replies, self._captured):
            os.set_blocking(fd, False)

    def exchange(self, message: bytes, deadline: Deadline, waiting: Waiting) -> tuple[dict[str, Any], bytes]:
        """Send the message, if any, and return the next frame. Raises TimeoutError, EOFError, BrokenFrame."""
        rest = memoryview(message)
        while True:
            frame = self._frame()
            if frame is not None:
                return frame
            left = deadline.left()
            waiting(deadline.quiet)
            ready = self._wait(min(max(left, 0.0), _POLL_SECONDS), bool(rest))
            if left <= 0 and self._replies not in ready:
                # An answer that is there is taken, however late this process itself had time to look.
                raise TimeoutError
            if self._to in ready and rest:
                try:
                    rest = rest[os.write(self._to, rest[:_CHUNK]) :]
                except BlockingIOError:
                    pass
                except BrokenPipeError:
                    rest = rest[:0]
            if self._captured in ready:
                self._capture.add(self._read(self._captured))
            if self._replies in ready:
                self._received += self._read(self._replies)
            ended = self._replies not in self._open or (not ready and self._child.poll() is not None)
            if ended and self._frame_size() is None:
                raise EOFError

    def drain(self, end: float) -> None:
        """Take what is left of the captured output, until it ends or time is up."""
        while self._captured in self._open and (left := end - time.monotonic()) > 0:
            if self._captured in self._wait(min(left, 0.05), sending=False):
                self._capture.add(self._read(self._captured))
            elif self._child.poll() is not None:
                return

    def _wait(self, seconds: float, sending: bool) -> set[int]:
        poll = select.poll()
        for fd in self._open:
            poll.register(fd, select.POLLIN)
        if sending:
            poll.register(self._to, select.POLLOUT)
        return {fd for fd, _ in poll.poll(seconds * 1000)}

    def _read(self, fd: int) -> bytes:
        try:
            data = os.read(fd, _CHUNK)
        except BlockingIOError:
            return b""
        if not data:
            self._open.discard(fd)
        return data

    def _frame_size(self) -> tuple[int, int] | None:
        """Sizes of header and body once the frame is complete."""
        head = frames.HEAD.size
        if len(self._received) < head:
            return None
        header, body = frames.sizes(bytes(self._received[:head]))
        return (header, body) if len(self._received) >= head + header + body else None

    def _frame(self) -> tuple[dict[str, Any], bytes] | None:
        size = self._frame_size()
        if size is None:
            return None
        start = frames.HEAD.size
        middle, end = start + size[0], start + sum(size)
        text, body = bytes(self._received[start:middle]), bytes(self._received[middle:end])
        del self._received[:end]
        return frames.parse_header(text), body


def _environment(scratch: str) -> dict[str, str]:
    environment = {
        key: value
        for key, value in os.environ.items()
        if key not in ("PYTHONUNBUFFERED", "PYTHONSTARTUP", "PYTHONINSPECT", ADDRESS)
    }
    environment |= ONE_THREAD | dict.fromkeys(SCRATCH_NAMES, scratch)
    environment.update(
        PYTHONDONTWRITEBYTECODE="1", PYTHONHASHSEED="0", PYTHONIOENCODING="utf-8:backslashreplace", MPLBACKEND="agg"
    )
    # What Numba compiles has a generator of its own, whose state forked processes share, and no draw of it is seen.
    environment["NUMBA_DISABLE_JIT"] = "1"
    return environment


def _set_up(reason: str, detail: str = "") -> RunnerError:
    """What is wrong with the interpreter, and so with every mechanism that it should run."""
    cure = "Name the interpreter of the project with --interpreter, or as `interpreter` in [tool.dplint]."
    return RunnerError(FailureKind.IMPORT, reason, detail, cure=cure, scope=FailureScope.INTERPRETER)


def _end(child: Child, scratch: str, folder: int, owner: int) -> None:
    """End the process and clean up; safe to call at any time, also at the exit of the interpreter."""
    if os.getpid() != owner:
        # A fork of the worker has inherited this object; the runner is not its own.
        return
    time_had.leave(child.pid)
    child.end()
    shutil.rmtree(scratch, ignore_errors=True)
    os.close(folder)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _without_runner_frames(text: str) -> str:
    hidden = (
        "Extension modules:",
        f'File "{_PACKAGE}',
        'File "<dplint runs>"',
        'File "<string>"',
        'File "<frozen importlib',
    )
    return "".join(line for line in text.splitlines(keepends=True) if not line.lstrip().startswith(hidden))
