"""Times of commands in processes of their own, start included."""

from __future__ import annotations

import os
import resource
import subprocess
import time
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
