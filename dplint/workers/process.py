"""One worker process, seen from the front end's side."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import BinaryIO, cast

import dplint
from dplint.workers.frames import read_frame, write_frame
from dplint.workers.messages import End

_START = "import sys; sys.path.append(sys.argv[1]); from dplint.workers.main import main; main()"
"""Neither the working directory nor PYTHONPATH of ours may reach the user's code, or shadow a module of ours."""
ALLOCATOR = {"MALLOC_MMAP_THRESHOLD_": str(1 << 25), "MALLOC_TRIM_THRESHOLD_": str(1 << 28)}
"""Keep memory that is freed: arrays of some megabytes come and go all the time. Only the C library of GNU listens."""
_TAIL = 4000
"""Bytes of a dead worker's error output that are kept for the report."""


class WorkerGone(Exception):
    """The worker died or fell silent. `detail` is the tail of its error output."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


class Worker:
    """A worker process that takes one job at a time. It is started at once and is not reusable after `kill`."""

    def __init__(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _START, str(Path(dplint.__file__).parent.parent)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
            env={**os.environ, **ALLOCATOR},
        )
        self._frames: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._writing = threading.Lock()
        threading.Thread(target=self._pump, daemon=True).start()

    def _pump(self) -> None:
        stdout = cast("BinaryIO", self._process.stdout)
        try:
            while True:
                self._frames.put(read_frame(stdout))
        except (EOFError, OSError, ValueError):
            self._frames.put(EOFError())

    def submit(self, job: object) -> None:
        """Send a job. A dead worker is noticed by the next `receive`."""
        self._write(job)

    def ask_to_end(self) -> None:
        """Ask for an end of the job in hand with what is known so far; it still sends its last message."""
        self._write(End())

    def _write(self, message: object) -> None:
        with self._writing, contextlib.suppress(OSError, ValueError):
            write_frame(cast("BinaryIO", self._process.stdin), message)

    def receive(self, silence: float) -> object:
        """The next message. Raises WorkerGone if the worker died, or sent nothing for `silence` seconds."""
        try:
            message = self._frames.get(timeout=silence)
        except queue.Empty:
            self.kill()
            raise WorkerGone(f"the audit gave no sign of life for {silence:.0f} s and was stopped", "") from None
        if isinstance(message, EOFError):
            code = self._process.wait()
            raise WorkerGone(f"the worker process ended with {_describe(code)}", self._error_tail())
        return message

    def _error_tail(self) -> str:
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - _TAIL))
        return self._errors.read().decode("utf-8", "replace")

    def kill(self) -> None:
        """End the process at once; its runner notices and ends too."""
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError, ValueError):
                    stream.close()


def _describe(code: int) -> str:
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"
