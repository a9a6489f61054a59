"""The runner's main loop. Runs in the user's interpreter."""

from __future__ import annotations

import faulthandler
import fcntl
import json
import os
import sys
from typing import Any, Dict

from . import limits
from .frames import read_frame, write_frame

_FIRST_PRIVATE_FD = 100


def main(settings_text: str) -> None:
    """Answer requests until the worker closes the pipe; then end at once, whatever user code has left running."""
    settings: Dict[str, Any] = json.loads(settings_text)
    requests, replies = _private_descriptors()
    limits.die_with_parent(settings["by_signal"])
    limits.step_back()
    try:
        import numpy  # noqa: PLC0415
    except ImportError as error:
        reason = (
            f"the interpreter {sys.executable} cannot import NumPy, which every audit needs ({error}):"
            " install it there, or name another with `interpreter` in [tool.dplint]"
        )
        write_frame(replies, {"failure": {"kind": "import", "reason": reason, "detail": ""}})
        os._exit(1)
    # Only now: these need NumPy, and its absence has been answered above.
    from .effect_guard import EffectGuard  # noqa: PLC0415
    from .session import RunnerSession, flush_output  # noqa: PLC0415
    from .streams import EntropySource  # noqa: PLC0415

    limits.limit_memory(settings["memory_mib"])
    entropy_source = EntropySource()
    entropy_source.install()
    effect_guard = EffectGuard(frozenset(settings["allow"]), settings["scratch"])
    session = RunnerSession(settings["decorator"], effect_guard, entropy_source)
    effect_guard.install()
    write_frame(replies, {"python": sys.version.split()[0], "numpy": numpy.__version__, "pid": os.getpid()})
    owner = os.getpid()
    while True:
        frame = read_frame(requests)
        if frame is None:
            os._exit(0)
        request, body = frame
        limits.limit_cpu(request["deadline"])
        header, buffers = session.answer(request, body)
        if os.getpid() != owner:
            # A child that user code forked and let run on must not speak for the runner.
            os._exit(0)
        flush_output()
        write_frame(replies, header, buffers)


def _private_descriptors() -> "tuple[int, int]":
    """Move the protocol away from where user code writes: 0 reads nothing, 1 and 2 go to the captured pipe."""
    requests = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE_FD)
    replies = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE_FD)
    captured = fcntl.fcntl(2, fcntl.F_DUPFD_CLOEXEC, _FIRST_PRIVATE_FD)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    faulthandler.enable(file=captured, all_threads=False)
    return requests, replies
