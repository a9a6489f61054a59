"""The worker process: reads jobs, audits, writes messages. Numerics and z3 are first imported here."""

from __future__ import annotations

import os
import threading
import time
import traceback
from typing import BinaryIO

from dplint.audit.job import AuditJob, Job, SweepJob
from dplint.outcomes import Curve, Failed, FailureKind, Outcome
from dplint.workers.frames import read_frame, write_frame
from dplint.workers.messages import Done, Tick

_TICK_SECONDS = 0.1


def main() -> None:
    """Serve jobs until the front end closes the pipe or dies."""
    jobs, messages = _private_streams()
    _leave_with_parent()
    while True:
        try:
            job = read_frame(jobs)
        except EOFError:
            return
        assert isinstance(job, AuditJob | SweepJob)
        write_frame(messages, Done(_carry_out(job, messages)))


def _private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Move the pipes to descriptors of our own, so that nothing else can write into the stream of messages."""
    jobs, messages = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    return jobs, messages


def _leave_with_parent() -> None:
    """End as soon as the front end is gone, even in the middle of an audit; the runner follows."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _carry_out(job: Job, messages: BinaryIO) -> Outcome | Curve:
    from dplint.audit.audit import audit  # noqa: PLC0415 - NumPy, SciPy and z3 load with the first job
    from dplint.audit.sweep import sweep  # noqa: PLC0415

    last = 0.0

    def tick(phase: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _TICK_SECONDS:
            last = now
            write_frame(messages, Tick(phase, done, total))

    try:
        return audit(job, tick) if isinstance(job, AuditJob) else sweep(job, tick)
    except Exception as error:
        return Failed(
            kind=FailureKind.INTERNAL,
            reason=f"dplint itself failed ({type(error).__name__}: {error}); please report this",
            detail=traceback.format_exc(),
        )
