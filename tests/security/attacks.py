"""Code that means harm, and gets past an audit hook of Python: bodies of functions that say whether it got through.

PORT: where a test listens on this machine. VICTIM: a process of the same user. OUTSIDE: a folder that is not theirs,
with a file `kept`.
"""

from __future__ import annotations

from typing import NamedTuple


class Attack(NamedTuple):
    """part: what of the fence has to hold it, in runs and while a host imports."""

    part: str
    body: str


PRELUDE = """
import ctypes, os, platform, struct
C = ctypes.CDLL(None, use_errno=True)
ARM = platform.machine() == "aarch64"
def call(x86, arm, *arguments):
    return C.syscall(arm if ARM else x86, *arguments)
def address(port):
    return struct.pack("=H", 2) + struct.pack(">H", port) + bytes([127, 0, 0, 1]) + bytes(8)
KEPT = os.path.join(OUTSIDE, "kept")
NEW = os.path.join(OUTSIDE, "new")
"""

IN_ANOTHER = """
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    import _interpreters as interpreters
own = interpreters.create()
head = f"KEPT, NEW = {{KEPT!r}}, {{NEW!r}}"
try:
    return interpreters.run_string(own, head + "; {}") is None
except BaseException:
    return False
"""
"""What is executed in an interpreter of its own, which has no hook, of a body that is such an attack."""

ATTACKS = {
    "a socket by the C library": Attack(
        "network",
        """
        fd = C.socket(2, 1, 0)
        return fd >= 0 and C.connect(fd, address(PORT), 16) == 0
        """,
    ),
    "a socket by a raw call": Attack(
        "network",
        """
        fd = call(41, 198, 2, 1, 0)
        return fd >= 0 and call(42, 203, fd, address(PORT), 16) == 0
        """,
    ),
    "a datagram": Attack(
        "network",
        """
        fd = C.socket(2, 2, 0)
        return fd >= 0 and C.sendto(fd, b"x", 1, 0, address(PORT), 16) == 1
        """,
    ),
    "a socket of the machine": Attack("network", "return C.socket(1, 1, 0) >= 0"),
    "a raw packet socket's kind": Attack("network", "return C.socket(16, 3, 0) >= 0"),
    "a pair that can write to any other": Attack(
        "network", "return C.socketpair(1, 2, 0, ctypes.create_string_buffer(8)) == 0"
    ),
    "a ring for calls that no filter sees": Attack(
        "network", "return call(425, 425, 4, ctypes.create_string_buffer(120)) >= 0"
    ),
    "another interpreter, without the hook": Attack(
        "network",
        """
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            try:
                import _interpreters as interpreters
            except ImportError:
                return C.socket(2, 1, 0) >= 0
        text = f"import socket; socket.create_connection(('127.0.0.1', {PORT}))"
        own = interpreters.create()
        try:
            return interpreters.run_string(own, text) is None
        except BaseException:
            return False
        """,
    ),
    "a program by the C library": Attack("process", "return C.system(b'exit 0') == 0"),
    "a program without events": Attack(
        "process",
        """
        from multiprocessing import util
        try:
            # By `_posixsubprocess`, of which no hook is told.
            pid = util.spawnv_passfds(b"/bin/true", [b"true"], ())
        except OSError:
            return False
        return os.waitpid(pid, 0)[1] == 0
        """,
    ),
    "a copy of the process": Attack(
        "process",
        """
        pid = C.fork()
        if pid == 0:
            C._exit(0)
        return pid > 0 and os.waitpid(pid, 0)[1] == 0
        """,
    ),
    "a copy by a raw call": Attack(
        "process",
        """
        pid = call(56, 220, 17, None, None, None, None)
        if pid == 0:
            C._exit(0)
        return pid > 0 and os.waitpid(pid, 0)[1] == 0
        """,
    ),
    "a program in place of this one": Attack(
        "process",
        """
        C.execv(b"/nowhere", (ctypes.c_char_p * 2)(b"nowhere", None))
        return ctypes.get_errno() == 2
        """,
    ),
    "a file that is made": Attack("write", "return C.open(os.fsencode(NEW), os.O_CREAT | os.O_WRONLY, 0o600) >= 0"),
    "a file that is changed": Attack(
        "write", "fd = C.open(os.fsencode(KEPT), os.O_WRONLY)\nreturn C.write(fd, b'harm', 4) == 4"
    ),
    "a file that is emptied": Attack("write", "return C.truncate(os.fsencode(KEPT), ctypes.c_long(0)) == 0"),
    "a file that is emptied by reading": Attack(
        "write", "return C.open(os.fsencode(KEPT), os.O_RDONLY | os.O_TRUNC) >= 0"
    ),
    "a file that is deleted": Attack("write", "return C.unlink(os.fsencode(KEPT)) == 0"),
    "a file that is renamed": Attack("write", "return C.rename(os.fsencode(KEPT), os.fsencode(NEW)) == 0"),
    "a file that is taken away": Attack(
        "write",
        """
        import tempfile
        mine = os.path.join(tempfile.gettempdir(), "taken")
        return C.rename(os.fsencode(KEPT), os.fsencode(mine)) == 0
        """,
    ),
    "a file with two names": Attack(
        "write",
        """
        import tempfile
        mine = os.path.join(tempfile.gettempdir(), "linked")
        return C.link(os.fsencode(KEPT), os.fsencode(mine)) == 0
        """,
    ),
    "a link out of the folder": Attack(
        "write",
        """
        import tempfile
        mine = os.path.join(tempfile.gettempdir(), "link")
        C.symlink(os.fsencode(KEPT), os.fsencode(mine))
        fd = C.open(os.fsencode(mine), os.O_WRONLY)
        return C.write(fd, b"harm", 4) == 4
        """,
    ),
    "a link": Attack("write", "return C.symlink(b'/', os.fsencode(NEW)) == 0"),
    "a folder": Attack("write", "return C.mkdir(os.fsencode(NEW), 0o700) == 0"),
    "a mode": Attack("write", "C.chmod(os.fsencode(KEPT), 0)\nreturn os.stat(KEPT).st_mode & 0o777 == 0"),
    "a mode by a descriptor": Attack(
        "write", "C.fchmod(C.open(os.fsencode(KEPT), 0), 0)\nreturn os.stat(KEPT).st_mode & 0o777 == 0"
    ),
    "a time": Attack("write", "C.utimes(os.fsencode(KEPT), bytes(32))\nreturn os.stat(KEPT).st_mtime == 0"),
    "a database that is attached": Attack(
        "write",
        """
        import sqlite3
        connection = sqlite3.connect(":memory:")
        try:
            connection.execute("attach database ? as other", (NEW,))
            connection.execute("create table other.t(x)")
            connection.commit()
        except sqlite3.Error:
            return False
        return True
        """,
    ),
    "the memory of this process as a file": Attack("write", "return C.open(b'/proc/self/mem', os.O_RDWR) >= 0"),
    "the name of a thread of another": Attack(
        "write", "return C.open(f'/proc/{VICTIM}/oom_score_adj'.encode(), os.O_WRONLY) >= 0"
    ),
    "a signal": Attack("signal", "return C.kill(VICTIM, 9) == 0"),
    "a signal to a thread": Attack("signal", "return call(234, 131, VICTIM, VICTIM, 9) == 0"),
    "a signal with a value": Attack(
        "signal", "return call(129, 138, VICTIM, 9, struct.pack('=iiiiii', 9, 0, -1, 0, 0, 0) + bytes(104)) == 0"
    ),
    "a signal by a descriptor": Attack(
        "signal", "fd = call(434, 434, VICTIM, 0)\nreturn call(424, 424, fd, 9, None, 0) == 0"
    ),
    "a signal to its parent": Attack("signal", "return C.kill(os.getppid(), 0) == 0"),
    "a limit of another": Attack("ptrace", "return call(302, 261, VICTIM, 7, struct.pack('=QQ', 3, 3), None) == 0"),
    "attaching": Attack("ptrace", "return C.ptrace(16, VICTIM, None, None) == 0"),
    "reading memory": Attack(
        "ptrace",
        """
        try:
            line = next(one for one in open(f"/proc/{VICTIM}/maps") if " r" in one)
        except OSError:
            return False
        start = int(line.split("-")[0], 16)
        mine = ctypes.create_string_buffer(8)
        here = struct.pack("=QQ", ctypes.addressof(mine), 8)
        return call(310, 270, VICTIM, here, 1, struct.pack("=QQ", start, 8), 1, 0) == 8
        """,
    ),
    "taking a descriptor": Attack("ptrace", "fd = call(434, 434, VICTIM, 0)\nreturn call(438, 438, fd, 0, 0) >= 0"),
    "reading an environment": Attack(
        "ptrace",
        """
        try:
            return b"SECRET=1" in open(f"/proc/{VICTIM}/environ", "rb").read()
        except OSError:
            return False
        """,
    ),
    "a pipe of another": Attack(
        "ptrace", "fd = C.open(f'/proc/{VICTIM}/fd/0'.encode(), os.O_WRONLY)\nreturn C.write(fd, b'x', 1) == 1"
    ),
    "a datagram to a socket of the machine": Attack("network", "return C.socket(1, 2, 0) >= 0"),
    "a port that is listened to": Attack(
        "network",
        """
        fd = C.socket(2, 1, 0)
        return fd >= 0 and C.bind(fd, address(0), 16) == 0 and C.listen(fd, 1) == 0
        """,
    ),
    "cryptography of the kernel": Attack("network", "return C.socket(38, 5, 0) >= 0"),
    "a program by posix_spawn": Attack(
        "process",
        """
        pid = ctypes.c_int()
        argv = (ctypes.c_char_p * 2)(b"true", None)
        failed = C.posix_spawn(ctypes.byref(pid), b"/bin/true", None, None, argv, None)
        return failed == 0 and os.waitpid(pid.value, 0)[1] == 0
        """,
    ),
    "a program by a descriptor": Attack(
        "process",
        """
        call(322, 281, -100, b"/nowhere", (ctypes.c_char_p * 2)(b"nowhere", None), None, 0)
        return ctypes.get_errno() == 2
        """,
    ),
    "memory that could be shared": Attack(
        "process", "C.mmap.restype = ctypes.c_ssize_t\nreturn C.mmap(None, 4096, 3, 0x21, -1, 0) != -1"
    ),
    "memory of zeros": Attack("write", "return C.open(b'/dev/zero', os.O_RDWR) >= 0"),
    "a file of memory": Attack("process", "return C.memfd_create(b'harm', 0) >= 0"),
    "memory that grows like a stack": Attack(
        "ptrace", "C.mmap.restype = ctypes.c_ssize_t\nreturn C.mmap(None, 4096, 3, 0x122, -1, 0) != -1"
    ),
    "memory of System V": Attack("process", "return C.shmget(0, 4096, 0o1600) >= 0"),
    "messages of System V": Attack("process", "return C.msgget(0, 0o1600) >= 0"),
    "locks of System V": Attack("process", "return C.semget(0, 1, 0o1600) >= 0"),
    "a pipe with a name": Attack("write", "return C.mkfifo(os.fsencode(NEW), 0o600) == 0"),
    "a socket with a name": Attack("write", "return C.mknod(os.fsencode(NEW), 0o140600, ctypes.c_ulong(0)) == 0"),
    "a link by a raw call": Attack("write", "return call(266, 36, b'/', -100, os.fsencode(NEW)) == 0"),
    "a file that is renamed by a raw call": Attack(
        "write", "return call(316, 276, -100, os.fsencode(KEPT), -100, os.fsencode(NEW), 0) == 0"
    ),
    "a file that is opened by openat2": Attack(
        "write", "return call(437, 437, -100, os.fsencode(KEPT), struct.pack('=QQQ', 1, 0, 0), 24) >= 0"
    ),
    "a mode by a raw call": Attack(
        "write", "call(268, 53, -100, os.fsencode(KEPT), 0)\nreturn os.stat(KEPT).st_mode & 0o777 == 0"
    ),
    "a file on disk that is mapped": Attack(
        "write",
        """
        import mmap
        fd = C.open(os.fsencode(KEPT), os.O_RDWR)
        if fd < 0:
            return False
        with mmap.mmap(fd, 9) as mapped:
            mapped[:4] = b"harm"
        return True
        """,
    ),
    "a signal to all": Attack("signal", "return C.kill(VICTIM, 19) == 0 and C.kill(VICTIM, 18) == 0"),
    "a trace by a thread": Attack("ptrace", "return C.ptrace(0x4206, VICTIM, None, None) == 0"),
    "writing memory": Attack(
        "ptrace",
        """
        try:
            line = next(each for each in open(f"/proc/{VICTIM}/maps") if " rw" in each)
        except OSError:
            return False
        start = int(line.split("-")[0], 16)
        mine = ctypes.create_string_buffer(1)
        here = struct.pack("=QQ", ctypes.addressof(mine), 1)
        there = struct.pack("=QQ", start, 1)
        return call(310, 270, VICTIM, here, 1, there, 1, 0) == 1 and call(311, 271, VICTIM, here, 1, there, 1, 0) == 1
        """,
    ),
    "the folder of another": Attack(
        "ptrace",
        """
        try:
            return bool(os.readlink(f"/proc/{VICTIM}/cwd"))
        except OSError:
            return False
        """,
    ),
    "a name space": Attack("ptrace", "return C.unshare(0x10000000) == 0"),
    "a file that is read": Attack("read", "return C.open(os.fsencode(KEPT), 0) >= 0"),
    "a file that is read by a raw call": Attack("read", "return call(257, 56, -100, os.fsencode(KEPT), 0) >= 0"),
    "a file below a folder's descriptor": Attack(
        "read", "fd = C.open(os.fsencode(OUTSIDE), 0o10200000)\nreturn C.openat(fd, b'kept', 0) >= 0"
    ),
    "a file by the root of this process": Attack(
        "read", "return C.open(b'/proc/self/root' + os.fsencode(KEPT), 0) >= 0"
    ),
    "a file by the root of another": Attack("read", "return C.open(f'/proc/{VICTIM}/root{KEPT}'.encode(), 0) >= 0"),
    "a file by a link of one's own": Attack(
        "read",
        """
        import tempfile
        mine = os.path.join(tempfile.gettempdir(), "to_read")
        C.symlink(os.fsencode(KEPT), os.fsencode(mine))
        return C.open(os.fsencode(mine), 0) >= 0
        """,
    ),
    "a file as a library": Attack(
        "read",
        """
        try:
            ctypes.CDLL(KEPT)
        except OSError as error:
            # Who may read it sees that it is none.
            return "too short" in str(error) or "ELF" in str(error)
        """,
    ),
    "a file as a database": Attack(
        "read",
        """
        import sqlite3
        try:
            connection = sqlite3.connect(":memory:", uri=True)
            connection.execute("attach database ? as other", (f"file:{KEPT}?mode=ro",))
            connection.execute("select * from other.sqlite_master")
        except sqlite3.DatabaseError as error:
            return "not a database" in str(error)
        """,
    ),
    "names in a folder": Attack(
        "read", "C.opendir.restype = ctypes.c_void_p\nreturn C.opendir(os.fsencode(OUTSIDE)) is not None"
    ),
    "a lock on a file of others": Attack(
        "read", "fd = C.open(os.fsencode(KEPT), 0)\nreturn fd >= 0 and C.flock(fd, 6) == 0"
    ),
    "a file that another interpreter reads": Attack("read", IN_ANOTHER.format("open(KEPT).read()")),
    "a file that another interpreter makes": Attack("write", IN_ANOTHER.format("open(NEW, 'w').close()")),
    "a program that another interpreter starts": Attack(
        "process", IN_ANOTHER.format("import os; os.posix_spawn('/bin/true', ['true'], os.environ)")
    ),
    "a file that a thread makes": Attack(
        "write",
        """
        import threading
        made = []
        thread = threading.Thread(target=lambda: made.append(C.open(os.fsencode(NEW), 0o101, 0o600)))
        thread.start()
        thread.join()
        return made[0] >= 0
        """,
    ),
    "a file without a name that gets one": Attack(
        "write",
        """
        import tempfile
        fd = C.open(os.fsencode(tempfile.gettempdir()), 0o20200001, 0o600)
        return C.linkat(-100, f"/proc/self/fd/{fd}".encode(), -100, os.fsencode(NEW), 0x400) == 0
        """,
    ),
    "two files that change places": Attack(
        "write",
        """
        import tempfile
        mine = os.path.join(tempfile.gettempdir(), "mine")
        with open(mine, "w"):
            return call(316, 276, -100, os.fsencode(KEPT), -100, os.fsencode(mine), 2) == 0
        """,
    ),
    "an attribute of a file": Attack(
        "write",
        """
        C.setxattr(os.fsencode(KEPT), b"user.harm", b"x", 1, 0)
        return C.getxattr(os.fsencode(KEPT), b"user.harm", None, 0) == 1
        """,
    ),
    "a flag of a file": Attack(
        "write", "return C.ioctl(C.open(os.fsencode(KEPT), 0), 0x40086602, ctypes.byref(ctypes.c_int(0x40))) == 0"
    ),
    "a command to the kernel": Attack("write", "return C.open(b'/proc/sys/kernel/core_pattern', os.O_WRONLY) >= 0"),
    "memory with a name": Attack(
        "write", "return C.shm_open(b'/dplint_attack', 0o102, 0o600) >= 0 and C.shm_unlink(b'/dplint_attack') == 0"
    ),
    "a device that is made": Attack(
        "write",
        """
        import tempfile
        mine = os.path.join(tempfile.gettempdir(), "device")
        return C.mknod(os.fsencode(mine), 0o60600, ctypes.c_ulong(0x700)) == 0
        """,
    ),
    "a packet of any kind": Attack("network", "return C.socket(17, 3, 0) >= 0"),
    "an echo request": Attack("network", "return C.socket(2, 3, 1) >= 0"),
    "a socket of the next version": Attack("network", "return C.socket(10, 1, 0) >= 0"),
    "a socket of another protocol": Attack("network", "return C.socket(2, 1, 262) >= 0"),
    "a socket to the host of the machine": Attack("network", "return C.socket(40, 1, 0) >= 0"),
    "a copy by the newest call": Attack(
        "process",
        """
        pid = call(435, 435, struct.pack("=QQQQQQQQ", 0, 0, 0, 0, 17, 0, 0, 0), 64)
        if pid == 0:
            C._exit(0)
        return pid > 0 and os.waitpid(pid, 0)[1] == 0
        """,
    ),
    "a program without a file": Attack(
        "process",
        """
        fd = call(319, 279, b"program", 0)
        call(322, 281, fd, b"", (ctypes.c_char_p * 2)(b"program", None), None, 0x1000)
        return ctypes.get_errno() == 8
        """,
    ),
    "messages with a name": Attack(
        "process", "return call(240, 180, b'dplint', 0o102, 0o600, None) >= 0 and call(241, 181, b'dplint') == 0"
    ),
    "a signal when a file is ready": Attack(
        "signal",
        """
        import time
        ends = (ctypes.c_int * 2)()
        C.socketpair(1, 1, 0, ends)
        owned = C.fcntl(ends[0], 8, VICTIM)
        C.fcntl(ends[0], 10, 9)
        C.fcntl(ends[0], 4, 0o20000)
        C.write(ends[1], b"x", 1)
        time.sleep(0.2)
        return owned == 0 and open(f"/proc/{VICTIM}/stat").read().split()[2] == "Z"
        """,
    ),
    "a priority of another": Attack("ptrace", "return C.setpriority(0, VICTIM, 5) == 0"),
    "a schedule of another": Attack("ptrace", "return C.sched_setscheduler(VICTIM, 3, struct.pack('=i', 0)) == 0"),
    "the disk's turns of another": Attack("ptrace", "return call(251, 30, 1, VICTIM, 2 << 13 | 4) == 0"),
    "the processors of another": Attack("ptrace", "return C.sched_setaffinity(VICTIM, 8, struct.pack('=Q', 1)) == 0"),
    "pages of another": Attack(
        "ptrace", "return call(256, 238, VICTIM, 64, struct.pack('=Q', 1), struct.pack('=Q', 1)) == 0"
    ),
    "where the memory of another lies": Attack(
        "ptrace",
        """
        try:
            return "stack" in open(f"/proc/{VICTIM}/maps").read()
        except OSError:
            return False
        """,
    ),
    "the memory of another as a file": Attack("ptrace", "return C.open(f'/proc/{VICTIM}/mem'.encode(), 0) >= 0"),
    "what another has open": Attack("ptrace", "return call(312, 272, VICTIM, VICTIM, 1, 0, 0) >= 0"),
    "what another counts": Attack(
        "ptrace", "return call(298, 241, struct.pack('=IIQ', 1, 112, 0) + bytes(96), VICTIM, -1, -1, 0) >= 0"
    ),
    "faults in user space": Attack("ptrace", "return call(323, 282, 1) >= 0"),
    "a program in the kernel": Attack(
        "ptrace", "return call(321, 280, 0, struct.pack('=IIII', 2, 4, 4, 1) + bytes(112), 128) >= 0"
    ),
    "a key of the kernel": Attack("ptrace", "return call(248, 217, b'user', b'dplint', b'x', 1, -2) >= 0"),
    "another root": Attack("ptrace", "return C.chroot(b'/') == 0"),
    "a mount": Attack(
        "ptrace",
        """
        mounted = C.mount(b"none", os.fsencode(OUTSIDE), b"tmpfs", 0, None) == 0
        return mounted and C.umount2(os.fsencode(OUTSIDE), 2) == 0
        """,
    ),
    "a tree of files of its own": Attack("ptrace", "return call(428, 428, -100, os.fsencode(OUTSIDE), 1) >= 0"),
    "a file by its number": Attack(
        "ptrace",
        """
        handle = ctypes.create_string_buffer(struct.pack("=II", 128, 0) + bytes(128), 136)
        mount = ctypes.c_int()
        call(303, 264, -100, os.fsencode(KEPT), handle, ctypes.byref(mount), 0)
        folder = C.open(b"/proc/self/fd" if ARM else os.fsencode(os.getcwd()), 0)
        return call(304, 265, folder, handle, 0) >= 0
        """,
    ),
    "privileges that were given up": Attack(
        "ptrace",
        "return C.capset(struct.pack('=Ii', 0x20080522, 0), struct.pack('=6I', 1 << 21, 1 << 21, 0, 0, 0, 0)) == 0",
    ),
    "the name of the machine": Attack(
        "ptrace", "name = os.uname().nodename.encode()\nreturn C.sethostname(name, ctypes.c_size_t(len(name))) == 0"
    ),
    "the clock": Attack("ptrace", "return call(164, 170, None, None) == 0"),
    "the end of the machine, misspelt": Attack(
        "ptrace", "call(169, 142, 0, 0, 0, None)\nreturn ctypes.get_errno() == 22"
    ),
    "a module of the kernel that is none": Attack(
        "ptrace", "call(313, 273, -1, b'', 0)\nreturn ctypes.get_errno() == 9"
    ),
}
