"""The half of the fence that looks at system calls: a filter of seccomp. Runs in the user's interpreter.

A filter sees numbers, not what pointers point to. So it can tell sockets from pairs of sockets and threads from
processes, but not one path from another; that is the half of `fence_files`.

It lists what is refused, and not what is allowed, since libraries use calls that nobody has listed.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from typing import FrozenSet, List, NamedTuple, Sequence, Tuple

from . import fence_calls as calls
from .fence_files import HOLDS_TRUNCATION, SCOPES_SIGNALS

_LOAD, _AND, _EQUAL, _GREATER, _JUMP, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x05, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16
_ALL = 0xFFFFFFFF
_CLONE_THREAD, _CLONE_NEW = 0x00010000, 0x7E020000
_TRUNCATE, _ACCESS = 0x200, 0x3
_AF_UNIX, _STREAM, _SEQPACKET = 1, 1, 5
_IOCTLS = (
    *(0x5412, 0x541C, 0x8901, 0x8902),  # TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP
    *(0x40086602, 0x401C5820, 0x40087602, 0x40806685, 0x800C6613),  # FS_IOC_SETFLAGS, FSSETXATTR, and what is like them
    *(0x50009401, 0x5000940E, 0x5000940F, 0x4008941A, 0x50009417, 0x50009418, 0x5000943F),  # subvolumes of Btrfs
)
"""What types into terminals, has others signalled, and what changes files that were opened for reading."""
_OWNERS = (8, 15)
"""Commands of `fcntl` that say who gets a signal when a file is ready: F_SETOWN, F_SETOWN_EX."""
_SET_MODE_FILTER, _TSYNC, _SPEC_ALLOW, _ACTION_AVAILABLE = 1, 1, 4, 2


class Test(NamedTuple):
    """Of one 32-bit word of the arguments: with the mask it is one of the values, or none of them if `other`."""

    argument: int
    values: Tuple[int, ...]
    mask: int = _ALL
    high: bool = False
    other: bool = False


def column() -> int:
    """The column of this machine in the table of calls; -1 where there is no filter for it."""
    known = sys.platform == "linux" and sys.byteorder == "little" and sys.maxsize > _ALL
    return calls.MACHINES[os.uname().machine][1] if known and os.uname().machine in calls.MACHINES else -1


def number_of(name: str) -> int:
    """The number of a call on this machine. It must have it."""
    number = calls.NUMBERS[name][column()]
    assert number is not None
    return number


def install(allow: FrozenSet[str], *, forks: bool, landlock: int) -> bool:
    """Put up the filter for all threads; it holds for what they start, too. Whether it was accepted.

    forks: whether this process is to be a host. landlock: its version, 0 if it does not hold. To be called without new
    privileges.
    """
    program = b"".join(_program(allow, forks=forks, landlock=landlock))
    memory = ctypes.create_string_buffer(program, len(program))
    head = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(memory)))
    flags = _TSYNC | _SPEC_ALLOW
    return int(ctypes.CDLL(None).syscall(number_of("seccomp"), _SET_MODE_FILTER, flags, head)) == 0


def _program(allow: FrozenSet[str], *, forks: bool, landlock: int) -> List[bytes]:
    machine, table = calls.MACHINES[os.uname().machine]
    refused = _ERRNO | errno.EPERM
    missing = _ERRNO | errno.ENOSYS
    parts = [
        _step(_LOAD, _MACHINE),
        _step(_EQUAL, machine, 1, 0),
        _step(_RETURN, refused),
        _step(_LOAD, _NUMBER),
        _step(_GREATER, calls.LAST, 0, 1),
        _step(_RETURN, missing),
    ]
    for names, answer in _refusals(allow, forks=forks, landlock=landlock, refused=refused, missing=missing):
        numbers = [calls.NUMBERS[name][table] for name in names]
        for number in numbers:
            if number is not None:
                parts += [_step(_EQUAL, number, 0, 1), _step(_RETURN, answer)]
    for name, tests in _conditions(allow, forks=forks, landlock=landlock):
        number = calls.NUMBERS[name][table]
        if number is not None:
            block = [part for test in tests for part in _tested(test, refused)] + [_step(_RETURN, _ALLOW)]
            parts += [_step(_EQUAL, number, 0, len(block)), *block]
    return [*parts, _step(_RETURN, _ALLOW)]


def _refusals(
    allow: FrozenSet[str], *, forks: bool, landlock: int, refused: int, missing: int
) -> List[Tuple[Sequence[str], int]]:
    """Calls that are refused whatever their arguments are, and how."""
    kinds: List[Tuple[Sequence[str], int]] = [(calls.MISSING, missing), ((*calls.OTHERS, *calls.SYSTEM), refused)]
    if "network" not in allow:
        kinds.append((calls.SOCKETS, refused))
    if "process" not in allow:
        kinds.append(((*calls.EXECUTES, *calls.SHARED), refused))
        if not forks:
            kinds.append((calls.STARTS, refused))
        if not forks and landlock < SCOPES_SIGNALS:
            kinds.append((calls.SIGNALS, refused))
    if "write" not in allow:
        # Nothing happens, and no error: who copies a file to the scratch folder sets its mode, too.
        kinds.append((calls.CHANGES, _ERRNO))
        if 0 < landlock < HOLDS_TRUNCATION:
            kinds.append((("truncate",), refused))
    return kinds


def _conditions(allow: FrozenSet[str], *, forks: bool, landlock: int) -> List[Tuple[str, Tuple[Test, ...]]]:
    """Calls that are allowed where all tests hold."""
    own = os.getpid()
    no_namespaces = Test(0, (0,), _CLONE_NEW)
    thread = Test(0, (_CLONE_THREAD,), _CLONE_THREAD)
    conditions: List[Tuple[str, Tuple[Test, ...]]] = [
        ("clone", (no_namespaces,) if forks or "process" in allow else (no_namespaces, thread)),
        ("ioctl", (Test(1, _IOCTLS, other=True),)),
        ("prlimit64", (Test(0, (0, own)),)),
        ("setpriority", (Test(1, (0, own)),)),
        *((name, (Test(0, (0, own)),)) for name in calls.OF_A_PROCESS),
    ]
    if "network" not in allow:
        # One end of a pair of datagram sockets can be used to write to any other socket.
        conditions.append(("socketpair", (Test(0, (_AF_UNIX,)), Test(1, (_STREAM, _SEQPACKET), 0xF))))
        conditions.append(("sendto", (Test(4, (0,)), Test(4, (0,), high=True))))
    if "write" not in allow and 0 < landlock < HOLDS_TRUNCATION:
        # These empty a file that was opened for reading.
        emptying = (_TRUNCATE, _TRUNCATE | _ACCESS)
        conditions += [
            (name, (Test(place, emptying, _TRUNCATE | _ACCESS, other=True),)) for name, place in calls.OPENS.items()
        ]
    if "process" not in allow:
        conditions.append(("fcntl", (Test(1, _OWNERS, other=True),)))
    if "process" not in allow and not forks and landlock < SCOPES_SIGNALS:
        conditions.append(("kill", (Test(0, (0, own)),)))
        conditions += [(name, (Test(0, (own,)),)) for name in ("tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")]
    return conditions


def _tested(test: Test, refused: int) -> List[bytes]:
    """Goes on behind the last step if the test holds."""
    parts = [_step(_LOAD, _ARGUMENTS + 8 * test.argument + 4 * test.high)]
    if test.mask != _ALL:
        parts.append(_step(_AND, test.mask))
    if test.other:
        return parts + [part for value in test.values for part in (_step(_EQUAL, value, 0, 1), _step(_RETURN, refused))]
    count = len(test.values)
    parts += [_step(_EQUAL, value, count - place, 0) for place, value in enumerate(test.values)]
    return [*parts, _step(_RETURN, refused)]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)
