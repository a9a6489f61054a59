"""Worker processes, seen from the front end's side.

The memory that the processes of one front end share.

What evaluates a user's program has a limit: as much as the settings say, and no more than its share of a budget. The
budget is a part of what the machine, or the container, has free when the front end begins; each job may have a worker,
the runner of that, and a reader at the same time. So all of them together stay below it, whatever the programs do.

One job with one worker: from the submission to the last message, whatever happens to the worker.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO, cast

import dplint
from dplint.jobs import AuditJob, Job
from dplint.outcomes import Effort, Failed, FailureKind, Underpowered
from dplint.runner import system
from dplint.runner.hosts import ADDRESS
from dplint.workers.frames import read_frame, write_frame
from dplint.workers.messages import Done, Draw, Drawn, DrawOrder, End, Tick

_FOR_ALL = 0.75
"""The part of the free memory that is given away: the rest is for the front end, and for what else begins."""
_FOR_EACH_JOB = 3
_LEAST_MIB = 256
"""No process can do anything with less."""
_UNKNOWN_MIB = 1 << 30
_MIB = 1 << 20
_GROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)
"""The limit of a container and what it has in use, by the two versions of control groups."""


def budget_mib() -> int:
    """MiB that all processes of a front end may take, as of now."""
    free = _free_mib()
    return _UNKNOWN_MIB if free is None else int(_FOR_ALL * free)


def share_mib(jobs: int, budget: int | None = None) -> int:
    """MiB for each process where so many jobs go on at a time. budget: as of an earlier time."""
    budget = budget_mib() if budget is None else budget
    return max(_LEAST_MIB, budget // (_FOR_EACH_JOB * max(1, jobs)))


def share_of_a_processor() -> int:
    """MiB for each process where nobody knows how many there will be: as if each processor had a job."""
    return share_mib(os.cpu_count() or 1)


def _free_mib() -> int | None:
    """What can be had without taking it from others; None where the system does not tell."""
    limits = [free for free in (_free_of_machine(), *(_free_of_group(*files) for files in _GROUPS)) if free is not None]
    return min(limits) // _MIB if limits else None


def _free_of_machine() -> int | None:
    return system.bytes_told("meminfo", "MemAvailable:")


def _free_of_group(limit: str, used: str) -> int | None:
    try:
        return max(0, int(Path(limit).read_text(encoding="ascii")) - int(Path(used).read_text(encoding="ascii")))
    except (OSError, ValueError):  # no group, or one without a limit, which is called "max"
        return None


HOME = str(Path(dplint.__file__).parent.parent)
"""The folder to import dplint from."""
_START = (
    "import sys; sys.path.append(sys.argv[1]);"
    " from dplint.runner.system import step_down; step_down(int(sys.argv[2]));"
    " from dplint.workers.main import main; main(int(sys.argv[3]), warm=sys.argv[4:] == ['warm'])"
)
"""Neither the working directory nor PYTHONPATH of ours may reach the user's code, or shadow a module of ours."""
ALLOCATOR = {"MALLOC_MMAP_THRESHOLD_": str(1 << 25), "MALLOC_TRIM_THRESHOLD_": str(1 << 28)}
"""Keep memory that is freed: arrays of some megabytes come and go all the time. Only the C library of GNU listens."""
FORK_SERVER = "the fork server that it is forked from"
"""How a worker ended that had no end of its own."""
_TAIL = 4000
"""Bytes of a dead worker's error output that are kept for the report."""


class WorkerGone(Exception):
    """The worker died or fell silent. `detail` is the tail of its error output."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


class WorkerSilent(WorkerGone):
    """The worker has told nothing for so long that it was stopped."""


class ForkServerGone(WorkerGone):
    """The worker had no part in it: the process that it is forked from has ended, and took all its workers along."""


class Connected(ABC):
    """A worker process that takes one job at a time, however it was started. It is not reusable after `kill`.

    Orders go out, and a thread reads messages until the process has ended.
    """

    def __init__(self, messages: BinaryIO, errors: IO[bytes]) -> None:
        self._messages = messages
        self._errors = errors
        self._frames: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._writing = threading.Lock()
        threading.Thread(target=self._pump, daemon=True).start()

    def submit(self, job: object) -> None:
        """Send a job. A dead worker is noticed by the next `receive`."""
        self._write(job)

    def ask_to_end(self) -> None:
        """Ask for an end of the job in hand with what is known so far; it still sends its last message."""
        self._write(End())

    def receive(self, silence: float) -> object:
        """The next message. Raises WorkerGone if the worker died, or sent nothing for `silence` seconds."""
        try:
            message = self._frames.get(timeout=silence)
        except queue.Empty:
            self.kill()
            raise WorkerSilent(f"the audit gave no sign of life for {silence:.0f} s and was stopped", "") from None
        if isinstance(message, _Ended):
            # There may be another call.
            self._frames.put(message)
            gone = ForkServerGone if message.how == FORK_SERVER else WorkerGone
            raise gone(f"the worker process ended with {message.how}", message.errors)
        return message

    @abstractmethod
    def kill(self) -> None:
        """End the process at once; its runner notices and ends too."""

    @abstractmethod
    def _send(self, message: object) -> None:
        """Send an order. Raises OSError or ValueError if nobody is there to take it."""

    @abstractmethod
    def _wait(self) -> str:
        """How the process ended, in words. Called once, by the thread that reads, when there is nothing to read."""

    def _last_words(self) -> str:
        """What may tell why the process has ended."""
        return tail_of(self._errors)

    def _write(self, message: object) -> None:
        with self._writing, contextlib.suppress(OSError, ValueError):
            self._send(message)

    def _pump(self) -> None:
        try:
            while True:
                self._frames.put(read_frame(self._messages))
        except (EOFError, OSError, ValueError) as error:
            if type(error) is ValueError and not self._messages.closed:
                self.kill()  # it goes on, and nobody would understand it
            how = self._wait()
            with self._errors:
                self._frames.put(_Ended(how, self._last_words()))


@dataclass(frozen=True)
class _Ended:
    """What comes after the last message of a worker: how the process ended, and the tail of its error output."""

    how: str
    errors: str


class Worker(Connected):
    """A worker process of its own, started at once. What audits need is loaded with its first job, or now if `warm`.

    hosts: the address of the runner hosts that it may use. share_mib: its memory, where that is not what it may have if
    there is a worker for each processor.
    """

    def __init__(
        self, *, niceness: int = 0, warm: bool = False, hosts: str | None = None, share_mib: int | None = None
    ) -> None:
        share = str(share_of_a_processor() if share_mib is None else share_mib)
        errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START, HOME, str(niceness), share, *(["warm"] if warm else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            env={**os.environ, **ALLOCATOR, **({ADDRESS: hosts} if hosts is not None else {})},
        )
        super().__init__(cast("BinaryIO", self._process.stdout), errors)

    def _send(self, message: object) -> None:
        write_frame(cast("BinaryIO", self._process.stdin), message)

    def _wait(self) -> str:
        return described(self._process.wait())

    def kill(self) -> None:
        """End the process at once; its runner notices and ends too."""
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError, ValueError):
                    stream.close()


def described(code: int) -> str:
    """The end of a process in words, by its exit code or, negative, the signal that ended it."""
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"


def tail_of(errors: IO[bytes]) -> str:
    """The end of what a process wrote to its error output."""
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - _TAIL))
    return errors.read().decode("utf-8", "replace")


_NO_MEMORY = ("bad_alloc", "MemoryError", "memory allocation of", "Cannot allocate memory")
"""What C++, Python, Rust and C say last in a process that gets no memory where they cannot do without."""


def carry_through(
    worker: Connected,
    job: Job,
    tell: Callable[[Tick], None],
    submitted: Callable[[], None] = lambda: None,
    draw: Callable[[Draw], None] = lambda _: None,
) -> Done:
    """Give a worker its job and pass on what it says until it is done.

    submitted: called when the worker has its job, from when on it can be asked to end. draw: called with blocks that
    others may draw, by a worker that was told of some; what they drew is to be submitted. Raises WorkerGone.
    """
    silence = _silence(job)
    worker.submit(job)
    submitted()
    while True:
        body = worker.receive(silence)
        if isinstance(body, Done):
            return body
        if isinstance(body, Draw):
            draw(body)
            continue
        assert isinstance(body, Tick)
        tell(body)


def drawn_by(worker: Connected, job: Job, order: DrawOrder) -> Drawn:
    """Have a worker without a job of its own draw blocks for the job of another one. Raises WorkerGone."""
    worker.submit(order)
    drawn = worker.receive(_silence(job))
    assert isinstance(drawn, Drawn)
    return drawn


def _silence(job: Job) -> float:
    """Seconds without a sign of life after which a worker is given up."""
    return 60.0 + 3 * job.settings.deadline


def done_without_worker(error: BaseException, job: Job) -> Done:
    """What there is to say about a job whose worker died, or could not be started.

    A worker that was silent while more processes wanted to run than there are processors is no failure of an audit.
    """
    if isinstance(error, WorkerSilent) and isinstance(job, AuditJob) and (busy := _busy()):
        return Done(
            Underpowered(
                why=f"not enough time: {error.reason}; {busy}",
                helps=("a machine that is less busy", f"more time (--budget {4 * job.settings.budget:g})"),
                confidence=1 - job.settings.alpha,
                effort=Effort(alpha=job.settings.alpha),
            )
        )
    if isinstance(error, WorkerGone) and "SIGPROF" in error.reason:
        limit = job.settings.time_limit
        reason = f"not enough time: the time limit of {limit:g} s was over while the source was read or computed"
        return Done(Failed(kind=FailureKind.BUDGET, reason=reason))
    if isinstance(error, WorkerGone) and any(words in error.detail for words in _NO_MEMORY):
        reason = f"the process that audits it died for lack of memory ({error.reason})"
        return Done(Failed(kind=FailureKind.MEMORY, reason=reason, detail=error.detail))
    if isinstance(error, WorkerGone):
        return Done(Failed(kind=FailureKind.INTERNAL, reason=error.reason, detail=error.detail))
    return Done(Failed(kind=FailureKind.INTERNAL, reason=f"the audit could not be started: {error!r}"))


def _busy() -> str:
    """How busy the machine has been in the last minute, in words; empty if it was not, or does not tell."""
    try:
        load, processors = os.getloadavg()[0], os.cpu_count() or 1
    except (AttributeError, OSError):
        return ""
    return f"on {processors} processors {load:.0f} processes wanted to run" if load > 2 * processors else ""
