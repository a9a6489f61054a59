"""The processes of a server, also those that it has left behind when it died: told by a mark that they inherit."""

import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tests.patience import end_of

MARK = "DPLINT_TEST_EDITOR"
"""The variable that every process of one server has in its environment, under a value that no other server has."""
_KINDS = {
    "-m\0dplint\0server": "server",
    "open_server": "server",
    "dplint.check.reading_main": "reader",
    "dplint.workers.fork_server_main": "fork_server",
    "dplint.workers.main": "worker",
    "_dplint.runner": "runner",
}
_FORKED = {("fork_server", "fork_server"): "worker", ("runner", "server"): "host"}
"""What processes are by their command line and by that of their parents: one that is forked has its parent's."""


@dataclass(frozen=True)
class Found:
    """A process. kind: server, reader, fork server, worker, host (of runners), runner, or other."""

    pid: int
    parent: int
    kind: str
    line: str


def fresh_mark() -> str:
    """A value that nobody else has."""
    return str(uuid.uuid4())


def processes(mark: str) -> list[Found]:
    """All processes that have this mark, apart from those that have ended and nobody has asked after."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted not in (folder / "environ").read_bytes().split(b"\0"):
                continue
            line = (folder / "cmdline").read_bytes().decode("utf-8", "replace")
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        kind = next((kind for part, kind in _KINDS.items() if part in line), "other")
        found.append(Found(int(folder.name), parent, kind, line))
    by_parent = {one.pid: one.kind for one in found}
    return [replace(one, kind=_FORKED.get((one.kind, by_parent.get(one.parent, "")), one.kind)) for one in found]


def of_kind(mark: str, kind: str) -> list[int]:
    """The numbers of the processes of one kind."""
    return [one.pid for one in processes(mark) if one.kind == kind]


def wait_for_kind(mark: str, kind: str, *, apart_from: int | None = None, seconds: float = 100.0) -> int:
    """The number of some process of a kind, as soon as there is one."""
    until = end_of(seconds)
    while True:
        found = [pid for pid in of_kind(mark, kind) if pid != apart_from]
        if found:
            return found[0]
        if time.monotonic() > until:
            raise AssertionError(f"there is no {kind}: {processes(mark)}")
        time.sleep(0.005)


def all_gone(mark: str, seconds: float = 30.0) -> list[Found]:
    """What is left of them after at most that time; how long it takes is measured in benchmarks/server.py."""
    until = end_of(seconds)
    while (left := processes(mark)) and time.monotonic() < until:
        time.sleep(0.01)
    return left


def resident_mib(pid: int) -> float:
    """The memory that a process has in use, shared memory included."""
    (line,) = (one for one in Path(f"/proc/{pid}/status").read_text().splitlines() if one.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


@contextmanager
def busy_machine(processes: int) -> Iterator[None]:
    """So many other processes that do nothing but compute."""
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for one in spinning:
            one.kill()
            one.wait()
