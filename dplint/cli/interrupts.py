"""Ctrl-C in a terminal: the first asks the check to end with what is known so far, the second ends it at once."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from dplint.workers.stopping import Stop

INTERRUPTED = 130
"""Exit code after Ctrl-C, also where violations were found before: as with pytest, what was cut short says so first."""


@contextmanager
def asked_by_interrupt(stop: Stop) -> Iterator[None]:
    """Meanwhile the first Ctrl-C makes the request, and the next one raises KeyboardInterrupt.

    Only where somebody sits at a terminal: a script that sends the signal wants an end, and gets it at once.
    """
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not (usual and sys.stderr.isatty() and threading.current_thread() is threading.main_thread()):
        yield
        return

    def ask(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stop.request()

    signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
