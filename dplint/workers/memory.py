"""The memory that the processes of one front end share.

What evaluates a user's program has a limit: as much as the settings say, and no more than its share of a budget. The
budget is a part of what the machine, or the container, has free when the front end begins; each job may have a worker,
the runner of that, and a reader at the same time. So all of them together stay below it, whatever the programs do.
"""

from __future__ import annotations

import os
from pathlib import Path

from dplint.runner import system

_FOR_ALL = 0.75
"""The part of the free memory that is given away: the rest is for the front end, and for what else begins."""
_FOR_EACH_JOB = 3
_LEAST_MIB = 256
"""No process can do anything with less."""
_UNKNOWN_MIB = 1 << 30
_MIB = 1 << 20
_GROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)
"""The limit of a container and what it has in use, by the two versions of control groups."""


def budget_mib() -> int:
    """MiB that all processes of a front end may take, as of now."""
    free = _free_mib()
    return _UNKNOWN_MIB if free is None else int(_FOR_ALL * free)


def share_mib(jobs: int, budget: int | None = None) -> int:
    """MiB for each process where so many jobs go on at a time. budget: as of an earlier time."""
    budget = budget_mib() if budget is None else budget
    return max(_LEAST_MIB, budget // (_FOR_EACH_JOB * max(1, jobs)))


def share_of_a_processor() -> int:
    """MiB for each process where nobody knows how many there will be: as if each processor had a job."""
    return share_mib(os.cpu_count() or 1)


def _free_mib() -> int | None:
    """What can be had without taking it from others; None where the system does not tell."""
    limits = [free for free in (_free_of_machine(), *(_free_of_group(*files) for files in _GROUPS)) if free is not None]
    return min(limits) // _MIB if limits else None


def _free_of_machine() -> int | None:
    return system.bytes_told("meminfo", "MemAvailable:")


def _free_of_group(limit: str, used: str) -> int | None:
    try:
        return max(0, int(Path(limit).read_text(encoding="ascii")) - int(Path(used).read_text(encoding="ascii")))
    except (OSError, ValueError):  # no group, or one without a limit, which is called "max"
        return None
