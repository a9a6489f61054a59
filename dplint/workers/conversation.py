"""One job with one worker: from the submission to the last message, whatever happens to the worker."""

from __future__ import annotations

from collections.abc import Callable

from dplint.jobs import Job
from dplint.outcomes import Failed, FailureKind
from dplint.workers.messages import Done, Tick
from dplint.workers.process import WorkerGone, WorkerLike


def carry_through(
    worker: WorkerLike, job: Job, tell: Callable[[Tick], None], submitted: Callable[[], None] = lambda: None
) -> Done:
    """Give a worker its job and pass on what it says until it is done.

    submitted: called when the worker has its job, from when on it can be asked to end. Raises WorkerGone.
    """
    silence = 60.0 + 3 * job.settings.deadline
    worker.submit(job)
    submitted()
    while True:
        body = worker.receive(silence)
        if isinstance(body, Done):
            return body
        assert isinstance(body, Tick)
        tell(body)


def done_without_worker(error: BaseException) -> Done:
    """What there is to say about a job whose worker died, or could not be started."""
    if isinstance(error, WorkerGone):
        return Done(Failed(kind=FailureKind.INTERNAL, reason=error.reason, detail=error.detail))
    return Done(Failed(kind=FailureKind.INTERNAL, reason=f"the audit could not be started: {error!r}"))
