"""Worker processes, seen from the front end's side."""

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
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO, Protocol, cast

import dplint
from dplint.runner.hosts import ADDRESS
from dplint.workers.frames import read_frame, write_frame
from dplint.workers.memory import share_of_a_processor
from dplint.workers.messages import End

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


class WorkerLike(Protocol):
    """A worker process that takes one job at a time, however it was started. It is not reusable after `kill`."""

    def submit(self, job: object) -> None:
        """Send a job. A dead worker is noticed by the next `receive`."""

    def ask_to_end(self) -> None:
        """Ask for an end of the job in hand with what is known so far; it still sends its last message."""

    def receive(self, silence: float) -> object:
        """The next message. Raises WorkerGone if the worker died, or sent nothing for `silence` seconds."""

    def kill(self) -> None:
        """End the process at once; its runner notices and ends too."""


class Connected(ABC):
    """What all workers have in common: orders go out, and a thread reads messages until the process has ended."""

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
