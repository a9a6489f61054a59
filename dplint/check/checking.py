"""Checking files and folders: find, read, audit, one event after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from dplint.audit.job import AuditJob
from dplint.check.continuing import Resumed, finish, resume
from dplint.check.origins import Origins
from dplint.check.reading import Target, audit_settings, items_of, read_sources
from dplint.check.silencing import Silencing
from dplint.config import Settings
from dplint.outcomes import CheckError, CheckEvent, Finding, Plan, Progress, Result
from dplint.workers.messages import Tick
from dplint.workers.pool import run_jobs
from dplint.workers.stopping import Stop


def check_paths(paths: Sequence[Path], settings: Settings, stop: Stop | None = None) -> Iterator[CheckEvent]:
    """Check the files, yielding what becomes known as it becomes known.

    First every finding and every error of reading, then a Plan, then Progress and one Result for each mechanism of the
    plan, in the order in which they end, and last the comments that silenced nothing. What a comment silences comes as
    Silenced. With `settings.static_only` there is no audit and the plan is empty. Closing the generator ends all
    processes. User code never runs in this process.

    stop: at its request the audits in hand end with what is known so far, and those that were not begun are Failed.
    """
    targets: list[Target] = []
    silencing = Silencing()
    for source in read_sources(paths, settings):
        if isinstance(source, CheckError):
            yield source
            continue
        silencing.enter(source)
        for item in items_of(source):
            match item:
                case Target():
                    targets.append(item)
                case Finding():
                    yield silencing.finding(item)
                case CheckError():
                    yield item
    if settings.static_only:
        yield from silencing.useless(None)
        yield Plan(())
        return
    yield from _audit(targets, settings, stop, silencing)
    yield from silencing.useless([target.mechanism for target in targets])


def _audit(
    targets: Sequence[Target], settings: Settings, stop: Stop | None, silencing: Silencing
) -> Iterator[CheckEvent]:
    yield Plan(tuple(target.mechanism for target in targets))
    jobs = [
        AuditJob(
            mechanism=target.mechanism,
            program=target.program,
            settings=audit_settings(settings, target.mechanism),
        )
        for target in targets
    ]
    origins = Origins()
    resumed = [resume(job, origins) if settings.cache else Resumed(job) for job in jobs]
    with closing(run_jobs([one.job for one in resumed], settings.jobs, stop)) as messages:
        for message in messages:
            mechanism = resumed[message.job].job.mechanism
            if isinstance(message.body, Tick):
                tick = message.body
                yield Progress(mechanism, tick.phase, tick.done, tick.total, tick.standing)
            else:
                yield silencing.result(Result(mechanism, finish(resumed[message.job], message.body)))
