"""The half of the fence that looks at files and signals: Landlock. Runs in the user's interpreter.

Landlock lets a process give up rights for itself and for what it starts. It can only be tightened: what is given up
does not come back. It holds for the thread that asks, and for threads that this one starts.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import sys
from typing import FrozenSet, Optional, Sequence

from . import system
from .fence_places import closed_places, open_places

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION, _PATH_BENEATH = 1, 1
_WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 1, 1 << 2, 1 << 3
_REFER, _TRUNCATE, _IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
_REMOVE_AND_MAKE = 0x1FF << 4
_MAKE_DEVICES = 1 << 6 | 1 << 11
_TCP = 3
_ABSTRACT_SOCKETS, _SIGNALS = 1, 2
SCOPES_SIGNALS, HOLDS_TRUNCATION = 6, 3
"""Since which version signals can be held, and that files are emptied."""
_HARMLESS = ("/dev/null", "/dev/full")
_SHARED_MEMORY = "/dev/shm"
_NEEDS_SHARED_MEMORY = ("libiomp5.so", "libomp.so")
"""Runtimes of OpenMP that end the process if they cannot leave a note there."""


def version() -> int:
    """The version of Landlock that the kernel has; 0 for none, or if the container refuses it."""
    if not system.LINUX:
        return 0
    return max(0, int(ctypes.CDLL(None).syscall(_CREATE, None, ctypes.c_size_t(0), _VERSION)))


def restrict(allow: FrozenSet[str], folders: Sequence[str], places: Optional[Sequence[str]]) -> bool:
    """Give up writing outside the folders, reading outside of them and the places, signals and TCP, unless allowed.

    places: as `readable_places` gives them; None for all but keys, empty where an earlier call has said. Whether the
    kernel accepted it; no new privileges must be set.
    """
    having = version()
    # A domain about files is in the way of those who move some: who may write reads what it likes, too.
    places = ["/"] if places is None else places
    reading = open_places(places, closed_places(allow)) if places and "write" not in allow else []
    limited = reading not in ([], ["/"])
    listed = places if limited and list(places) != ["/"] else []
    files = 0 if "write" in allow else _changes(having)
    files |= (_READ_FILE if limited else 0) | (_READ_FOLDER if listed else 0)
    network = _TCP if having >= 4 and "network" not in allow else 0
    scope = 0
    if having >= SCOPES_SIGNALS:
        scope = (0 if "network" in allow else _ABSTRACT_SOCKETS) | (0 if "process" in allow else _SIGNALS)
    if not having or not (files or network or scope):
        return False
    system = ctypes.CDLL(None)
    size = 8 if having < 4 else 16 if having < SCOPES_SIGNALS else 24
    rules = system.syscall(_CREATE, struct.pack("QQQ", files, network, scope), ctypes.c_size_t(size), 0)
    if rules < 0:
        return False
    try:
        for place in reading if limited else ():
            _grant(system, rules, place, _READ_FILE)
        for place in filter(os.path.isdir, listed):
            _grant(system, rules, place, _READ_FOLDER)
        if files:
            for folder in folders:
                _grant(system, rules, folder, files & ~(_MAKE_DEVICES | _IOCTL_DEVICE))
            for name in _HARMLESS:
                _grant(system, rules, name, files & (_WRITE_FILE | _TRUNCATE | _IOCTL_DEVICE))
            if "process" in allow or needs_shared_memory():
                _grant(system, rules, _SHARED_MEMORY, files & ~(_MAKE_DEVICES | _IOCTL_DEVICE))
        return int(system.syscall(_RESTRICT, rules, 0)) == 0
    finally:
        os.close(rules)


def needs_shared_memory() -> bool:
    """Whether this interpreter has a library that does not work without writing to `/dev/shm`."""
    # Before `site` has run, the prefix is not that of the environment yet.
    prefixes = (sys.prefix, os.path.dirname(os.path.dirname(sys.executable)))
    return any(
        os.path.exists(os.path.join(prefix, "lib", name)) for prefix in prefixes for name in _NEEDS_SHARED_MEMORY
    )


def _changes(having: int) -> int:
    """The rights by which something is changed, of those that this version knows."""
    rights = _WRITE_FILE | _REMOVE_AND_MAKE
    if having >= 2:
        rights |= _REFER
    if having >= HOLDS_TRUNCATION:
        rights |= _TRUNCATE
    return rights | _IOCTL_DEVICE if having >= 5 else rights


def _grant(system: ctypes.CDLL, rules: int, path: str, rights: int) -> None:
    with contextlib.suppress(OSError):
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            system.syscall(_ADD, rules, _PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
        finally:
            os.close(place)
