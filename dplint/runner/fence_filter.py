"""The half of the fence that looks at system calls: a filter of seccomp. Runs in the user's interpreter.

A filter sees numbers, not what pointers point to. So it can tell sockets from pairs of sockets and threads from
processes, but not one path from another; that is the half of `fence_files`.

It lists what is refused, and not what is allowed, since libraries use calls that nobody has listed.

System calls that the fence refuses, by name, with their numbers. Runs in the user's interpreter.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from typing import Dict, FrozenSet, List, NamedTuple, Optional, Sequence, Tuple

from .fence_files import HOLDS_TRUNCATION, SCOPES_SIGNALS

LAST = 470
"""Newer calls are answered as by a kernel that does not have them."""
MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""Of each machine how filters name it, and its column in the table."""

_TABLE = """
socket 41 198|connect 42 203|accept 43 202|accept4 288 242|bind 49 200|listen 50 201|socketpair 53 199|sendto 44 206
fork 57 -|vfork 58 -|clone 56 220|clone3 435 435|execve 59 221|execveat 322 281
kill 62 129|tkill 200 130|tgkill 234 131|rt_sigqueueinfo 129 138|rt_tgsigqueueinfo 297 240|pidfd_send_signal 424 424
ptrace 101 117|process_vm_readv 310 270|process_vm_writev 311 271|pidfd_getfd 438 438|kcmp 312 272
process_madvise 440 440|process_mrelease 448 448|prlimit64 302 261|setpriority 141 140|ioprio_set 251 30
sched_setaffinity 203 122|migrate_pages 256 238|move_pages 279 239|fcntl 72 25
sched_setscheduler 144 119|sched_setparam 142 118|sched_setattr 314 274
mount 165 40|umount2 166 39|pivot_root 155 41|chroot 161 51|unshare 272 97|setns 308 268|open_tree 428 428
move_mount 429 429|fsopen 430 430|fsconfig 431 431|fsmount 432 432|fspick 433 433|mount_setattr 442 442
open_tree_attr 467 467|bpf 321 280|perf_event_open 298 241|userfaultfd 323 282|add_key 248 217|request_key 249 218
keyctl 250 219|io_uring_setup 425 425|io_uring_enter 426 426|io_uring_register 427 427|open_by_handle_at 304 265
init_module 175 105|finit_module 313 273|delete_module 176 106|kexec_load 246 104|kexec_file_load 320 294
reboot 169 142|swapon 167 224|swapoff 168 225|acct 163 89|settimeofday 164 170|clock_settime 227 112
sethostname 170 161|setdomainname 171 162|iopl 172 -|ioperm 173 -|quotactl 179 60|quotactl_fd 443 443
shmget 29 194|shmat 30 196|shmctl 31 195|semget 64 190|semop 65 193|semctl 66 191|semtimedop 220 192
msgget 68 186|msgsnd 69 189|msgrcv 70 188|msgctl 71 187|mq_open 240 180|mq_unlink 241 181
chmod 90 -|fchmod 91 52|fchmodat 268 53|fchmodat2 452 452|chown 92 -|fchown 93 55|lchown 94 -|fchownat 260 54
utime 132 -|utimes 235 -|futimesat 261 -|utimensat 280 88|setxattr 188 5|lsetxattr 189 6|fsetxattr 190 7
removexattr 197 14|lremovexattr 198 15|fremovexattr 199 16|setxattrat 463 463|removexattrat 466 466
memfd_create 319 279|memfd_secret 447 447|mmap 9 222
truncate 76 45|open 2 -|openat 257 56|openat2 437 437|file_setattr 469 469|ioctl 16 29|seccomp 317 277
"""

NUMBERS: Dict[str, Tuple[Optional[int], ...]] = {
    name: tuple(None if number == "-" else int(number) for number in numbers)
    for name, *numbers in (entry.split() for line in _TABLE.split("\n") if line for entry in line.split("|"))
}

SOCKETS = ("socket", "connect", "accept", "accept4", "bind", "listen")
STARTS = ("fork", "vfork")
EXECUTES = ("execve", "execveat")
SIGNALS = ("tkill", "pidfd_send_signal")
SHARED = (
    *("shmget", "shmat", "shmctl", "semget", "semop", "semctl", "semtimedop"),
    *("msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink"),
)
"""Memory, queues and locks that other programs of the user have by a number or a name."""
CHANGES = (
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
    *("utime", "utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat"),
    *("removexattr", "lremovexattr", "fremovexattr", "removexattrat", "file_setattr"),
)
"""What changes a file's owner, mode, times and attributes, which Landlock lets pass."""
OTHERS = (
    *("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd", "kcmp", "process_madvise", "process_mrelease"),
    "ioprio_set",
)
"""What reaches into other processes."""
OF_A_PROCESS = (
    *("sched_setscheduler", "sched_setparam", "sched_setattr", "sched_setaffinity", "migrate_pages", "move_pages"),
)
"""What one process sets of another, whose number is the first argument."""
SYSTEM = (
    *("mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "open_tree", "move_mount", "fsopen", "fsconfig"),
    *("fsmount", "fspick", "mount_setattr", "open_tree_attr", "bpf", "perf_event_open", "userfaultfd", "add_key"),
    *("request_key", "keyctl", "open_by_handle_at", "init_module", "finit_module", "delete_module", "kexec_load"),
    *("kexec_file_load", "reboot", "swapon", "swapoff", "acct", "settimeofday", "clock_settime", "sethostname"),
    *("setdomainname", "iopl", "ioperm", "quotactl", "quotactl_fd"),
)
"""What changes the machine, mostly for administrators, or is used to get past a filter."""
OPENS = {"open": 1, "openat": 2}
"""Of each call that opens files which of its arguments are the flags."""
FILES_OF_MEMORY = ("memfd_create", "memfd_secret")
"""Memory that no limit counts. Libraries do without it on older kernels."""
MISSING = ("clone3", "openat2", "io_uring_setup", "io_uring_enter", "io_uring_register")
"""What a filter cannot look into; libraries that use it do without it on older kernels."""


_LOAD, _AND, _EQUAL, _GREATER, _JUMP, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x05, 0x06
_ALLOW, _ERRNO, _ASK = 0x7FFF0000, 0x00050000, 0x7FC00000
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
_SHARED, _OF_NO_FILE, _GROWS = 0xF, 0x20, 0x100
"""Of memory that is mapped: how, that it is in no file, and that it grows like a stack."""
_SET_MODE_FILTER, _TSYNC, _SPEC_ALLOW, _NEW_LISTENER = 1, 1, 4, 8
_CAN_GO_ON = (5, 5)
"""The version of Linux since which whoever is asked can have a call go on."""


class Test(NamedTuple):
    """Of one 32-bit word of the arguments: with the mask it is one of the values, or none of them if `other`.

    answer: what happens where that does not hold.
    """

    argument: int
    values: Tuple[int, ...]
    mask: int = _ALL
    high: bool = False
    other: bool = False
    answer: int = _ERRNO | errno.EPERM


def column() -> int:
    """The column of this machine in the table of calls; -1 where there is no filter for it."""
    known = sys.platform == "linux" and sys.byteorder == "little" and sys.maxsize > _ALL
    return MACHINES[os.uname().machine][1] if known and os.uname().machine in MACHINES else -1


def number_of(name: str) -> int:
    """The number of a call on this machine. It must have it."""
    number = NUMBERS[name][column()]
    assert number is not None
    return number


def install(allow: FrozenSet[str], *, forks: bool, asks: bool, landlock: int) -> int:
    """Put up the filter for all threads; it holds for what they start, too.

    forks: whether this process is to be a host. asks: whether it may fork only when the holder of a descriptor lets it,
    which is returned; -1 for none, also where the kernel has no such thing. landlock: its version, 0 if it does not
    hold. To be called without new privileges.
    """
    asks = asks and forks and "process" not in allow and _can_ask()
    program = b"".join(_program(allow, forks=forks, asks=asks, landlock=landlock))
    memory = ctypes.create_string_buffer(program, len(program))
    head = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(memory)))
    flags = _SPEC_ALLOW | (_NEW_LISTENER if asks else _TSYNC)
    listener = int(ctypes.CDLL(None).syscall(number_of("seccomp"), _SET_MODE_FILTER, flags, head))
    if asks and listener < 0:
        return install(allow, forks=forks, asks=False, landlock=landlock)
    return listener if asks else -1


def _can_ask() -> bool:
    version = os.uname().release.split(".")[:2]
    return all(map(str.isdigit, version)) and tuple(map(int, version)) >= _CAN_GO_ON


def _program(allow: FrozenSet[str], *, forks: bool, asks: bool, landlock: int) -> List[bytes]:
    machine, table = MACHINES[os.uname().machine]
    refused = _ERRNO | errno.EPERM
    missing = _ERRNO | errno.ENOSYS
    parts = [
        _step(_LOAD, _MACHINE),
        _step(_EQUAL, machine, 1, 0),
        _step(_RETURN, refused),
        _step(_LOAD, _NUMBER),
        _step(_GREATER, LAST, 0, 1),
        _step(_RETURN, missing),
    ]
    for names, answer in _refusals(allow, forks=forks, asks=asks, landlock=landlock):
        numbers = [NUMBERS[name][table] for name in names]
        for number in numbers:
            if number is not None:
                parts += [_step(_EQUAL, number, 0, 1), _step(_RETURN, answer)]
    for name, tests in _conditions(allow, forks=forks, asks=asks, landlock=landlock):
        number = NUMBERS[name][table]
        if number is not None:
            block = [part for test in tests for part in _tested(test)] + [_step(_RETURN, _ALLOW)]
            parts += [_step(_EQUAL, number, 0, len(block)), *block]
    return [*parts, _step(_RETURN, _ALLOW)]


def _refusals(allow: FrozenSet[str], *, forks: bool, asks: bool, landlock: int) -> List[Tuple[Sequence[str], int]]:
    """Calls that are refused whatever their arguments are, and how."""
    refused, missing = _ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS
    kinds: List[Tuple[Sequence[str], int]] = [(MISSING, missing), ((*OTHERS, *SYSTEM), refused)]
    if "network" not in allow:
        kinds.append((SOCKETS, refused))
    if "process" not in allow:
        kinds += [((*EXECUTES, *SHARED), refused), (FILES_OF_MEMORY, missing)]
        if asks or not forks:
            kinds.append((STARTS, _ASK if asks else refused))
        if not forks and landlock < SCOPES_SIGNALS:
            kinds.append((SIGNALS, refused))
    if "write" not in allow:
        # Nothing happens, and no error: who copies a file to the scratch folder sets its mode, too.
        kinds.append((CHANGES, _ERRNO))
        if 0 < landlock < HOLDS_TRUNCATION:
            kinds.append((("truncate",), refused))
    return kinds


def _conditions(allow: FrozenSet[str], *, forks: bool, asks: bool, landlock: int) -> List[Tuple[str, Tuple[Test, ...]]]:
    """Calls that are allowed where all tests hold."""
    own = os.getpid()
    no_namespaces = Test(0, (0,), _CLONE_NEW)
    thread = Test(0, (_CLONE_THREAD,), _CLONE_THREAD, answer=_ASK if asks else _ERRNO | errno.EPERM)
    not_shared = Test(3, (1 | _OF_NO_FILE,), _SHARED | _OF_NO_FILE, other=True)
    free = (forks and not asks) or "process" in allow
    conditions: List[Tuple[str, Tuple[Test, ...]]] = [
        ("clone", (no_namespaces,) if free else (no_namespaces, thread)),
        ("ioctl", (Test(1, _IOCTLS, other=True),)),
        # No limit of memory counts what grows like a stack, nor what could be shared with others.
        ("mmap", (Test(3, (_GROWS,), _GROWS, other=True), *(() if "process" in allow else (not_shared,)))),
        ("prlimit64", (Test(0, (0, own)),)),
        ("setpriority", (Test(1, (0, own)),)),
        *((name, (Test(0, (0, own)),)) for name in OF_A_PROCESS),
    ]
    if "network" not in allow:
        # One end of a pair of datagram sockets can be used to write to any other socket.
        conditions.append(("socketpair", (Test(0, (_AF_UNIX,)), Test(1, (_STREAM, _SEQPACKET), 0xF))))
        conditions.append(("sendto", (Test(4, (0,)), Test(4, (0,), high=True))))
    if "write" not in allow and 0 < landlock < HOLDS_TRUNCATION:
        # These empty a file that was opened for reading.
        emptying = (_TRUNCATE, _TRUNCATE | _ACCESS)
        conditions += [
            (name, (Test(place, emptying, _TRUNCATE | _ACCESS, other=True),)) for name, place in OPENS.items()
        ]
    if "process" not in allow:
        conditions.append(("fcntl", (Test(1, _OWNERS, other=True),)))
    if "process" not in allow and not forks and landlock < SCOPES_SIGNALS:
        conditions.append(("kill", (Test(0, (0, own)),)))
        conditions += [(name, (Test(0, (own,)),)) for name in ("tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")]
    return conditions


def _tested(test: Test) -> List[bytes]:
    """Goes on behind the last step if the test holds."""
    parts = [_step(_LOAD, _ARGUMENTS + 8 * test.argument + 4 * test.high)]
    if test.mask != _ALL:
        parts.append(_step(_AND, test.mask))
    answer = _step(_RETURN, test.answer)
    if test.other:
        return parts + [part for value in test.values for part in (_step(_EQUAL, value, 0, 1), answer)]
    count = len(test.values)
    parts += [_step(_EQUAL, value, count - place, 0) for place, value in enumerate(test.values)]
    return [*parts, answer]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)
