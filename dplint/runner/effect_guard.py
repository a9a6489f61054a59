"""The guard around user code: no network, no processes, no files but its own, unless allowed.

An audit hook (PEP 578). It says what was tried and where, of code that does not know it is being audited; ctypes and
extension modules can pass it, and come to the `fence`, where there is one. Runs in the user's interpreter.

While the user's module is imported, installed packages are refused what is not allowed as an operating system would, by
an OSError: to ask `fc-list` for fonts or to keep a cache they try, and go on without. Only if the import fails is it
told.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import sys
from contextlib import contextmanager
from typing import Any, Callable, Dict, FrozenSet, Iterator, List, Optional, Tuple

from .failures import EFFECT, REFUSALS, Failure, caller_file, user_stack
from .fence_files import READ, is_within
from .system import PROC

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_HARMLESS = frozenset(("/dev/null", "/dev/full", "/dev/stdout", "/dev/stderr", "/dev/tty"))
_NETWORK = (
    "socket.__new__",
    "socket.connect",
    "socket.bind",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "socket.gethostbyaddr",
    "socket.getnameinfo",
    "socket.sendto",
    "socket.sendmsg",
)
_PROCESS = (
    "subprocess.Popen",
    "os.system",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.exec",
    "os.spawn",
    "pty.spawn",
    "os.kill",
    "os.killpg",
)
_REFUSED = ("network", "process", "write", READ)
_LISTS = ("os.listdir", "os.scandir")
_LISTING = 2
"""Where in the stack of a guard that is who lists a folder."""
_KNOWN = tuple(os.path.join(prefix, "lib", "") for prefix in (sys.prefix, sys.base_prefix))
"""Files of packages, which are many, are not looked up one by one."""
_AF_UNIX, _FROM_DESCRIPTOR = 1, -1
_UNSEEN = "unseen"
_SEEN = "only files that are opened by `open` or by methods of a Path are looked at"
# Of each event: where in its arguments the path stands, and the descriptor of the folder that the path is relative to.
_WRITE = {
    "os.remove": ((0, 1),),
    "os.rmdir": ((0, 1),),
    "os.mkdir": ((0, 2),),
    "os.rename": ((0, 2), (1, 3)),
    "os.link": ((1, 3),),
    "os.symlink": ((1, 2),),
    "os.chmod": ((0, 2),),
    "os.chown": ((0, 3),),
    "os.utime": ((0, 3),),
    "os.truncate": ((0, None),),
    "os.chflags": ((0, None),),
    "os.setxattr": ((0, None),),
    "os.removexattr": ((0, None),),
}


class BlockedEffect(BaseException):
    """Raised where user code tries what is not allowed; no Exception, so that `except Exception` lets it pass."""


class EffectGuard:
    """Watches audit events. `first` is the first blocked attempt since `reset`, even if it was swallowed.

    on: False while the runner itself does what user code may not. files_observed: whether the claim looks at files, so
    that one which is opened for writing behind the back of `runner.observing` is not allowed, wherever it is. places:
    what may be read, None for all.
    """

    def __init__(self, allow: FrozenSet[str], scratch: str, places: Optional[List[str]] = None) -> None:
        self._scratch = [os.path.realpath(scratch)]
        self._readable = places
        self.on = True
        self._importing = False
        self.files_observed = False
        self.first: Optional[Tuple[str, str, str]] = None
        self._refused: Optional[Tuple[str, str, str]] = None
        self._refusal: Optional[PermissionError] = None
        self._guards: Dict[str, Callable[[str, Tuple[Any, ...]], None]] = {}
        if "network" not in allow:
            self._guards.update((event, self._network) for event in _NETWORK)
        if "process" not in allow:
            self._guards.update((event, self._process) for event in _PROCESS)
        if "write" not in allow:
            self._guards.update((event, self._change) for event in _WRITE)
            self._guards.update({"open": self._open, "sqlite3.connect": self._sqlite})
            self._guards.update((event, self._list) for event in _LISTS)

    def install(self) -> None:
        """Install the guard; Python offers no way to take it down."""
        guards = self._guards

        def hook(event: str, args: Tuple[Any, ...]) -> None:
            guard = guards.get(event)
            if guard is not None and self.on:
                guard(event, args)

        sys.addaudithook(hook)

    def check(self) -> None:
        """Raise the EFFECT failure for what was blocked since the last `reset`, if anything was."""
        if self.first is not None:
            raise _failure(*self.first)

    def forgiven(self, error: Optional[BaseException]) -> Optional[Failure]:
        """The EFFECT failure for what was blocked, or lies behind this error; forgotten from now on."""
        told, self.first = self.first, None
        while told is None and error is not None:
            told = self._refused if error is self._refusal else None
            error = error.__cause__
        self._refused = self._refusal = None
        return None if told is None else _failure(*told)

    @contextmanager
    def while_importing(self) -> Iterator[None]:
        """The user's module is imported inside of it."""
        self._importing = True
        try:
            yield
        finally:
            self._importing = False

    def reset(self) -> None:
        """Forget what was blocked."""
        self.first = self._refused = self._refusal = None

    def move(self, scratch: str, places: Optional[List[str]]) -> None:
        """Have another folder of the process's own, too. places: as at first, where nobody has limited reading yet."""
        self._scratch.append(os.path.realpath(scratch))
        self._readable = places if self._readable is None else self._readable

    @property
    def reading_is_limited(self) -> bool:
        """Whether it is known what may be read."""
        return self._readable is not None

    def _block(self, effect: str, what: str) -> None:
        if self._importing and effect.partition(":")[0] in _REFUSED and _is_installed(caller_file()):
            self._refused = effect, what, user_stack()
            self._refusal = PermissionError(errno.EACCES, f"an audit may not {what}")
            raise self._refusal
        if self.first is None:
            self.first = (effect, what, user_stack())
        raise BlockedEffect(what)

    def _network(self, event: str, args: Tuple[Any, ...]) -> None:
        if event == "socket.__new__":
            # A pair of sockets looks the same as one of its family, which the events that follow tell.
            if args[1] not in (_AF_UNIX, _FROM_DESCRIPTOR):
                self._block("network", "use the network (a socket)")
            return
        target = args[0] if event.startswith("socket.get") else args[-1]
        self._block("network", f"use the network ({event} {_show(target)})")

    def _process(self, event: str, args: Tuple[Any, ...]) -> None:
        if event == "os.kill" and args[0] == os.getpid():
            return
        shown = f" {_show(args[0])}" if args else ""
        self._block("process", f"start or signal another process ({event}{shown})")

    def _open(self, event: str, args: Tuple[Any, ...]) -> None:
        path, mode, flags = args
        writes = bool(flags & _WRITING) if isinstance(flags, int) else False
        if isinstance(mode, str):
            writes = writes or not set(mode).isdisjoint("wax+")
        if not isinstance(path, int):
            if writes:
                self._path(event, path, None)
            else:
                self._read(path)

    def _list(self, event: str, args: Tuple[Any, ...]) -> None:  # noqa: ARG002 - a guard is told the event
        if isinstance(args[0], int):
            return
        if not sys._getframe(_LISTING).f_code.co_filename.startswith("<frozen importlib"):
            self._read("." if args[0] is None else args[0])
        elif self._is_closed(args[0]):
            # An import goes on with the next folder.
            REFUSALS.unlisted = os.path.realpath(args[0])

    def _is_closed(self, path: Any) -> bool:
        """Whether it is there, and may not be read. What is not there is told as it is everywhere."""
        name = os.fsdecode(path)
        if self._readable is None or (".." not in name and name.startswith(_KNOWN)):
            return False
        real = os.path.realpath(name)
        return not is_within(real, [*self._readable, *self._scratch]) and os.path.exists(name)

    def _read(self, path: Any) -> None:
        if self._is_closed(path):
            name, real = os.fsdecode(path), os.path.realpath(path)
            folder = real if os.path.isdir(real) else os.path.dirname(real)
            is_above_home = is_within(os.path.expanduser("~"), [folder])
            shown = _show(name) if real == name else f"{_show(name)}, which is {_show(real)}"
            self._block(f"{READ}:{real if is_above_home else os.fsdecode(folder)}", f"read {shown}")

    def _change(self, event: str, args: Tuple[Any, ...]) -> None:
        for place, folder in _WRITE[event]:
            self._path(event, args[place], args[folder] if folder is not None and folder < len(args) else None)

    def _sqlite(self, event: str, args: Tuple[Any, ...]) -> None:
        if args[0] not in (":memory:", b":memory:", ""):
            self._path(event, args[0], None)

    def _path(self, event: str, path: Any, folder: Optional[int]) -> None:
        name = _path_of(path) if isinstance(path, int) else os.fsdecode(path)
        if folder is not None and folder >= 0:
            name = os.path.join(_path_of(folder), name)
        real = os.path.realpath(name)
        if name in _HARMLESS or real in _HARMLESS:
            return
        if self.files_observed and event == "open":
            self._block(_UNSEEN, f"wrote {_show(name)} in a way that `observe` of the claim does not see: {_SEEN}")
        if (real + os.sep).startswith(tuple(folder + os.sep for folder in self._scratch)):
            return
        # makedirs(exist_ok=True) calls mkdir for folders that are there, which changes nothing.
        if event == "os.mkdir" and os.path.isdir(real):
            return
        self._block("write", f"write or delete {_show(name)} ({event})")


def _failure(effect: str, what: str, where: str) -> Failure:
    if effect == _UNSEEN:
        return Failure(EFFECT, what, where)
    allowed = f"`allow = [{json.dumps(effect, ensure_ascii=False)}]` in [tool.dplint] allows it"
    return Failure(EFFECT, f"tried to {what}, which is not allowed in an audit; {allowed}", where)


def _is_installed(file: str) -> bool:
    return not {"site-packages", "dist-packages"}.isdisjoint(file.split(os.sep))


def _path_of(descriptor: int) -> str:
    if hasattr(fcntl, "F_GETPATH"):
        return os.fsdecode(fcntl.fcntl(descriptor, fcntl.F_GETPATH, bytes(1024)).rstrip(b"\0"))
    return os.readlink(f"{PROC}/self/fd/{descriptor}")


def _show(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 200 else text[:199] + "…"
