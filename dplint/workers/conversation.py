"""One job with one worker: from the submission to the last message, whatever happens to the worker."""

from __future__ import annotations

import os
from collections.abc import Callable

from dplint.jobs import AuditJob, Job
from dplint.outcomes import Effort, Failed, FailureKind, Underpowered
from dplint.workers.messages import Done, Draw, Drawn, DrawOrder, Tick
from dplint.workers.process import WorkerGone, WorkerLike, WorkerSilent

_NO_MEMORY = ("bad_alloc", "MemoryError", "memory allocation of", "Cannot allocate memory")
"""What C++, Python, Rust and C say last in a process that gets no memory where they cannot do without."""


def carry_through(
    worker: WorkerLike,
    job: Job,
    tell: Callable[[Tick], None],
    submitted: Callable[[], None] = lambda: None,
    draw: Callable[[Draw], None] = lambda _: None,
) -> Done:
    """Give a worker its job and pass on what it says until it is done.

    submitted: called when the worker has its job, from when on it can be asked to end. draw: called with blocks that
    others may draw, by a worker that was told of some; what they drew is to be submitted. Raises WorkerGone.
    """
    silence = _silence(job)
    worker.submit(job)
    submitted()
    while True:
        body = worker.receive(silence)
        if isinstance(body, Done):
            return body
        if isinstance(body, Draw):
            draw(body)
            continue
        assert isinstance(body, Tick)
        tell(body)


def drawn_by(worker: WorkerLike, job: Job, order: DrawOrder) -> Drawn:
    """Have a worker without a job of its own draw blocks for the job of another one. Raises WorkerGone."""
    worker.submit(order)
    drawn = worker.receive(_silence(job))
    assert isinstance(drawn, Drawn)
    return drawn


def _silence(job: Job) -> float:
    """Seconds without a sign of life after which a worker is given up."""
    return 60.0 + 3 * job.settings.deadline


def done_without_worker(error: BaseException, job: Job) -> Done:
    """What there is to say about a job whose worker died, or could not be started.

    A worker that was silent while more processes wanted to run than there are processors is no failure of an audit.
    """
    if isinstance(error, WorkerSilent) and isinstance(job, AuditJob) and (busy := _busy()):
        return Done(
            Underpowered(
                why=f"not enough time: {error.reason}; {busy}",
                helps=("a machine that is less busy", f"more time (--budget {4 * job.settings.budget:g})"),
                confidence=1 - job.settings.alpha,
                effort=Effort(alpha=job.settings.alpha),
            )
        )
    if isinstance(error, WorkerGone) and "SIGPROF" in error.reason:
        limit = job.settings.time_limit
        reason = f"not enough time: the time limit of {limit:g} s was over while the source was read or computed"
        return Done(Failed(kind=FailureKind.BUDGET, reason=reason))
    if isinstance(error, WorkerGone) and any(words in error.detail for words in _NO_MEMORY):
        reason = f"the process that audits it died for lack of memory ({error.reason})"
        return Done(Failed(kind=FailureKind.MEMORY, reason=reason, detail=error.detail))
    if isinstance(error, WorkerGone):
        return Done(Failed(kind=FailureKind.INTERNAL, reason=error.reason, detail=error.detail))
    return Done(Failed(kind=FailureKind.INTERNAL, reason=f"the audit could not be started: {error!r}"))


def _busy() -> str:
    """How busy the machine has been in the last minute, in words; empty if it was not, or does not tell."""
    try:
        load, processors = os.getloadavg()[0], os.cpu_count() or 1
    except (AttributeError, OSError):
        return ""
    return f"on {processors} processors {load:.0f} processes wanted to run" if load > 2 * processors else ""
