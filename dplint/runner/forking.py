"""A runner as a host: it has imported a module, and forks a runner for each mechanism. Runs in the user's interpreter.

It has a single thread when it forks, since locks that another one held would stay locked in the child for ever; a
module that starts threads when it is imported has no host. Linux only.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import socket
import tempfile
import time
from typing import Any, Dict, List, NoReturn, Optional, Tuple

from . import system
from .frames import pack

_loads = json.loads  # as it is before any user code
_CODE_BYTES = 16
_SETTINGS_BYTES = 1 << 15
_FIRST_PRIVATE_FD = 100
FORK, RETIRE = b"f", b"r"
"""What a host is told: to fork for the connection that comes along, and to end when it is not needed any more."""
_RETIRED_SECONDS = 1.0
"""So long a host that is to end waits for those who were told to ask it."""
_ENDING_SECONDS = 0.2
"""So long threads that have ended may still be there."""
SCRATCH_NAMES = ("TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR")


def serve_forks(control_fd: int, own: Tuple[int, int, int], idle: Optional[float]) -> Dict[str, Any]:
    """Fork whenever somebody asks; returns in the children alone, with their settings.

    Ends with the front end, and ends its children. own: the descriptors for requests, replies and captured output; in
    a child they are those of its own pipes. idle: seconds without a child after which it ends, None for never.
    """
    return _Host(control_fd, own, idle).serve()


class _Host:
    """The loop of a host. Connections that have no process yet are `_asking`, others are the fates of processes."""

    def __init__(self, control_fd: int, own: Tuple[int, int, int], idle: Optional[float]) -> None:
        self._own = own
        self._idle = idle
        self._control = socket.socket(fileno=control_fd)
        # What a runner leaves behind falls to its host, which ends it.
        system.adopt_orphans()
        self._of_the_import = system.children()
        self._asking: Dict[int, socket.socket] = {}
        self._fates: Dict[int, Tuple[int, socket.socket]] = {}
        self._poll = select.poll()
        self._bell = system.Bell()
        for fd in (control_fd, own[0], self._bell.fd):
            self._poll.register(fd, select.POLLIN)

    def serve(self) -> Dict[str, Any]:
        """See `serve_forks`."""
        while True:
            needed = self._fates or self._asking
            ready = {fd for fd, _ in self._poll.poll(None if needed or self._idle is None else self._idle * 1000)}
            if not ready:
                self._leave()
            if self._bell.fd in ready:
                self._bell.hush()
                self._reap()
            if self._own[0] in ready:
                # The front end asks for nothing any more: it has let go, or is gone.
                self._leave()
            for fd in ready & set(self._fates):
                self._hear(fd)
            for fd in ready & set(self._asking):
                settings = self._fork(self._asking.pop(fd))
                if settings is not None:
                    return settings
            if self._control.fileno() in ready:
                self._take()

    def _take(self) -> None:
        """A worker's connection: tell it that it may send its pipes."""
        message, given, _, _ = socket.recv_fds(self._control, 1, 1)
        if not message:
            self._leave()
        if message == RETIRE:
            self._idle = _RETIRED_SECONDS
        for fd in given:
            connection = socket.socket(fileno=fd)
            self._asking[fd] = connection
            self._poll.register(fd, select.POLLIN)
            with contextlib.suppress(OSError):
                connection.sendall(pack({"ready": True}))

    def _fork(self, connection: socket.socket) -> Optional[Dict[str, Any]]:
        """Fork for a worker; the child's settings in the child, None in the host."""
        text, pipes, _, _ = socket.recv_fds(connection, _SETTINGS_BYTES, 4)
        if not text or len(pipes) not in (3, 4):
            self._forget(connection, pipes)
            return None
        host = os.getpid()
        pid = fork_into_a_group()
        if pid == 0:
            self._leave_host(host)
            # A fourth one is of a process that is to be a host itself: from there it takes its orders.
            control = fcntl.fcntl(pipes[3], fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE_FD) if pipes[3:] else None
            self._take_pipes(pipes)
            settings: Dict[str, Any] = _loads(text)
            return {**settings, "control": control}
        for fd in pipes:
            os.close(fd)
        self._fates[connection.fileno()] = (pid, connection)
        with contextlib.suppress(OSError):
            connection.sendall(b"%-*d" % (_CODE_BYTES, pid))
        return None

    def _leave_host(self, host: int) -> None:
        """In a child: be a process of one's own that ends with its host."""
        system.end_with_parent()
        if os.getppid() != host:
            os._exit(1)
        system.adopt_orphans(False)

    def _take_pipes(self, pipes: List[int]) -> None:
        """In a child: have the worker's pipes in place of all that is the host's."""
        self._bell.leave()
        for mine, given in zip(self._own, pipes):  # noqa: B905 - Python 3.9
            os.dup2(given, mine, inheritable=False)
        os.dup2(self._own[2], 1)
        os.dup2(self._own[2], 2)
        for fd in pipes:
            os.close(fd)
        for connection in (self._control, *self._asking.values(), *(one for _, one in self._fates.values())):
            connection.close()

    def _hear(self, fd: int) -> None:
        """A worker wants a process aborted, or does not want it any more."""
        pid, connection = self._fates[fd]
        try:
            order = connection.recv(64)
        except OSError:
            order = b""
        with contextlib.suppress(ProcessLookupError):
            if order:
                os.kill(pid, signal.SIGABRT)
            else:
                self._poll.unregister(fd)
                _kill(pid)

    def _reap(self) -> None:
        """Tell how processes ended, and end what they have left behind."""
        for pid, status in system.ended_children():
            for fd, (one, connection) in list(self._fates.items()):
                if one == pid:
                    del self._fates[fd]
                    _kill_group(pid)
                    with contextlib.suppress(OSError):
                        connection.sendall(b"%-*d" % (_CODE_BYTES, _exit_code(status)))
                    self._forget(connection, [])
        for pid in system.children() - self._of_the_import - {one for one, _ in self._fates.values()}:
            _kill(pid)

    def _forget(self, connection: socket.socket, fds: List[int]) -> None:
        with contextlib.suppress(KeyError):
            self._poll.unregister(connection)
        connection.close()
        for fd in fds:
            os.close(fd)

    def _leave(self) -> NoReturn:
        system.end_children(_kill)
        os._exit(0)


def fork_into_a_group() -> int:
    """As `os.fork`; the child is in a process group of its own before it has had a turn, for its parent sees to it too.

    Linux ends a stopped process with its parent only once it was asked to, but hangs up on a stopped group of which no
    parent is left. It is no session, which would have a share of the processors to itself.
    """
    pid = os.fork()
    with contextlib.suppress(OSError):
        os.setpgid(pid, pid)
    return pid


def use_scratch(folder: str) -> None:
    """Let temporary files of this process go to its own folder."""
    for name in SCRATCH_NAMES:
        os.environ[name] = folder
    tempfile.tempdir = None


def _kill(pid: int) -> None:
    _kill_group(pid)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _kill_group(pid: int) -> None:
    """End what a process has started in its session, too."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _exit_code(status: int) -> int:
    """As `os.waitstatus_to_exitcode`: minus the signal for a process that one has ended."""
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def can_fork() -> bool:
    """Whether this process may be a host: nothing but this thread is running."""
    if not system.LINUX:
        return False
    # The system has a thread for a moment longer than Python, which has waited for the end of ours.
    until = time.monotonic() + _ENDING_SECONDS
    while system.threads() > 1 and time.monotonic() < until:
        time.sleep(0.001)
    return system.threads() == 1
