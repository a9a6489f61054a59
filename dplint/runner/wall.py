"""The wall around user code: no network, no writing outside the scratch folder, no processes, unless allowed.

An audit hook (PEP 578). It guards against code that does not know it is being audited, not against an attacker:
ctypes and extension modules can pass it. Runs in the user's interpreter.
"""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, Dict, FrozenSet, Optional, Tuple

from .failures import EFFECT, Failure, user_stack

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_HARMLESS = frozenset(("/dev/null", "/dev/zero", "/dev/full", "/dev/stdout", "/dev/stderr", "/dev/tty"))
_NETWORK = (
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
_ONE_PATH = (
    "os.remove",
    "os.rmdir",
    "os.mkdir",
    "os.truncate",
    "os.chmod",
    "os.chown",
    "os.utime",
    "os.chflags",
    "os.setxattr",
    "os.removexattr",
)
_SECOND_PATH = ("os.link", "os.symlink")


class Blocked(BaseException):
    """Raised where user code tries what is not allowed; no Exception, so that `except Exception` lets it pass."""


class Wall:
    """Watches audit events. `first` is the first blocked attempt since `reset`, even if it was swallowed."""

    def __init__(self, allow: FrozenSet[str], scratch: str) -> None:
        self._scratch = os.path.realpath(scratch)
        self.first: Optional[Tuple[str, str, str]] = None
        self._guards: Dict[str, Callable[[str, Tuple[Any, ...]], None]] = {}
        if "network" not in allow:
            self._guards.update((event, self._network) for event in _NETWORK)
        if "process" not in allow:
            self._guards.update((event, self._process) for event in _PROCESS)
        if "write" not in allow:
            self._guards.update((event, self._one_path) for event in _ONE_PATH)
            self._guards.update((event, self._second_path) for event in _SECOND_PATH)
            self._guards.update({"open": self._open, "os.rename": self._rename, "sqlite3.connect": self._sqlite})

    def build(self) -> None:
        """Put the wall up; Python offers no way to take it down."""
        guards = self._guards

        def hook(event: str, args: Tuple[Any, ...]) -> None:
            guard = guards.get(event)
            if guard is not None:
                guard(event, args)

        sys.addaudithook(hook)

    def check(self) -> None:
        """Raise the EFFECT failure for what was blocked since the last `reset`, if anything was."""
        if self.first is not None:
            effect, what, where = self.first
            raise Failure(
                EFFECT,
                f'tried to {what}, which is not allowed in an audit; `allow = ["{effect}"]` in [tool.dplint] allows it',
                where,
            )

    def reset(self) -> None:
        """Forget what was blocked."""
        self.first = None

    def _block(self, effect: str, what: str) -> None:
        if self.first is None:
            self.first = (effect, what, user_stack())
        raise Blocked(what)

    def _network(self, event: str, args: Tuple[Any, ...]) -> None:
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
        if writes and not isinstance(path, int):
            self._path(event, path)

    def _one_path(self, event: str, args: Tuple[Any, ...]) -> None:
        # makedirs(exist_ok=True) calls mkdir for folders that are there, which changes nothing.
        if event == "os.mkdir" and os.path.isdir(args[0]):
            return
        self._path(event, args[0])

    def _second_path(self, event: str, args: Tuple[Any, ...]) -> None:
        self._path(event, args[1])

    def _rename(self, event: str, args: Tuple[Any, ...]) -> None:
        self._path(event, args[0])
        self._path(event, args[1])

    def _sqlite(self, event: str, args: Tuple[Any, ...]) -> None:
        if args[0] not in (":memory:", b":memory:", ""):
            self._path(event, args[0])

    def _path(self, event: str, path: Any) -> None:
        if isinstance(path, int):
            self._block("write", f"change a file ({event} of descriptor {path})")
        real = os.path.realpath(os.fsdecode(path))
        if (
            real in _HARMLESS
            or os.fsdecode(path) in _HARMLESS
            or real == self._scratch
            or real.startswith(self._scratch + os.sep)
        ):
            return
        self._block("write", f"write or delete {_show(path)} ({event})")


def _show(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 200 else text[:199] + "…"
