"""Who forks: the kernel asks, and a host that has imported a module may fork as often as it was told to.

Code that is imported gets past an audit hook, and could fork until nothing is left of the machine. The filter of a host
(`dplint.runner.fence_filter`) has the kernel stop it at each fork, and tell whoever holds a descriptor.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import struct
import threading

_RECEIVE, _SEND = 0xC0502100, 0xC0182101
_QUESTION, _ANSWER = struct.Struct("QII64x"), struct.Struct("QqiI")
_GO_ON = 1


class ForkGate:
    """Answers the kernel's questions about one host, in a thread that ends with it."""

    def __init__(self, listener: int) -> None:
        self._lock = threading.Lock()
        self._due = 0
        threading.Thread(target=self._watch, args=(listener,), name="dplint fork gate", daemon=True).start()

    def let_one(self) -> None:
        """The host is about to be told to fork."""
        with self._lock:
            self._due += 1

    def _watch(self, listener: int) -> None:
        poll = select.poll()
        poll.register(listener, select.POLLIN)
        while all(event & select.POLLIN for _, event in poll.poll()):
            with contextlib.suppress(OSError):  # who has asked is gone
                question = bytearray(_QUESTION.size)
                fcntl.ioctl(listener, _RECEIVE, question)
                asked, _, _ = _QUESTION.unpack(question)
                answer = (0, _GO_ON) if self._may_fork() else (-errno.EPERM, 0)
                fcntl.ioctl(listener, _SEND, bytearray(_ANSWER.pack(asked, 0, *answer)))
        os.close(listener)

    def _may_fork(self) -> bool:
        with self._lock:
            due, self._due = self._due, max(0, self._due - 1)
        return due > 0
