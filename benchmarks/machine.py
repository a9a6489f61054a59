"""What a measurement was made on."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from dplint.workers.process import ALLOCATOR


def described_machine() -> str:
    """Date, commit, processor, versions and load, in one line."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent,
        check=False,
    ).stdout.strip()
    load = os.getloadavg()[0]
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, commit {commit or 'unknown'}, {_processor()}, {os.cpu_count()} cores "
        f"(load {load:.1f}), Python {platform.python_version()}, NumPy {np.__version__}"
    )


def with_memory_of_a_worker() -> None:
    """Start this benchmark again with the memory settings of a worker, which a C library reads when it is loaded."""
    if not ALLOCATOR.items() <= os.environ.items():
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ALLOCATOR})


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
