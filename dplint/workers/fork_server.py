"""The fork server, seen from the front end's side: a process that has loaded what audits need, and forks workers from
it.

A worker that is forked starts in milliseconds, so that each audit can have one of its own, killed when it is not wanted
any more. The front end talks to such a worker over a socket, which it hands to the fork server together with the
request. A second one, the *fate*, ties the fork server to the worker: closed by the front end, it is the order to kill;
the fork server answers with how the worker ended. Either hears at once when the process at the other end dies, however
it dies.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import weakref
from typing import IO

from dplint.runner import system
from dplint.runner.hosts import ADDRESS
from dplint.workers.frames import packed
from dplint.workers.process import (
    ALLOCATOR,
    FORK_SERVER,
    HOME,
    Connected,
    Worker,
    WorkerGone,
    described,
    share_of_a_processor,
    tail_of,
)

_START = "import sys; sys.path.append(sys.argv[1]); from dplint.workers.fork_server_main import main; main()"
_FATE_SECONDS, _CLOSING_SECONDS = 5.0, 2.0
REQUEST, CODE_BYTES, LASTING = struct.Struct("<Q"), 16, "lasting"
"""A request is the share of the worker in the memory, in MiB."""


class ForkServer:
    """A process that has loaded what audits need, and forks workers from it. Thread safe.

    It starts at once, and nobody waits for it: a worker can be had, and given a job, while it is still loading. When
    the process that made it dies, it ends with all its workers and their runners. Where it is not safe to fork,
    workers are processes of their own. niceness: by how much everything here steps back behind what the user does.
    hosts: the address of the runner hosts that workers may use. lasting: whether workers are asked for as time goes on,
    so that what few audits need is loaded for those to come. share_mib: the memory of each worker that is asked for
    from now on; at first what it may have if there is one for each processor.
    """

    def __init__(self, *, niceness: int = 10, hosts: str | None = None, lasting: bool = True) -> None:
        self._niceness, self._hosts, self._lasting = niceness, hosts, lasting
        self._lock = threading.Lock()
        self._closed = False
        self.share_mib = share_of_a_processor()
        self._process_of_server = self._found()

    def worker(self) -> Connected:
        """A fresh worker. Raises WorkerGone if the fork server is closed or cannot be started again."""
        with self._lock:
            if self._closed:
                raise WorkerGone("the fork server is closed", "")
            with contextlib.suppress(OSError):
                if self._process_of_server.alive:
                    return self._process_of_server.worker(self.share_mib)
            self._process_of_server.close()
            self._process_of_server = self._found()
            try:
                return self._process_of_server.worker(self.share_mib)
            except OSError as error:
                raise WorkerGone(f"no worker could be started: {error}", "") from error

    @property
    def pid(self) -> int | None:
        """The number of its process, None where there is none."""
        with self._lock:
            return self._process_of_server.pid

    def close(self) -> None:
        """End it and all of its workers."""
        with self._lock:
            self._closed = True
            self._process_of_server.close()

    def _found(self) -> _ForkServerProcess | _Reserve:
        if not system.LINUX:
            return _Reserve(self._niceness)
        return _ForkServerProcess(self._niceness, self._hosts, lasting=self._lasting)


class WorkersOfItsOwn:
    """The same where it is not safe to fork: each worker is a process that loads what its jobs need."""

    def __init__(self, hosts: str | None) -> None:
        self._hosts = hosts
        self.share_mib = share_of_a_processor()

    def worker(self) -> Connected:
        """A fresh worker."""
        return Worker(hosts=self._hosts, share_mib=self.share_mib)

    def close(self) -> None:
        """Nothing is left: whoever has a worker ends it."""


def workers_at_once(hosts: str | None) -> ForkServer | WorkersOfItsOwn:
    """Where workers come from that all have a job soon, and none of which is to be in reserve."""
    return ForkServer(niceness=0, hosts=hosts, lasting=False) if system.LINUX else WorkersOfItsOwn(hosts)


class _ForkServerProcess:
    """One process of a fork server."""

    def __init__(self, niceness: int, hosts: str | None, *, lasting: bool) -> None:
        self.lost = False  # a worker has seen it end, perhaps before it can be waited for
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START, HOME, str(niceness), *([LASTING] if lasting else [])],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                start_new_session=True,
                # Threads of a numerical library would not survive the fork, and nobody wants an audit on all cores.
                env={**os.environ, **ALLOCATOR, **system.ONE_THREAD, **({ADDRESS: hosts} if hosts is not None else {})},
            )

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process has not ended yet."""
        return not self.lost and self._process.poll() is None

    def worker(self, share_mib: int) -> Connected:
        """Ask for a worker with so much memory. Raises OSError if nobody listens any more."""
        talk, their_talk = socket.socketpair()
        fate, their_fate = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the worker
        with their_talk, their_fate:
            try:
                given = [their_talk.fileno(), their_fate.fileno(), errors.fileno()]
                socket.send_fds(self._control, [REQUEST.pack(share_mib)], given)
            except OSError:
                for end in (talk, fate, errors):
                    end.close()
                raise
        return _Forked(talk, fate, errors, self)

    def close(self) -> None:
        """End the process, which ends its workers first."""
        self._control.close()
        try:
            self._process.wait(_CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()

    def last_words(self) -> str:
        """The tail of its error output, as long as it has not been closed."""
        with contextlib.suppress(ValueError):
            return tail_of(self._errors)
        return ""


class _Reserve:
    """Where it is not safe to fork: workers of their own, and always one more that has loaded what audits need."""

    pid = None
    alive = True

    def __init__(self, niceness: int) -> None:
        self._niceness = niceness
        self._given: weakref.WeakSet[Worker] = weakref.WeakSet()
        self._next = Worker(niceness=niceness, warm=True)

    def worker(self, share_mib: int) -> Connected:
        """The one in reserve, in whose place another is started, with so much memory."""
        given, self._next = self._next, Worker(niceness=self._niceness, warm=True, share_mib=share_mib)
        self._given.add(given)
        return given

    def close(self) -> None:
        """End all of them."""
        for worker in (self._next, *self._given):
            worker.kill()


class _Forked(Connected):
    """A worker that the fork server has forked, or will as soon as it has loaded."""

    def __init__(
        self, talk: socket.socket, fate: socket.socket, errors: IO[bytes], process_of_server: _ForkServerProcess
    ) -> None:
        self._talk, self._fate = talk, fate
        self._process_of_server = process_of_server
        super().__init__(talk.makefile("rb"), errors)

    def _send(self, message: object) -> None:
        self._talk.sendall(packed(message))

    def _wait(self) -> str:
        self._fate.settimeout(_FATE_SECONDS)
        try:
            code = self._fate.recv(CODE_BYTES)
            if code:
                return described(int(code))
            self._process_of_server.lost = True
            return FORK_SERVER
        except (OSError, ValueError):
            return "an unknown exit code"
        finally:
            self.kill()
            for end in (self._messages, self._talk, self._fate):
                end.close()

    def _last_words(self) -> str:
        # If it came to nothing because the fork server did, that one says why.
        return super()._last_words() or self._process_of_server.last_words()

    def kill(self) -> None:
        """End the process at once, without waiting for its death; its runner notices and ends too.

        It hears of that itself and would leave; the fork server kills it in case that it is stopped or hangs.
        """
        for end in (self._talk, self._fate):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR if end is self._talk else socket.SHUT_WR)
