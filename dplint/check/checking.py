"""Checking files, folders and texts: find, read, answer what is known, audit the rest; one event after another."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from dplint.check.bundling import bundle_of
from dplint.check.choosing import Choice, chosen_of
from dplint.check.continuing import Resumed, answer, finish, resume
from dplint.check.dealing import Deal
from dplint.check.loading import LoadedFile, Pending, audit_settings, load_files, load_text
from dplint.check.mechanism_keys import MechanismKeys
from dplint.check.requiring import unproved
from dplint.check.silencing import Silencing
from dplint.config import ConfigError, Settings, SettingsByFile
from dplint.jobs import AuditJob
from dplint.outcomes import CheckError, CheckEvent, Failed, FailureKind, Plan, Progress, Result, Shard
from dplint.program.refusals import Unsupported
from dplint.store import SharedCache
from dplint.workers.bundles import BundleError, Sent
from dplint.workers.messages import Done, Message, Tick
from dplint.workers.pool import NOT_BEGUN, Pool, run_jobs
from dplint.workers.stopping import Stop

_CHANGED = Failed(kind=FailureKind.INPUT, reason="its file has changed since the check began; check again")


class Cluster(Protocol):
    """Machines that do the audits of a check: `dplint.workers.cluster` is one."""

    environment: str
    """What is installed there, as `environment_of` writes it."""

    def run(self, jobs: Iterator[Sent], stop: Stop | None = None) -> Generator[Message, None, None]:
        """Do the jobs, asked for as there is room for them, and numbered as they come; each has its Done in the end."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What of a check is not on this machine: the audits, the cache of what they find out."""

    cluster: Cluster | None = None
    cache: SharedCache | None = None


@dataclass(frozen=True, slots=True)
class _Where:
    """Who does the audits: so many processes of this machine, unless others do; and the request to end."""

    workers: int
    stop: Stop | None = None
    elsewhere: Elsewhere = Elsewhere()


def check_paths(
    paths: Sequence[Path],
    settings: Settings | SettingsByFile,
    stop: Stop | None = None,
    shard: Shard | None = None,
    elsewhere: Elsewhere | None = None,
    costs: Mapping[str, float] | None = None,
) -> Iterator[CheckEvent]:
    """Check the files, yielding what becomes known as it becomes known.

    First every finding and every error of reading, then a Plan, then Progress and one Result for each mechanism of the
    plan, in the order in which they end, with a finding where
    `require-proof` asks for more, and last the comments that silenced nothing. What a comment or the settings
    silence comes as Silenced. What an earlier check has found out is answered first, with nothing run. With
    `static_only` there is no audit and the plan is empty. Closing the generator ends all processes. User code never
    runs in this process.

    settings: those of each file, or one for all of them. stop: at its request the audits in hand end with what is
    known so far, and those that were not begun are Failed. shard: the part of the check that is done, None for all of
    it. The shards of a check have together what the whole has, but for comments that silence nothing where their lines
    hold mechanisms of several shards. elsewhere: None if nothing is. costs: seconds that mechanisms took, by name; all
    shards have to be dealt by the same.
    """
    by_file = settings if isinstance(settings, SettingsByFile) else SettingsByFile.fixed(settings)
    where = _Where(by_file.base.jobs, stop, elsewhere or Elsewhere())
    yield from _check(load_files(paths, by_file), where, shard, costs or {})


def check_chosen(
    paths: Sequence[Path],
    choices: Sequence[Choice],
    settings: SettingsByFile,
    stop: Stop | None = None,
    elsewhere: Elsewhere | None = None,
) -> Iterator[CheckEvent]:
    """Check the functions that are chosen, and what is in files that nothing is chosen of, as `check_paths`.

    Of a choice that nothing fits there is an error. Comments that silence nothing are not told of, since what they are
    there for may not have been looked at.
    """
    files = load_files(paths, settings)
    loaded = (one if isinstance(one, CheckError) else chosen_of(one, choices) for one in files)
    pending: list[Pending] = []
    silencing = Silencing()
    yield from _read(loaded, silencing, pending)
    yield Plan(tuple(one.mechanism for one in pending))
    yield from _audit(pending, _Where(settings.base.jobs, stop, elsewhere or Elsewhere()), silencing)


def check_text(
    raw: bytes, path: Path, settings: Settings | SettingsByFile, stop: Stop | None = None
) -> Iterator[CheckEvent]:
    """Check a text as if it were the content of the file `path`, in the same way; the file need not exist."""
    by_file = settings if isinstance(settings, SettingsByFile) else SettingsByFile.fixed(settings)
    try:
        loaded: LoadedFile | CheckError = load_text(path, raw, by_file.of_file(path))
    except ConfigError as error:
        loaded = CheckError(error.file, error.line, error.message)
    yield from _check([loaded], _Where(by_file.base.jobs, stop))


def _check(
    loaded_files: Iterable[LoadedFile | CheckError],
    where: _Where,
    shard: Shard | None = None,
    costs: Mapping[str, float] = MappingProxyType({}),
) -> Iterator[CheckEvent]:
    pending: list[Pending] = []
    silencing = Silencing()
    reading = _read(loaded_files, silencing, pending)
    if shard is None:
        yield from reading
        mechanisms = tuple(one.mechanism for one in pending)
        yield Plan(mechanisms)
        yield from _audit(pending, where, silencing)
        yield from silencing.useless(mechanisms)
        return
    found = list(reading)
    deal = Deal(shard, pending, costs)
    yield from filter(deal.has, found)
    yield Plan(tuple(one.mechanism for one in deal.own), deal.dealt)
    yield from _audit(deal.own, where, silencing)
    yield from filter(deal.has, silencing.useless([one.mechanism for one in pending]))


def _read(
    loaded_files: Iterable[LoadedFile | CheckError], silencing: Silencing, pending: list[Pending]
) -> Iterator[CheckEvent]:
    """What is found by reading; what is to be audited is added to `pending`."""
    for loaded in loaded_files:
        if isinstance(loaded, CheckError):
            yield loaded
            continue
        silencing.enter(loaded)
        yield from loaded.errors
        for finding in loaded.findings:
            yield silencing.finding(finding, loaded.settings)
        if not loaded.settings.static_only:
            pending += loaded.pending


def _audit(pending: Sequence[Pending], where: _Where, silencing: Silencing) -> Iterator[CheckEvent]:
    cluster, cache = where.elsewhere.cluster, where.elsewhere.cache
    keys = MechanismKeys(None if cluster is None else cluster.environment)
    open_jobs: list[tuple[Pending, Resumed]] = []
    for one in pending:
        job = AuditJob(
            mechanism=one.mechanism,
            program=Unsupported("what has not been read yet", one.mechanism.span),
            settings=audit_settings(one.settings, one.mechanism),
            source_text=one.text,
        )
        resumed = resume(job, keys, cache) if one.settings.cache else Resumed(job)
        known = answer(resumed, job.settings)
        if known is None:
            open_jobs.append((one, resumed))
        else:
            yield from _judged(Result(one.mechanism, known, cached=True), one.settings, silencing)
    if cluster is not None:
        with closing(cluster.run(_sent(open_jobs, keys, where.stop), where.stop)) as messages:
            yield from _heard(messages, open_jobs, silencing)
        return
    if open_jobs:
        with closing(Pool()) as pool:  # it loads while the programs are read
            yield from _audit_here(open_jobs, where, pool, silencing)


def _audit_here(
    open_jobs: Sequence[tuple[Pending, Resumed]], where: _Where, pool: Pool, silencing: Silencing
) -> Iterator[CheckEvent]:
    lowered: list[tuple[Pending, Resumed]] = []
    for one, resumed in open_jobs:
        job = _lowered(one, resumed.job)
        if job is None:
            yield silencing.result(Result(one.mechanism, _CHANGED), one.settings)
        else:
            lowered.append((one, replace(resumed, job=job)))
    jobs = [resumed.job for _, resumed in lowered]
    with closing(run_jobs(jobs, where.workers, where.stop, pool)) as messages:
        yield from _heard(messages, lowered, silencing)


def _lowered(one: Pending, job: AuditJob) -> AuditJob | None:
    """The job with its program; None if the mechanism is not in its file any more."""
    target = one.lower()
    return None if target is None else replace(job, program=target.program)


def _sent(open_jobs: Sequence[tuple[Pending, Resumed]], keys: MechanismKeys, stop: Stop | None) -> Iterator[Sent]:
    """The jobs as a cluster gets them. Each is lowered when it is asked for: the first are done meanwhile."""
    for one, resumed in open_jobs:
        if stop is not None and stop.requested:
            yield Sent(None, "", Done(NOT_BEGUN))
            continue
        job = _lowered(one, resumed.job)
        if job is None:
            yield Sent(None, "", Done(_CHANGED))
            continue
        try:
            yield Sent(*bundle_of(job, keys))
        except BundleError as error:
            cure = "Check it without --cluster."
            yield Sent(None, "", Done(Failed(kind=FailureKind.INPUT, reason=str(error), cure=cure)))


def _heard(
    messages: Iterable[Message], jobs: Sequence[tuple[Pending, Resumed]], silencing: Silencing
) -> Iterator[CheckEvent]:
    for message in messages:
        one, resumed = jobs[message.job]
        if isinstance(message.body, Tick):
            tick = message.body
            yield Progress(one.mechanism, tick.phase, tick.done, tick.total, tick.standing)
        else:
            yield from _judged(Result(one.mechanism, finish(resumed, message.body)), one.settings, silencing)


def _judged(result: Result, settings: Settings, silencing: Silencing) -> Iterator[CheckEvent]:
    """A result as it counts, and that it is no proof where the settings ask for one."""
    yield silencing.result(result, settings)
    missing = unproved(result.mechanism, result.outcome, settings)
    if missing is not None:
        yield silencing.finding(missing, settings)
