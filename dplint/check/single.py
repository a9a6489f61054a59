"""One job about one mechanism, and what is told of it on the way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import TypeVar

from dplint.jobs import AuditJob, ExactJob, WorstJob
from dplint.outcomes import ExactTable, Failed, NotRefuted, Plan, Progress, Result, Underpowered, Untestable, WorstInput
from dplint.workers.messages import Tick
from dplint.workers.pool import run_jobs

A = TypeVar("A", ExactTable, WorstInput, NotRefuted)


def carried_out(job: ExactJob | WorstJob | AuditJob, kind: type[A]) -> Iterator[Plan | Progress | A | Result]:
    """The progress of a job, then its answer of this kind, or a Result that says why there is none."""
    yield Plan((job.mechanism,))
    with closing(run_jobs([job], 1)) as messages:
        for message in messages:
            if isinstance(message.body, Tick):
                yield Progress(job.mechanism, message.body.phase, message.body.done, message.body.total)
            elif isinstance(message.body.result, kind):
                yield message.body.result
            else:
                assert isinstance(message.body.result, Untestable | Underpowered | Failed)
                yield Result(job.mechanism, message.body.result)
