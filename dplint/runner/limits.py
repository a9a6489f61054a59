"""What limits the memory, the output and the life of a runner. Runs in the user's interpreter."""

from __future__ import annotations

import _thread
import contextlib
import os
import resource
import signal
import threading
import time
from typing import Optional

from . import system

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
