"""System calls that the fence refuses, by name, with their numbers. Runs in the user's interpreter."""

from __future__ import annotations

from typing import Dict, Optional, Tuple

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
