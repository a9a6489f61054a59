"""Checking files, folders and texts: find, read, answer what is known, audit the rest; one event after another."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from dplint import outcomes as out
from dplint.check.choosing import Choice, chosen_of
from dplint.check.continuing import Resumed, answer, finish, is_checked_again, resume, to_check
from dplint.check.dealing import Deal, bundle_of
from dplint.check.judging import Silencing, unproved
from dplint.check.loading import LoadedFile, Pending, audit_settings, load_files, load_text
from dplint.check.mechanism_keys import MechanismKeys
from dplint.check.noise_amounts import spare_noise
from dplint.check.reading_ahead import Lowering, PoolAhead, Readers
from dplint.check.repaired import repaired
from dplint.check.unreadable import with_old_ones_together
from dplint.claims import Mechanism
from dplint.config import ConfigError, Settings, SettingsByFile
from dplint.jobs import AuditJob
from dplint.program.refusals import Unsupported
from dplint.source.callers import Callers
from dplint.store import SharedCache
from dplint.workers.messages import BundleError, Done, Message, Sent, Tick
from dplint.workers.pool import NOT_BEGUN, Pool, Stop, run_jobs

_CHANGED = out.Failed(kind=out.FailureKind.INPUT, reason="its file has changed since the check began; check again")


class Cluster(Protocol):
    """Machines that do the audits of a check: `dplint_cluster.cluster` is one."""

    environment: str
    """What is installed there, as `environment_of` writes it."""

    def run(self, jobs: Iterator[Sent | None], stop: Stop | None = None) -> Generator[Message | None, None, None]:
        """Do the jobs, numbered as they come; each has its Done in the end. For each None among them there is one."""


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
    pool: PoolAhead = field(default_factory=PoolAhead)


def check_paths(
    paths: Sequence[Path],
    settings: Settings | SettingsByFile,
    stop: Stop | None = None,
    shard: out.Shard | None = None,
    elsewhere: Elsewhere | None = None,
    costs: Mapping[str, float] | None = None,
) -> Iterator[out.CheckEvent]:
    """Check the files, yielding what becomes known as it becomes known.

    First every finding and every error of reading, then a Plan, then Progress and one Result for each mechanism of the
    plan, in the order in which they end, with a finding where
    `require-proof` asks for more, and last the comments that silenced nothing. What a comment or the settings
    silence comes as Silenced. What an earlier check has found out is answered first, with nothing run. A cluster begins
    while files are still read: then each file with mechanisms has a Plan, and comes as the others go on. With
    `static_only` there is no audit and the plan is empty. Closing the generator ends all processes. User code never
    runs in this process.

    settings: those of each file, or one for all of them. stop: at its request the audits in hand end with what is
    known so far, and those that were not begun are Failed. shard: the part of the check that is done, None for all of
    it. The shards of a check have together what the whole has, but for comments that silence nothing where their lines
    hold mechanisms of several shards. elsewhere: None if nothing is. costs: seconds that mechanisms took, by name; all
    shards have to be dealt by the same, unless they have a cache that they share. Raises StoreProblem if that does not
    answer a shard.
    """
    by_file = settings if isinstance(settings, SettingsByFile) else SettingsByFile.fixed(settings)
    where = _Where(by_file.base.jobs, stop, elsewhere or Elsewhere())
    lowering = shard is None and not by_file.base.static_only
    # What others know, or do, needs no pool here.
    expect = where.pool.expect if where.elsewhere == Elsewhere() else None
    with where.pool, Readers(by_file.base.jobs, lowering=lowering, expect=expect) as readers:
        yield from _check(load_files(paths, by_file, readers), where, readers, shard, costs or {})


def check_chosen(
    paths: Sequence[Path],
    choices: Sequence[Choice],
    settings: SettingsByFile,
    stop: Stop | None = None,
    elsewhere: Elsewhere | None = None,
) -> Iterator[out.CheckEvent]:
    """Check the functions that are chosen, and what is in files that nothing is chosen of, as `check_paths`.

    Of a choice that nothing fits there is an error. Comments that silence nothing are not told of, since what they are
    there for may not have been looked at.
    """
    where, silencing = _Where(settings.base.jobs, stop, elsewhere or Elsewhere()), Silencing()
    with where.pool, Readers(settings.base.jobs, lowering=False) as readers:
        files = load_files(paths, settings, readers)
        loaded = (one if isinstance(one, out.CheckError) else chosen_of(one, choices) for one in files)
        yield from _whole(loaded, where, readers, silencing)


def check_loaded(
    loaded: Iterable[LoadedFile | out.CheckError], workers: int, stop: Stop, elsewhere: Elsewhere
) -> Iterator[out.CheckEvent]:
    """Check what has been read, with the mechanisms that are pending there; comments as in `check_chosen`."""
    where, silencing = _Where(workers, stop, elsewhere), Silencing()
    with where.pool, Readers(workers, lowering=False) as readers:
        yield from _whole(loaded, where, readers, silencing)


def check_text(
    raw: bytes,
    path: Path,
    settings: Settings | SettingsByFile,
    stop: Stop | None = None,
    choices: Sequence[Choice] = (),
) -> Iterator[out.CheckEvent]:
    """Check a text as if it were the content of the file `path`, in the same way; the file need not exist.

    choices: the functions that are wanted, as in `check_chosen`; all without one.
    """
    by_file = settings if isinstance(settings, SettingsByFile) else SettingsByFile.fixed(settings)
    try:
        loaded: LoadedFile | out.CheckError = load_text(path, raw, by_file.of_file(path))
    except ConfigError as error:
        loaded = out.CheckError(error.file, error.line, error.message)
    where = _Where(by_file.base.jobs, stop)
    with where.pool, Readers(1, lowering=False) as readers:
        if choices and isinstance(loaded, LoadedFile):
            yield from _whole([chosen_of(loaded, choices)], where, readers, Silencing())
        else:
            yield from _check([loaded], where, readers)


def _check(
    loaded_files: Iterable[LoadedFile | out.CheckError],
    where: _Where,
    readers: Readers,
    shard: out.Shard | None = None,
    costs: Mapping[str, float] = MappingProxyType({}),
) -> Iterator[out.CheckEvent]:
    silencing = Silencing()
    if shard is None:
        mechanisms = yield from _whole(loaded_files, where, readers, silencing)
        yield from silencing.useless(mechanisms)
        return
    pending: list[Pending] = []
    loaded = list(loaded_files)
    found = list(_read(loaded, silencing, pending))
    files = [one for one in loaded if isinstance(one, LoadedFile)]
    deal = Deal(shard, pending, files, costs, where.elsewhere.cache, partial(_known, pending, where.elsewhere))
    yield from filter(deal.has, found)
    yield out.Plan(tuple(one.mechanism for one in deal.own), deal.dealt)
    yield from _audit(deal.own, where, readers, silencing)
    yield from filter(deal.has, silencing.useless([one.mechanism for one in pending]))


def _whole(
    loaded_files: Iterable[LoadedFile | out.CheckError], where: _Where, readers: Readers, silencing: Silencing
) -> Generator[out.CheckEvent, None, list[Mechanism]]:
    """Read, plan and audit; the mechanisms of the plan."""
    if where.elsewhere.cluster is not None:
        files = _by_file(loaded_files, silencing)
        return (yield from _on_cluster(files, where.elsewhere.cluster, where, readers, silencing))
    pending: list[Pending] = []
    fixes: list[out.Finding] = []
    for event in with_old_ones_together(_read(loaded_files, silencing, pending)):
        if isinstance(event, out.Finding) and event.fix is not None:
            fixes.append(event)
        yield event
    mechanisms = [one.mechanism for one in pending]
    yield out.Plan(tuple(mechanisms))
    yield from _audit(pending, where, readers, silencing, fixes)
    return mechanisms


def _read(
    loaded_files: Iterable[LoadedFile | out.CheckError], silencing: Silencing, pending: list[Pending]
) -> Iterator[out.CheckEvent]:
    """What is found by reading; what is to be audited is added to `pending`."""
    for loaded in loaded_files:
        if isinstance(loaded, out.CheckError):
            yield loaded
            continue
        silencing.enter(loaded)
        yield from loaded.errors
        for finding in loaded.findings:
            yield silencing.finding(finding, loaded.settings)
        if not loaded.settings.static_only:
            pending += loaded.pending


def _audit(
    pending: Sequence[Pending],
    where: _Where,
    readers: Readers,
    silencing: Silencing,
    fixes: Sequence[out.Finding] = (),
) -> Iterator[out.CheckEvent]:
    """Answer what is known, and audit the rest. All have been read. fixes: findings of rules that have one."""
    cluster = where.elsewhere.cluster
    if cluster is not None:
        yield from _on_cluster([([], pending)], cluster, where, readers, silencing)
        return
    open_jobs: list[tuple[Pending, Resumed]] = []
    results: list[out.Result] = []
    callers = Callers()
    for event in _answered(pending, MechanismKeys(), callers, where.elsewhere.cache, silencing, open_jobs):
        results += [event] if isinstance(event, out.Result) else []
        yield event
    if open_jobs:
        pool = where.pool.begin()  # it loads while the programs are read, at the latest
        for event in _audit_here(open_jobs, where, readers, pool, silencing):
            results += [event] if isinstance(event, out.Result) else []
            yield event
    keys = MechanismKeys()  # anew, as files may have changed meanwhile

    def place(one: Pending) -> Resumed:
        job = _job(one, callers)
        return resume(job, keys, where.elsewhere.cache) if one.settings.cache else Resumed(job)

    found: dict[str, tuple[out.Repair, ...]] = {}
    for one in repaired(results, pending, fixes, place, where.workers, where.stop, where.pool):
        if isinstance(one, out.Repaired):
            found[one.mechanism.name] = one.repairs
        yield one
    settings = {one.mechanism.name: one.settings for one in pending}
    for result in results:
        mechanism, name = result.mechanism, result.mechanism.name
        if (spare := spare_noise(mechanism, result.outcome, found.get(name, ()), settings[name])) is not None:
            yield silencing.finding(spare, settings[name])


def _audit_here(
    open_jobs: Sequence[tuple[Pending, Resumed]], where: _Where, readers: Readers, pool: Pool, silencing: Silencing
) -> Iterator[out.CheckEvent]:
    jobs: list[tuple[Pending, Resumed]] = []
    by_file = (list(group) for _, group in groupby(open_jobs, key=lambda item: item[0].mechanism.path))
    for one, resumed, lower in filter(None, _lowering(by_file, readers)):
        job = _lowered(lower, resumed.job)
        if job is None:
            yield silencing.result(out.Result(one.mechanism, _CHANGED), one.settings)
        else:
            jobs.append((one, replace(resumed, job=job)))
    with closing(run_jobs([resumed.job for _, resumed in jobs], where.workers, where.stop, pool)) as messages:
        for message in messages:
            yield from _heard(message, *jobs[message.job], silencing)


def _known(pending: Sequence[Pending], elsewhere: Elsewhere) -> list[str]:
    """The names of the mechanisms whose results are known."""
    keys = MechanismKeys(None if elsewhere.cluster is None else elsewhere.cluster.environment)
    callers = Callers()
    jobs = [(one, _job(one, callers)) for one in pending if one.settings.cache]
    return [one.mechanism.name for one, job in jobs if answer(resume(job, keys, elsewhere.cache), job.settings)]


def _job(one: Pending, callers: Callers) -> AuditJob:
    """The job of a mechanism, without its program."""
    return AuditJob(
        mechanism=callers.asked(one.mechanism, one.text),
        program=Unsupported("what has not been read yet", one.mechanism.span),
        settings=audit_settings(one.settings, one.mechanism),
        source_text=one.text,
    )


def _answered(
    pending: Sequence[Pending],
    keys: MechanismKeys,
    callers: Callers,
    cache: SharedCache | None,
    silencing: Silencing,
    open_jobs: list[tuple[Pending, Resumed]],
) -> Iterator[out.CheckEvent]:
    """The results that are known; what is not is added to `open_jobs`."""
    for one in pending:
        job = _job(one, callers)
        resumed = resume(job, keys, cache) if one.settings.cache else Resumed(job)
        known = answer(resumed, job.settings)
        again = to_check(resumed, known)
        if known is None or again is not None:
            open_jobs.append((one, again or resumed))
        else:
            yield from _judged(out.Result(job.mechanism, known, cached=True), one.settings, silencing)


def _lowering(
    files: Iterable[Sequence[tuple[Pending, Resumed]]], readers: Readers
) -> Iterator[tuple[Pending, Resumed, Lowering] | None]:
    """The jobs of each file with what is called for their programs, which may have been begun; None after each file."""
    ahead: deque[tuple[Pending, Resumed, Lowering]] = deque()
    for of_file in files:
        lowering = readers.lower([one.lower for one, _ in of_file])
        ahead.extend((one, resumed, lower) for (one, resumed), lower in zip(of_file, lowering, strict=True))
        while len(ahead) > readers.ahead:
            yield ahead.popleft()
        yield None
    yield from ahead


def _lowered(lower: Lowering, job: AuditJob) -> AuditJob | None:
    """The job with its program; None if the mechanism is not in its file any more."""
    target = lower()
    return None if target is None else replace(job, program=target.program, lowered=target.lowered)


def _by_file(
    loaded_files: Iterable[LoadedFile | out.CheckError], silencing: Silencing
) -> Iterator[tuple[list[out.CheckEvent], list[Pending]]]:
    """File by file, what is found by reading it, with its plan, and what is to be audited."""
    planned = False
    for loaded in loaded_files:
        pending: list[Pending] = []
        found = list(_read([loaded], silencing, pending))
        if pending:
            found.append(out.Plan(tuple(one.mechanism for one in pending)))
            planned = True
        yield found, pending
    if not planned:
        yield [out.Plan(())], []


def _on_cluster(
    files: Iterable[tuple[Sequence[out.CheckEvent], Sequence[Pending]]],
    cluster: Cluster,
    where: _Where,
    readers: Readers,
    silencing: Silencing,
) -> Generator[out.CheckEvent, None, list[Mechanism]]:
    """Have audited what has been read while the rest is; all mechanisms. files: what is told of each, and its own."""
    keys, callers = MechanismKeys(cluster.environment), Callers()
    told: deque[out.CheckEvent] = deque()
    jobs: list[tuple[Pending, Resumed]] = []
    mechanisms: list[Mechanism] = []

    def open_jobs() -> Iterator[list[tuple[Pending, Resumed]]]:
        for found, pending in files:
            told.extend(found)
            mechanisms.extend(one.mechanism for one in pending)
            of_file: list[tuple[Pending, Resumed]] = []
            told.extend(_answered(pending, keys, callers, where.elsewhere.cache, silencing, of_file))
            yield of_file

    def sent() -> Iterator[Sent | None]:
        for item in _lowering(open_jobs(), readers):
            if item is None:
                yield None
                continue
            one, resumed, lower = item
            # What is kept of a job until it has ended: not its tree, and not its program.
            jobs.append((replace(one, lower=_let_go), resumed))
            yield _bundled(lower, resumed.job, keys, where.stop)

    with closing(cluster.run(sent(), where.stop)) as messages:
        for message in messages:
            while told:
                yield told.popleft()
            if message is not None:
                yield from _heard(message, *jobs[message.job], silencing)
    yield from told
    return mechanisms


def _let_go() -> None:
    """In place of what lowers a mechanism that has been lowered."""


def _bundled(lower: Lowering, job: AuditJob, keys: MechanismKeys, stop: Stop | None) -> Sent:
    """A job as a cluster gets it."""
    if stop is not None and stop.requested:
        return Sent(None, "", Done(NOT_BEGUN))
    with_program = _lowered(lower, job)
    if with_program is None:
        return Sent(None, "", Done(_CHANGED))
    try:
        return Sent(*bundle_of(with_program, keys))
    except BundleError as error:
        return Sent(
            None,
            "",
            Done(out.Failed(kind=out.FailureKind.INPUT, reason=str(error), cure="Check it without --cluster.")),
        )


def _heard(message: Message, one: Pending, resumed: Resumed, silencing: Silencing) -> Iterator[out.CheckEvent]:
    if isinstance(message.body, Tick):
        tick = message.body
        yield out.Progress(one.mechanism, tick.phase, tick.done, tick.total, tick.standing)
    else:
        outcome = finish(resumed, message.body)
        result = out.Result(resumed.job.mechanism, outcome, cached=is_checked_again(outcome))
        yield from _judged(result, one.settings, silencing)


def _judged(result: out.Result, settings: Settings, silencing: Silencing) -> Iterator[out.CheckEvent]:
    """A result as it counts, and that it is no proof where the settings ask for one."""
    yield silencing.result(result, settings)
    missing = unproved(result.mechanism, result.outcome, settings)
    if missing is not None:
        yield silencing.finding(missing, settings)
