"""The fork server's process: it loads what audits need and forks workers, which are then ready at once.

It has a single thread whenever it forks: locks that another thread held would stay locked in the worker for ever.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.util
import math
import os
import select
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from typing import NoReturn

from dplint.runner import system
from dplint.runner.scratch import remove_scratch_of
from dplint.workers.fork_server import CODE_BYTES, LASTING, REQUEST
from dplint.workers.main import FIRST_MODULES, serve

_FIRST = (
    *FIRST_MODULES,
    "dplint.audit.exact.procedure",
    "dplint.audit.proving.procedure",
    "dplint.proofs.searching",
    "dplint.distributions.registry:distributions",
    "dplint.events.families:families",
)
"""What nearly each audit needs, a registry by the function that fills it: a worker would take a fifth of a second for
what is not there when it is forked."""
_ON_USE = ("numpy.testing", "numpy.f2py", "numpy.ma", "numpy.polynomial")
"""SciPy names all parts of NumPy when it is loaded. A tenth of a second is for these, of which nobody uses anything."""
_LATER = (
    "dplint.audit.models.procedure",
    "scipy.optimize",
    "scipy.stats",
)
"""These take longer to load than all the rest, and audits need them late, if at all: no worker waits for them. They
come in portions, each below a third of a second, since nothing else is done meanwhile. A check has all its workers at
once, which would not see what is loaded after them."""
_CALM, _MOST_CALM = 2.0, 10.0
"""Seconds without a fork after which the later modules are loaded, and after which they are in any case: short audits
have done without them by then, and the processors to themselves."""


def main() -> None:
    """Fork workers until the front end closes the control socket or dies; then end them all."""
    control = _private_control()
    system.step_down(int(sys.argv[2]))
    system.adopt_orphans()
    for module in _ON_USE:
        _load_on_use(module)
    for module in _FIRST:
        _load(module, control)
    _ForkServer(control).serve(_LATER if LASTING in sys.argv[3:] else ())
    # The interpreter would take its time for tidying up.
    os._exit(0)


def _private_control() -> socket.socket:
    """Move the control socket to a descriptor of its own: nothing that is loaded or forked here may read from it."""
    control = socket.socket(fileno=os.dup(0))
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return control


def _load(module: str, control: socket.socket) -> None:
    name, _, fill = module.partition(":")
    with _leaving_with_front_end(control):
        loaded = importlib.import_module(name)
        if fill:
            getattr(loaded, fill)()
    gc.collect()
    # What is loaded stays, in memory that is shared with the workers as long as nobody writes to it.
    gc.freeze()


def _load_on_use(module: str) -> None:
    """Put a module in place that is loaded when somebody asks for anything in it."""
    spec = importlib.util.find_spec(module)
    if spec is None or spec.loader is None or module in sys.modules:
        return
    spec.loader = loader = importlib.util.LazyLoader(spec.loader)
    sys.modules[module] = made = importlib.util.module_from_spec(spec)
    loader.exec_module(made)
    package, _, name = module.rpartition(".")
    setattr(sys.modules[package], name, made)


@contextlib.contextmanager
def _leaving_with_front_end(control: socket.socket) -> Iterator[None]:
    """Inside, which may take seconds, the process ends as soon as the front end is gone."""
    stop, stopped = os.pipe()

    def watch() -> None:
        poll = select.poll()
        poll.register(control, 0)  # hanging up is always reported
        poll.register(stop, 0)
        if any(fd == control.fileno() for fd, _ in poll.poll()):
            system.end_children(_kill, remove_scratch_of)
            os._exit(1)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        os.close(stopped)
        watcher.join()
        os.close(stop)


class _ForkServer:
    """The loop of the process, and the workers that it has forked."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._fates: dict[int, socket.socket] = {}
        self._first_fork = self._last_fork = math.inf
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)
        self._bell = system.Bell()
        self._poll.register(self._bell.fd, select.POLLIN)

    def serve(self, later: Sequence[str]) -> None:
        """Fork, kill and reap; load the later modules meanwhile."""
        todo = list(later)
        while True:
            ready = {fd for fd, _ in self._poll.poll(1000 * self._until_calm() if todo else None)}
            if self._bell.fd in ready:
                self._bell.hush()
                self._reap()
            for pid, fate in self._fates.items():
                if fate.fileno() in ready:
                    # The front end does not want it any more.
                    self._poll.unregister(fate)
                    _kill(pid)
            if self._control.fileno() in ready:
                if not self._take_request():
                    system.end_children(_kill, remove_scratch_of)
                    return
            elif todo and not ready and self._until_calm() <= 0:
                _load(todo.pop(0), self._control)

    def _until_calm(self) -> float:
        """Seconds until what audits need late, if at all, may take time; 0 where none is under way."""
        if not self._fates:
            return 0.0
        return max(0.0, min(self._last_fork + _CALM, self._first_fork + _MOST_CALM) - time.monotonic())

    def _take_request(self) -> bool:
        """Fork a worker; False if nobody is there any more to ask for one."""
        try:
            request, given, _, _ = socket.recv_fds(self._control, REQUEST.size, 3, socket.MSG_CMSG_CLOEXEC)
        except OSError:
            return False
        try:
            if len(given) == 3:
                talk, fate, errors = given
                self._answer(talk, fate, errors, *REQUEST.unpack(request))
        finally:
            for fd in given:
                os.close(fd)
        return bool(request)

    def _answer(self, talk: int, fate: int, errors: int, share_mib: int) -> None:
        """Fork a worker, or tell how it ended: the front end would take this process for dead if it heard nothing."""
        try:
            if not _hung_up(fate):
                self._fork(talk, fate, errors, share_mib)
                return
            end = -signal.SIGKILL
        except OSError:
            os.write(errors, traceback.format_exc().encode())
            end = 1
        with contextlib.suppress(OSError):
            os.write(fate, b"%d" % end)

    def _fork(self, talk: int, fate: int, errors: int, share_mib: int) -> None:
        own = socket.socket(fileno=os.dup(fate))
        fork_server = os.getpid()
        pid = os.fork()
        if pid == 0:
            own.close()
            os.close(fate)
            self._leave_home()
            _work(fork_server, talk, errors, share_mib)
        self._last_fork = time.monotonic()
        self._first_fork = min(self._first_fork, self._last_fork)
        self._fates[pid] = own
        self._poll.register(own, select.POLLIN)

    def _leave_home(self) -> None:
        """In a worker: let go of all that is the fork server's, so that nobody hears of it when this one dies."""
        self._bell.leave()
        for fate in (self._control, *self._fates.values()):
            fate.close()

    def _reap(self) -> None:
        """Tell how workers ended, and leave nothing of them."""
        for pid, status in system.ended_children():
            self._reap_one(pid, status)
        for pid in system.children() - set(self._fates):
            _kill(pid)  # what a worker has left behind falls to the fork server

    def _reap_one(self, pid: int, status: int) -> None:
        fate = self._fates.pop(pid, None)
        if fate is None:
            return
        with contextlib.suppress(KeyError):
            self._poll.unregister(fate)
        with contextlib.suppress(OSError):
            fate.send(str(os.waitstatus_to_exitcode(status)).encode()[:CODE_BYTES])
        fate.close()
        remove_scratch_of(pid)


def _hung_up(fate: int) -> bool:
    poll = select.poll()
    poll.register(fate, select.POLLIN)
    return bool(poll.poll(0))


def _kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def _work(fork_server: int, talk: int, errors: int, share_mib: int) -> NoReturn:
    """Be a worker, in the child of a fork; whatever happens, the fork server's code is not returned to."""
    try:
        if system.niceness() > 0:
            os.setpgid(0, 0)  # behind an editor: no session, which would have a share of the processors to itself
        else:
            system.own_session()
        system.end_with_parent()
        if os.getppid() == fork_server:
            os.dup2(errors, 2)
            os.dup2(errors, 1)
            os.close(errors)
            orders, messages = os.fdopen(os.dup(talk), "rb"), os.fdopen(os.dup(talk), "wb")
            os.close(talk)
            serve(orders, messages, share_mib)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(1)
