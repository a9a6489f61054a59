"""A front end keeps to itself what is in it: its environment, its memory and its open files.

On Linux `/proc` shows them to every process of the same user, and code that is checked is one. What a front end starts
is as any process is: a new program begins dumpable. Root, and who may trace all processes, sees them as before.
"""

from __future__ import annotations

import contextlib
import sys

_PR_SET_DUMPABLE = 4


def keep_private() -> None:
    """Not dumpable from now on: no other process of the user can look in, and there are no core dumps. Linux only."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(ImportError, OSError, AttributeError):  # no ctypes, or no prctl
        import ctypes  # noqa: PLC0415 - other systems do without

        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
