"""What not every system has, in one place: signals to children, priorities, sessions, and what /proc tells.

Runs in the user's interpreter, and is part of the worker and of front ends. Nothing else asks which system this is, but
for the fence, which is Linux's own. Elsewhere processes are started anew in place of being forked, and what nobody
tells is not known: no function here fails for that.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import Callable, Iterator, Optional, Set, Tuple

try:
    import ctypes
except ImportError:  # a Python may be built without it
    ctypes = None  # type: ignore[assignment]

LINUX = sys.platform == "linux"
"""Whether processes may be forked, and are fenced."""
_THREADS = "OMP_NUM_THREADS OPENBLAS_NUM_THREADS MKL_NUM_THREADS NUMEXPR_NUM_THREADS VECLIB_MAXIMUM_THREADS"
ONE_THREAD = {**dict.fromkeys(_THREADS.split(), "1"), "_RJEM_MALLOC_CONF": "background_thread:false"}
"""Variables that keep numerical libraries to one thread, and polars from one of its allocator when it is imported."""
PROC = "/proc"
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 1, 4, 36


def _prctl(option: int, value: int) -> None:
    if LINUX and ctypes is not None:
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def end_with_parent() -> None:
    """Have the system kill this process when the thread that started it ends."""
    _prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL) if LINUX else 0)


def adopt_orphans(yes: bool = True) -> None:
    """Whether what children leave behind falls to this process."""
    _prctl(_PR_SET_CHILD_SUBREAPER, int(yes))


def keep_private() -> None:
    """Let no other process of the user look into this one from now on, and leave no core dumps."""
    _prctl(_PR_SET_DUMPABLE, 0)


def step_down(by: int) -> None:
    """Run at a lower priority, if there are any."""
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(by)


def niceness() -> int:
    """How far this process has stepped down."""
    return os.nice(0) if hasattr(os, "nice") else 0


def own_session() -> None:
    """Leave the session of the parent, and so its terminal. The leader of a group stays where it is."""
    if hasattr(os, "setsid"):
        with contextlib.suppress(OSError):
            os.setsid()


def told(name: str) -> Optional[str]:
    """The text of a file of /proc, such as "self/statm"; None where the system does not tell."""
    try:
        with open(f"{PROC}/{name}", encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def children() -> Set[int]:
    """The children of this process that have not been reaped. Not every kernel tells."""
    return set(map(int, (told(f"self/task/{os.getpid()}/children") or "").split()))


def ended_children() -> Iterator[Tuple[int, int]]:
    """Those that have ended, with how: they are reaped."""
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            yield pid, status


def end_children(kill: Callable[[int], object], ended: Callable[[int], object] = lambda _: None) -> None:
    """End the children and, in turn, whatever falls to this process when they are gone. ended: is told of each."""
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        while True:
            left = children()
            if not left:
                return
            for pid in left:
                kill(pid)
            for pid in left:
                os.waitpid(pid, 0)
                ended(pid)


class Bell:
    """What `poll` can wait for beside other descriptors: it rings when a child has ended."""

    def __init__(self) -> None:
        self.fd, self._ringing = os.pipe()
        for end in (self.fd, self._ringing):
            os.set_blocking(end, False)
        self._handler = signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._ringing, warn_on_full_buffer=False)

    def hush(self) -> None:
        """Let it ring for later ends alone."""
        with contextlib.suppress(BlockingIOError):
            os.read(self.fd, 4096)

    def leave(self) -> None:
        """In a child: be as if there were none."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, self._handler or signal.SIG_DFL)
        os.close(self.fd)
        os.close(self._ringing)


def threads() -> int:
    """How many threads this process has, those of libraries in C among them; more than one where that is not told."""
    try:
        return len(os.listdir(f"{PROC}/self/task"))
    except OSError:
        return sys.maxsize


def is_alive(pid: int) -> bool:
    """Whether there is such a process; True where nobody tells."""
    return not os.path.isdir(PROC) or os.path.exists(f"{PROC}/{pid}")


def bytes_told(name: str, line: str) -> Optional[int]:
    """The number of kB behind a word in a file of /proc, in bytes; None where the system does not tell."""
    for one in (told(name) or "").splitlines():
        if one.startswith(line):
            with contextlib.suppress(ValueError, IndexError):
                return 1024 * int(one.split()[1])
    return None


def address_space() -> int:
    """Bytes of address space of this process; 0 where the system does not tell."""
    pages = (told("self/statm") or "0").split()[0]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
