"""What a process of a local cluster does first: leave the session of the front end.

A Ctrl-C in a terminal goes to all processes of the group in the foreground. It is a request to the front end, which
asks the processes of the cluster to end; ended by the signal, they would take what is known with them.
"""

from __future__ import annotations

import contextlib
import os


def dask_setup(_worker: object) -> None:
    """Called by Dask in the new process."""
    if hasattr(os, "setsid"):  # not on every system
        with contextlib.suppress(OSError):
            os.setsid()
