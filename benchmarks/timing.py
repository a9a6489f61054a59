"""Times of commands in processes of their own, start included."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def repeated(command: Sequence[str], cwd: Path, times: int, *, code: Path = ROOT) -> list[tuple[float, float]]:
    """Seconds, and seconds of the processor, which other work on the machine changes less. code: the checkout to run.

    Raises:
        SystemExit: the command failed.
    """
    found = []
    for _ in range(times):
        before = _processor_seconds()
        passed = seconds(command, cwd, code=code)
        found.append((passed, _processor_seconds() - before))
    return found


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(command: Sequence[str], cwd: Path, *, code: Path = ROOT) -> float:
    """Seconds of one run.

    Raises:
        SystemExit: the command failed.
    """
    began = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(code)}
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env=environment)
    passed = time.perf_counter() - began
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}{done.stdout[-2000:]}")
    return passed


def seconds_of_processes() -> float:
    """Seconds of processors that this process has used, with all that it has started and that live still or were
    waited for; of itself alone where there is no /proc.
    """
    if sys.platform != "linux":
        return time.process_time()
    used, children = dict[int, int](), defaultdict[int, list[int]](list)
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split() if entry.name.isdigit() else []
        except OSError:
            continue  # it has ended meanwhile
        if fields:
            used[int(entry.name)] = sum(map(int, fields[11:15]))
            children[int(fields[1])].append(int(entry.name))
    todo, ticks = [os.getpid()], 0
    while todo:
        process = todo.pop()
        ticks += used.get(process, 0)
        todo += children[process]
    return ticks / os.sysconf("SC_CLK_TCK")
