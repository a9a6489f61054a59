"""Runner hosts: each has imported one module, and forks a runner for whoever audits a mechanism of it.

They belong to the front end, so that a module is imported once for all workers, and its failure known to all. A worker
connects to `address`, names the module and what the import depends on, and is answered with the failure, or by the
host itself (`dplint.runner.hosts` is that side, `dplint.runner.forking` the host's). Where it is not safe to fork, or a
module has started threads, each runner imports by itself.

Where there are to be several, they are forked themselves: from a *first* one, which has loaded NumPy and what runners
are made of, but no module. So that is loaded once.

A check ends, and what it has imported stays as it is until then. An editor goes on: `renew` says that files may have
changed, a host that nobody needs ends by itself, and there are never more than some.

Who forks: the kernel asks, and a host that has imported a module may fork as often as it was told to.

Code that is imported gets past an audit hook, and could fork until nothing is left of the machine. The filter of a host
(`dplint.runner.fence_filter`) has the kernel stop it at each fork, and tell whoever holds a descriptor.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import select
import shutil
import socket
import struct
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from dplint.runner import frames, system
from dplint.runner.forking import FORK, RETIRE
from dplint.runner.hosts import RunnerError, named_places
from dplint.runner.process import Process, Start
from dplint.runner.scratch import make_scratch
from dplint.workers.process import share_of_a_processor

_RECEIVE, _SEND = 0xC0502100, 0xC0182101
_QUESTION, _ANSWER = struct.Struct("QII64x"), struct.Struct("QqiI")
_GO_ON = 1


class ForkGate:
    """Answers the kernel's questions about one host, in a thread that ends with it."""

    def __init__(self, listener: int) -> None:
        self._lock = threading.Lock()
        self._due = 0
        threading.Thread(target=self._watch, args=(listener,), name="dplint fork gate", daemon=True).start()

    def let_one(self) -> None:
        """The host is about to be told to fork."""
        with self._lock:
            self._due += 1

    def _watch(self, listener: int) -> None:
        poll = select.poll()
        poll.register(listener, select.POLLIN)
        while all(event & select.POLLIN for _, event in poll.poll()):
            with contextlib.suppress(OSError):  # who has asked is gone
                question = bytearray(_QUESTION.size)
                fcntl.ioctl(listener, _RECEIVE, question)
                asked, _, _ = _QUESTION.unpack(question)
                answer = (0, _GO_ON) if self._may_fork() else (-errno.EPERM, 0)
                fcntl.ioctl(listener, _SEND, bytearray(_ANSWER.pack(asked, 0, *answer)))
        os.close(listener)

    def _may_fork(self) -> bool:
        with self._lock:
            due, self._due = self._due, max(0, self._due - 1)
        return due > 0


class RunnerHosts:
    """The hosts of one front end, each started when it is first asked for. Thread safe.

    idle: seconds after which a host ends that nobody asks, and that has forked nothing which still runs; None for
    never. most: so many are kept, and the one that was asked longest ago makes room; None for any number.
    """

    def __init__(self, *, idle: float | None = None, most: int | None = None) -> None:
        self._lock = threading.Lock()
        self._idle, self._most = idle, most
        # Linux tells a host of the end of the thread that has started it, also while it is stopped.
        self._starter = ThreadPoolExecutor(1, "dplint starts runner hosts")
        self._hosts: dict[str, _Host] = {}
        self._retired: list[_Host] = []
        self._firsts: dict[str, _Host] = {}
        self.several = False
        """Whether there will be hosts of several modules, which stay to the end: then they are forked."""
        self.share_mib = share_of_a_processor()
        """The memory of each host that is started from now on, and of each runner that is forked from it."""
        self._closed = False
        self._folder, self._descriptor = make_scratch("hosts-")
        self._listener = socket.socket(socket.AF_UNIX)
        self.address: str | None = None
        # The path may be too long for a socket; then each runner imports by itself.
        with contextlib.suppress(OSError):
            if system.LINUX:
                self._listener.bind(f"{self._folder}/socket")
                self._listener.listen(64)
                self.address = f"{self._folder}/socket"
                threading.Thread(target=self._accept, name="dplint runner hosts", daemon=True).start()

    def expect(self, request: dict[str, Any]) -> None:
        """Begin an import that will be asked for, as `host_request` describes it: nobody may wait for it then."""
        if self.address is not None:
            threading.Thread(target=self._begin, args=(request,), daemon=True).start()

    def forget(self, path: str) -> None:
        """End the host of this module: no audit of it is left."""
        with self._lock:
            gone = [key for key, host in self._hosts.items() if host.path == path]
            hosts = [self._hosts.pop(key) for key in gone]
        for host in hosts:
            host.close()

    def renew(self) -> None:
        """Who asks from now on gets a new import: files may have changed. What was forked before goes on."""
        with self._lock:
            retired = list(self._hosts.values())
            self._hosts.clear()
            self._retired += retired
        for host in retired:
            host.retire()

    def close(self) -> None:
        """End all of them, and what they have forked."""
        with self._lock:
            again, self._closed = self._closed, True
            hosts = [*self._hosts.values(), *self._retired, *self._firsts.values()]
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for host in hosts:
            host.close()
        self._starter.shutdown(wait=False, cancel_futures=True)
        shutil.rmtree(self._folder, ignore_errors=True)
        if not again:
            os.close(self._descriptor)

    def _start(self, popen: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
        try:
            return self._starter.submit(popen).result()
        except RuntimeError as error:
            raise OSError(str(error)) from error

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _begin(self, request: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):
            host = self._host(request)
            if host is not None:
                host.answer()

    def _serve(self, connection: socket.socket) -> None:
        """Answer one worker, or hand its connection on to the host."""
        with connection, contextlib.suppress(OSError, frames.BrokenFrame):
            frame = frames.read_frame(connection.fileno())
            host = None if frame is None else self._host(frame[0])
            if host is None:
                return
            answer = host.answer()
            if answer is None:
                host.hand_over(connection)
            else:
                frames.write_frame(connection.fileno(), answer)

    def _host(self, request: dict[str, Any]) -> _Host | None:
        """The host for a request, the one that was asked last standing last; None after the end."""
        key = json.dumps(request, sort_keys=True)
        with self._lock:
            if self._closed:
                return None
            host = self._hosts.pop(key, None)
            if host is not None and host.gone:
                self._retired.append(host)
                host = None
            self._hosts[key] = host = host or _Host(
                request, self._idle, self._start, self._first(request), self.share_mib
            )
            outdated = list(self._hosts)[: -self._most] if self._most is not None else []
            making_room = [self._hosts.pop(one) for one in outdated]
            self._retired += making_room
            gone = [one for one in self._retired if one.gone]
            self._retired = [one for one in self._retired if one not in gone]
        for one in making_room:
            one.retire()
        for one in gone:
            one.close()
        return host

    def _first(self, request: dict[str, Any]) -> _Host | None:
        """What the host for a request is to be forked from."""
        if not self.several:
            return None
        wanted = {**request, "mechanism": None, "text": None}
        key = json.dumps(wanted, sort_keys=True)
        return self._firsts.setdefault(key, _Host(wanted, None, self._start, None, self.share_mib))


class _Host:
    """One host. The first who asks for it waits for the import, and with him all who ask meanwhile.

    request: without a mechanism nothing is imported. first: the host that it is forked from, if that works.
    """

    def __init__(
        self, request: dict[str, Any], idle: float | None, start: Start, first: _Host | None, share_mib: int
    ) -> None:
        self.path = str(request["mechanism"]["path"]) if request["mechanism"] is not None else ""
        self._request = request
        self._idle, self._start, self._first, self._share_mib = idle, start, first, share_mib
        self._importing = threading.Lock()
        self._begun = self._closed = self._retiring = False
        self._answer: dict[str, Any] | None = None
        self._process: Process | None = None
        self._control: socket.socket | None = None
        self._gate: ForkGate | None = None

    def answer(self) -> dict[str, Any] | None:
        """What a worker is told: why the import failed, or that it has to import by itself; None if the host forks."""
        with self._importing:
            if not self._begun:
                self._begun = True
                try:
                    self._answer = None if self._forks() else {"alone": True}
                    if self._retiring:
                        self._tell_to_retire()
                except RunnerError as error:
                    self._answer = {"failure": error.in_import_of(self.path).document()}
                except _NotWanted:
                    self._answer = {"alone": True}
            return self._answer

    def hand_over(self, connection: socket.socket) -> None:
        """Give the host the connection of a worker, which is told its scratch folder. Raises OSError if it is gone."""
        control, process = self._control, self._process
        if control is None or process is None:
            raise OSError("the host is closed")
        frames.write_frame(connection.fileno(), {"scratch": process.scratch})
        if self._gate is not None:
            self._gate.let_one()
        socket.send_fds(control, [FORK], [connection.fileno()])

    def connection(self) -> socket.socket | None:
        """A connection whose other end the host has; None if there is no such host."""
        if self.answer() is not None:
            return None
        ours, theirs = socket.socketpair(socket.AF_UNIX)
        with theirs:
            try:
                self.hand_over(theirs)
            except OSError:
                ours.close()
                return None
        return ours

    @property
    def gone(self) -> bool:
        """Whether its process has ended. One that has none, for its import has failed, is there to say so."""
        process = self._process
        return process is not None and self._answer is None and process.ended

    def retire(self) -> None:
        """Let it end as soon as nothing that it has forked is left, and whoever waits for its import has got a fork."""
        self._retiring = True
        if not self._importing.acquire(blocking=False):
            return
        try:
            self._tell_to_retire()
        finally:
            self._importing.release()

    def _tell_to_retire(self) -> None:
        if self._control is not None:
            with contextlib.suppress(OSError):
                self._control.sendall(RETIRE)

    def close(self) -> None:
        """End it; whoever waits for its import hears at once."""
        self._closed = True
        if self._importing.acquire(timeout=2.0):
            try:
                if self._process is not None:
                    self._process.close()
                if self._control is not None:
                    self._control.close()
                self._process = self._control = None
            finally:
                self._importing.release()

    def _forks(self) -> bool:
        """Start the process and import; whether it can be a host. Raises RunnerError."""
        request = self._request
        module, allow = request["mechanism"], frozenset(request["allow"])
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = Process(
                str(request["interpreter"]),
                memory_mib=int(request["memory_mib"]),
                allow=allow,
                waiting=self._check_wanted,
                control=theirs.fileno(),
                idle=self._idle,
                start=self._start,
                over=None if self._first is None else self._first.connection(),
                share_mib=self._share_mib,
                reads=None if module is None else named_places(module, allow),
                gate=module is not None,
            )
        if module is not None:
            # It was sent before the process said anything, if at all. `recv_fds` passes over flags.
            self._control.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                _, listeners, _, _ = socket.recv_fds(self._control, 1, 1)
                self._gate = ForkGate(listeners[0]) if listeners else None
            self._control.setblocking(True)
            header = {"do": "import", "mechanism": request["mechanism"], "text": request["text"]}
            self._process.exchange(header, float(request["deadline"]))
        answer, _ = self._process.exchange({"do": "fork"}, float(request["deadline"]))
        if not answer["forks"]:
            self._process.close()
        return bool(answer["forks"])

    def _check_wanted(self, _: float) -> None:
        if self._closed:
            raise _NotWanted


class _NotWanted(Exception):
    """The check has ended during the import."""
