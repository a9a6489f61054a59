"""How long tests wait for other processes: in the time that these have to be had, not in that of the wall."""

from __future__ import annotations

import os
import time


def patience(seconds: float) -> float:
    """So many seconds of a quiet machine: as many times longer as there are processes that want each processor."""
    try:
        load = os.getloadavg()[0] / (os.cpu_count() or 1)
    except (AttributeError, OSError):
        load = 1.0
    # Workers and runners step back behind all others.
    return seconds * max(1.0, 2 * load)


def end_of(seconds: float) -> float:
    """When to give up, by the monotonic clock."""
    return time.monotonic() + patience(seconds)
