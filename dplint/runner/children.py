"""A runner's process, seen from the worker: started by it, or forked for it by a host that has imported the module.

Either has pipes for requests, replies and captured output, can be waited for, and can be ended.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
from abc import ABC, abstractmethod

CODE_BYTES = 16
ABORT = b"abort"
_FORKED_ENDS_SECONDS = 5.0


class Child(ABC):
    """The process. to, replies, captured: the worker's ends of the pipes."""

    pid: int
    to: int
    replies: int
    captured: int

    @abstractmethod
    def poll(self) -> int | None:
        """The exit code, or minus the signal that ended it; None while it goes on. Does not wait."""

    @abstractmethod
    def wait(self, seconds: float) -> int | None:
        """The same, after at most so many seconds."""

    @abstractmethod
    def abort(self) -> None:
        """Send SIGABRT, on which faulthandler writes where the process is."""

    @abstractmethod
    def end(self) -> None:
        """Kill it and what it started, as far as it is known, and close the pipes. Safe to call at any time."""


class Spawned(Child):
    """A process that this one has started, in a session of its own."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        self._popen = popen
        self.pid = popen.pid
        self.to, self.replies, self.captured = popen.stdin.fileno(), popen.stdout.fileno(), popen.stderr.fileno()

    def poll(self) -> int | None:
        """See `Child`."""
        return self._popen.poll()

    def wait(self, seconds: float) -> int | None:
        """See `Child`."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._popen.wait(seconds)
        return None

    def abort(self) -> None:
        """See `Child`."""
        with contextlib.suppress(OSError):
            self._popen.send_signal(signal.SIGABRT)

    def end(self) -> None:
        """See `Child`."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        with contextlib.suppress(OSError):
            self._popen.kill()
        self._popen.wait()
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


class Forked(Child):
    """A process that a runner host has forked. It and the host hear at once if this one lets go of the connection.

    Over it the host tells how the process ended; the host is asked to signal it, since only its parent can be sure that
    the number still belongs to it.
    """

    def __init__(self, connection: socket.socket, pid: int, pipes: tuple[int, int, int]) -> None:
        self._connection, self.pid = connection, pid
        self.to, self.replies, self.captured = pipes
        self._code: int | None = None

    def poll(self) -> int | None:
        """See `Child`."""
        return self.wait(0.0)

    def wait(self, seconds: float) -> int | None:
        """See `Child`."""
        if self._code is None:
            try:
                # A timeout of 0 would be non-blocking mode, in which nothing is ready yet raises another error.
                self._connection.settimeout(max(seconds, 1e-3))
                text = self._connection.recv(CODE_BYTES)
                # Nothing: the host itself has ended, and took its children along.
                self._code = int(text) if text else -signal.SIGKILL
            except TimeoutError:
                return None
            except (OSError, ValueError):
                self._code = -signal.SIGKILL
        return self._code

    def abort(self) -> None:
        """See `Child`."""
        with contextlib.suppress(OSError):
            self._connection.sendall(ABORT)

    def end(self) -> None:
        """See `Child`."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)
        if self._code is None:
            self.wait(_FORKED_ENDS_SECONDS)
        with contextlib.suppress(OSError):
            self._connection.close()
        for pipe in (self.to, self.replies, self.captured):
            with contextlib.suppress(OSError):
                os.close(pipe)
        self.to = self.replies = self.captured = -1
