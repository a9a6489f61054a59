"""The fence around a runner on Linux, which needs no privileges: the kernel refuses what is not allowed.

`effect_guard` sees what Python code does, and says what was tried; it comes first. The fence holds what gets past it:
extension modules, `ctypes`, raw system calls. Where a kernel or a container does not have it, the guard is alone.
Whether it stands is found out by trying. Runs in the user's interpreter.

A host must be able to fork and to signal its runners. So each fork of one that has imported a module is asked of the
front end, which knows whether it has asked for one; signals are closed in the runners alone before Linux 6.12. Their
scratch folders lie in that of the host, for the places that may be written to can only become fewer.

What limits the memory, the output and the life of a runner. Runs in the user's interpreter.
"""

from __future__ import annotations

import _thread
import contextlib
import ctypes
import errno
import os
import resource
import signal
import socket
import struct
import threading
import time
from typing import Callable, Dict, FrozenSet, Optional, Sequence, Tuple

from . import fence_files, fence_filter, system
from .failures import REFUSALS
from .fence_files import READ, readable_places

NETWORK, WRITE, PROCESS, SIGNAL, OTHERS = "network", "write", "process", "signal", "ptrace"
PARTS = {
    NETWORK: "no sockets, but for pairs within the process",
    WRITE: "no writing outside the scratch folder",
    READ: "no reading but of the system, the interpreter, its packages, the project, and what `allow` names",
    PROCESS: "no other programs and processes",
    SIGNAL: "no signals to other processes",
    OTHERS: "no reaching into other processes",
}
"""What the fence holds, in words."""
OPENED_BY = {
    NETWORK: ("network",),
    WRITE: ("write",),
    READ: (READ, "write"),
    PROCESS: ("process",),
    SIGNAL: ("process",),
}
"""What `allow` has to name, one of them, for a part not to be held."""
_NO_NEW_PRIVS = 38
_CAPABILITIES_VERSION = 0x20080522
_KEPT = {"": 0x1F, NETWORK: 1 << 10 | 1 << 13, PROCESS: 1 << 5 | 1 << 6 | 1 << 7 | 1 << 8}
"""Capabilities that an administrator's code keeps: those about the owners of files, and what is allowed."""
_AF_INET, _DATAGRAM = 2, 2
_CLONE_SIGHAND = 0x800
_OWN_NAME = "/proc/self/comm"


def put_up(
    allow: FrozenSet[str],
    folders: Sequence[str],
    places: Optional[Sequence[str]],
    *,
    forks: bool,
    gate: Optional[int] = None,
) -> None:
    """Put up what this kernel has of the fence. Called again, it only gets tighter.

    To be called while the process has one thread. folders: where may be written. places: where may be read, too, None
    for everywhere but keys. forks: whether this process is to be a host: its forks put up their own. gate: a socket of
    whoever lets the host fork: told once, with the descriptor by which the kernel asks, where it does.
    """
    listener = -1
    try:
        if system.LINUX and ctypes.CDLL(None).prctl(_NO_NEW_PRIVS, 1, 0, 0, 0) == 0:
            _drop_capabilities(allow)
            landlock = fence_files.version() if fence_files.restrict(allow, folders, places) else 0
            if fence_filter.column() >= 0:
                listener = fence_filter.install(allow, forks=forks, asks=gate is not None, landlock=landlock)
    except (OSError, AttributeError, ValueError):
        pass
    finally:
        if gate is not None:
            _hand_over(gate, listener)


def limit_reading(allow: FrozenSet[str], folders: Sequence[str], places: Optional[Sequence[str]]) -> None:
    """The rest of a fence that was put up when it was not known yet where packages lie."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        if fence_files.version():
            fence_files.restrict(allow, folders, places)


def close_in() -> None:
    """Put it up around a process of dplint's own that reads what others have written, and does nothing else.

    It reads wherever a project may lie, also in folders that are made later. Of several threads, files and signals are
    closed to the calling one alone.
    """
    put_up(frozenset(), (), (), forks=False)


def _hand_over(gate: int, listener: int) -> None:
    with socket.fromfd(gate, socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        socket.send_fds(connection, [b"g"], [] if listener < 0 else [listener])
    if listener >= 0:
        os.close(listener)


def _drop_capabilities(allow: FrozenSet[str]) -> None:
    """Of a process of an administrator: code that is checked does not need them, and some get past Landlock."""
    system = ctypes.CDLL(None)
    head = struct.pack("Ii", _CAPABILITIES_VERSION, 0)
    held = ctypes.create_string_buffer(24)
    if system.capget(head, held) == 0:
        kept = sum(mask for effect, mask in _KEPT.items() if not effect or effect in allow)
        # Effective, permitted and inheritable ones; of each first those with numbers below 32.
        low = [part & kept for part in struct.unpack("6I", held.raw)[:3]]
        system.capset(head, struct.pack("6I", *low, 0, 0, 0))


def standing(allow: FrozenSet[str], *, forks: bool) -> Tuple[str, ...]:
    """The parts that hold, by trying each in a way that does nothing where it does not hold. forks: as for `put_up`."""
    held: Tuple[str, ...] = ()
    if system.LINUX:
        with contextlib.suppress(OSError, AttributeError, ValueError):
            held = _standing(allow, forks=forks)
    REFUSALS.standing = bool(held)
    return held


def _standing(allow: FrozenSet[str], *, forks: bool) -> Tuple[str, ...]:
    call = ctypes.CDLL(None, use_errno=True).syscall
    alone = system.threads() == 1
    tests: Dict[str, Callable[[], bool]] = {
        NETWORK: lambda: _is_refused(call, "socket", _AF_INET, _DATAGRAM, 0),
        WRITE: lambda: alone and _cannot_open(_OWN_NAME, os.O_WRONLY),
        READ: lambda: alone and _cannot_open("/", os.O_RDONLY | os.O_DIRECTORY),
        # A set of flags that no kernel accepts.
        PROCESS: lambda: (
            _is_refused(call, "execve", None, None, None) and (forks or _is_refused(call, "clone", _CLONE_SIGHAND))
        ),
        SIGNAL: lambda: alone and _is_refused(call, "kill", os.getppid(), 0),
        OTHERS: lambda: _is_refused(call, "ptrace", 2, 0, None, None),
    }
    return tuple(part for part, holds in tests.items() if allow.isdisjoint(OPENED_BY.get(part, ())) and holds())


def _is_refused(call: Callable[..., int], name: str, *arguments: Optional[int]) -> bool:
    if fence_filter.column() < 0:
        return False
    result = call(fence_filter.number_of(name), *arguments)
    if name == "socket" and result >= 0:
        os.close(result)
    return result < 0 and ctypes.get_errno() == errno.EPERM


def _cannot_open(path: str, how: int) -> bool:
    try:
        os.close(os.open(path, how))
    except OSError as error:
        return error.errno == errno.EACCES
    return False


def try_out(allow: FrozenSet[str], named: Sequence[str] = ()) -> Tuple[str, ...]:
    """The parts that stand around runners on this machine; tried in a child, so that this process is as it was.

    named: what may be read as well, as `readable_places` has it.
    """
    if not system.LINUX:
        return ()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            put_up(allow, (), readable_places(allow, named), forks=False)
            os.write(writing, " ".join(standing(allow, forks=False)).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        text = pipe.read().decode()
    os.waitpid(child, 0)
    return tuple(text.split())


_WATCH_SECONDS = 0.5
_SPARE_CPU_SECONDS = 10
_MIB = 1024 * 1024
_SPACE = 16


def step_back() -> None:
    """Run at low priority and leave no core files."""
    system.step_down(10)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_memory(mib: int) -> None:
    """Allow `mib` MiB of memory to write to beyond what the process holds now, and some address space for each.

    Libraries map and set apart far more than they use; but of what is shared with others only space is counted. Systems
    without these limits ignore them.
    """
    limit_data(mib, data_held(), for_good=True)
    wanted = system.address_space() + _SPACE * mib * _MIB
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (wanted, wanted))


def data_held() -> Optional[int]:
    """Bytes of memory of its own that the process may write to, touched or not; None where the system does not tell."""
    return system.bytes_told("self/status", "VmData:")


def limit_data(mib: int, held: Optional[int], *, for_good: bool = False) -> None:
    """Allow `mib` MiB of memory to write to beyond what was held at some time: more raises MemoryError.

    Unlike address space it does not count what is only mapped or set apart: libraries, arenas of threads. for_good: not
    even this process can raise it again; else the limit is not that of processes that it starts, which set their own.
    """
    if held is None:
        return
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    wanted = held + mib * _MIB
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, wanted if for_good else hard))


class Share:
    """The share of a process in the memory that is there for all: None where nobody has dealt any."""

    def __init__(self) -> None:
        self.mib: Optional[int] = None
        self._held: Optional[int] = None

    def take(self, mib: int) -> None:
        """From now on this process has a share beyond what it holds, and so has each runner that it starts."""
        self.mib, self._held = mib, data_held()
        self.allow(mib)

    def allow(self, mib: int) -> None:
        """Allow no more than this for what follows, and no more than the share."""
        if self.mib is not None:
            limit_data(min(mib, self.mib), self._held)

    @property
    def half_used(self) -> bool:
        """Whether half of the share is in use: what is kept leaves too little for what comes."""
        held = data_held()
        return held is not None and self._held is not None and held - self._held > (self.mib or 0) * _MIB // 2


SHARE = Share()
"""That of this process."""


def limit_cpu(seconds: float) -> None:
    """A backstop for one request, should the worker not be there to enforce the deadline: SIGXCPU ends the process."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    wanted = int(time.process_time() + 4 * seconds + _SPARE_CPU_SECONDS) + 1
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (wanted, hard))


def limit_work(seconds: float) -> None:
    """Processor time from now on, to a fraction of a second, after which SIGPROF ends this process; 0 for no end.

    For processes without user code, which could take it back.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)


class ParentWatch:
    """Ends this process soon after its parent has gone.

    by_signal: also have Linux send SIGKILL, which reaches code that never lets go of the interpreter lock. Linux
    sends it when the *thread* that started this process ends, so it is asked for only where that was a main thread.
    """

    def __init__(self, by_signal: bool) -> None:
        parent = os.getppid()
        if by_signal:
            system.end_with_parent()
        self._going = _thread.allocate_lock()
        self._going.acquire()
        arguments = (parent, self._going.acquire, os.getppid, os._exit)
        self._thread = threading.Thread(target=_watch, args=arguments, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Watch no more; the thread has ended when this returns."""
        self._going.release()
        self._thread.join()


def _watch(parent, stopped, getppid, leave) -> None:  # type: ignore[no-untyped-def]
    # Bound as arguments: user code may replace what the modules hold.
    while not stopped(True, _WATCH_SECONDS):
        if getppid() != parent:
            leave(1)
