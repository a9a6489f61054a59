"""Checking files, folders and texts: find, read, answer what is known, audit the rest; one event after another."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Protocol, TypeAlias

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
from dplint.workers.pool import NOT_BEGUN, Stop, run_jobs

Loaded: TypeAlias = LoadedFile | out.CheckError
Opened: TypeAlias = tuple[Pending, Resumed]
"""A mechanism of which nothing is known yet, and its job."""
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
    lowering = shard is None and not by_file.base.static_only
    # What others know, or do, needs no pool here.
    expecting = elsewhere is None or elsewhere == Elsewhere()
    with _check(by_file.base.jobs, stop, elsewhere, lowering=lowering, expecting=expecting) as check:
        loaded = load_files(paths, by_file, check.readers)
        yield from check.all(loaded) if shard is None else check.shard(loaded, shard, costs or {})


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
    with _check(settings.base.jobs, stop, elsewhere) as check:
        files = load_files(paths, settings, check.readers)
        yield from check.part(one if isinstance(one, out.CheckError) else chosen_of(one, choices) for one in files)


def check_loaded(loaded: Iterable[Loaded], workers: int, stop: Stop, elsewhere: Elsewhere) -> Iterator[out.CheckEvent]:
    """Check what has been read, with the mechanisms that are pending there; comments as in `check_chosen`."""
    with _check(workers, stop, elsewhere) as check:
        yield from check.part(loaded)


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
        loaded: Loaded = load_text(path, raw, by_file.of_file(path))
    except ConfigError as error:
        loaded = out.CheckError(error.file, error.line, error.message)
    with _check(by_file.base.jobs, stop) as check:
        if choices and isinstance(loaded, LoadedFile):
            yield from check.part([chosen_of(loaded, choices)])
        else:
            yield from check.all([loaded])


@contextmanager
def _check(
    workers: int,
    stop: Stop | None = None,
    elsewhere: Elsewhere | None = None,
    *,
    lowering: bool = False,
    expecting: bool = False,
) -> Iterator[_Check]:
    """A check, and the end of its processes. lowering: as for `Readers`. expecting: the pool may begin early."""
    pool = PoolAhead()
    with pool, Readers(workers, lowering=lowering, expect=pool.expect if expecting else None) as readers:
        yield _Check(workers, stop, elsewhere or Elsewhere(), pool, readers)


@dataclass(frozen=True, slots=True)
class _Check:
    """Who does a check, and what has been seen in it: so many processes of this machine audit, unless others do."""

    workers: int
    stop: Stop | None
    elsewhere: Elsewhere
    pool: PoolAhead
    readers: Readers
    silencing: Silencing = field(default_factory=Silencing)
    callers: Callers = field(default_factory=Callers)

    def all(self, loaded_files: Iterable[Loaded]) -> Iterator[out.CheckEvent]:
        """Everything, and then the comments that silence nothing."""
        mechanisms = yield from self.part(loaded_files)
        yield from self.silencing.useless(mechanisms)

    def shard(
        self, loaded_files: Iterable[Loaded], shard: out.Shard, costs: Mapping[str, float]
    ) -> Iterator[out.CheckEvent]:
        """What this shard has of everything."""
        pending: list[Pending] = []
        loaded = list(loaded_files)
        found = list(self._read(loaded, pending))
        files = [one for one in loaded if isinstance(one, LoadedFile)]
        deal = Deal(shard, pending, files, costs, self.elsewhere.cache, partial(self._known, pending))
        yield from filter(deal.has, found)
        yield out.Plan(tuple(one.mechanism for one in deal.own), deal.dealt)
        yield from self._audit(deal.own)
        yield from filter(deal.has, self.silencing.useless([one.mechanism for one in pending]))

    def part(self, loaded_files: Iterable[Loaded]) -> Generator[out.CheckEvent, None, list[Mechanism]]:
        """Read, plan and audit; the mechanisms of the plan."""
        if self.elsewhere.cluster is not None:
            return (yield from self._on_cluster(self._by_file(loaded_files), self.elsewhere.cluster))
        pending: list[Pending] = []
        fixes: list[out.Finding] = []
        for event in with_old_ones_together(self._read(loaded_files, pending)):
            if isinstance(event, out.Finding) and event.fix is not None:
                fixes.append(event)
            yield event
        mechanisms = [one.mechanism for one in pending]
        yield out.Plan(tuple(mechanisms))
        yield from self._audit(pending, fixes)
        return mechanisms

    def _read(self, loaded_files: Iterable[Loaded], pending: list[Pending]) -> Iterator[out.CheckEvent]:
        """What is found by reading; what is to be audited is added to `pending`."""
        for loaded in loaded_files:
            if isinstance(loaded, out.CheckError):
                yield loaded
                continue
            self.silencing.enter(loaded)
            yield from loaded.errors
            for finding in loaded.findings:
                yield self.silencing.finding(finding, loaded.settings)
            if not loaded.settings.static_only:
                pending += loaded.pending

    def _audit(self, pending: Sequence[Pending], fixes: Sequence[out.Finding] = ()) -> Iterator[out.CheckEvent]:
        """Answer what is known, and audit the rest. All have been read. fixes: findings of rules that have one."""
        if self.elsewhere.cluster is not None:
            yield from self._on_cluster([([], pending)], self.elsewhere.cluster)
            return
        results: list[out.Result] = []
        for event in self._audited_here(pending):
            results += [event] if isinstance(event, out.Result) else []
            yield event
        keys = MechanismKeys()  # anew, as files may have changed meanwhile
        found: dict[str, tuple[out.Repair, ...]] = {}

        def place(one: Pending) -> Resumed:
            return self._resumed(self._job(one), one, keys)

        for one in repaired(results, pending, fixes, place, self.workers, self.stop, self.pool):
            if isinstance(one, out.Repaired):
                found[one.mechanism.name] = one.repairs
            yield one
        settings = {one.mechanism.name: one.settings for one in pending}
        for result in results:
            mechanism, name = result.mechanism, result.mechanism.name
            if (spare := spare_noise(mechanism, result.outcome, found.get(name, ()), settings[name])) is not None:
                yield self.silencing.finding(spare, settings[name])

    def _audited_here(self, pending: Sequence[Pending]) -> Iterator[out.CheckEvent]:
        open_jobs: list[Opened] = []
        yield from self._answered(pending, MechanismKeys(), open_jobs)
        if not open_jobs:
            return
        pool = self.pool.begin()  # it loads while the programs are read, at the latest
        jobs: list[Opened] = []
        by_file = (list(group) for _, group in groupby(open_jobs, key=lambda item: item[0].mechanism.path))
        for one, resumed, lower in filter(None, self._lowering(by_file)):
            job = _lowered(lower, resumed.job)
            if job is None:
                yield self.silencing.result(out.Result(one.mechanism, _CHANGED), one.settings)
            else:
                jobs.append((one, replace(resumed, job=job)))
        with closing(run_jobs([resumed.job for _, resumed in jobs], self.workers, self.stop, pool)) as messages:
            for message in messages:
                yield from self._heard(message, *jobs[message.job])

    def _known(self, pending: Sequence[Pending]) -> list[str]:
        """The names of the mechanisms whose results are known."""
        cluster = self.elsewhere.cluster
        keys = MechanismKeys(None if cluster is None else cluster.environment)
        jobs = [(one, self._job(one)) for one in pending if one.settings.cache]
        cache = self.elsewhere.cache
        return [one.mechanism.name for one, job in jobs if answer(resume(job, keys, cache), job.settings)]

    def _job(self, one: Pending) -> AuditJob:
        """The job of a mechanism, without its program."""
        return AuditJob(
            mechanism=self.callers.asked(one.mechanism, one.text),
            program=Unsupported("what has not been read yet", one.mechanism.span),
            settings=audit_settings(one.settings, one.mechanism),
            source_text=one.text,
        )

    def _resumed(self, job: AuditJob, one: Pending, keys: MechanismKeys) -> Resumed:
        """The job with what an earlier pass has left."""
        return resume(job, keys, self.elsewhere.cache) if one.settings.cache else Resumed(job)

    def _answered(
        self, pending: Sequence[Pending], keys: MechanismKeys, open_jobs: list[Opened]
    ) -> Iterator[out.CheckEvent]:
        """The results that are known; what is not is added to `open_jobs`."""
        for one in pending:
            job = self._job(one)
            resumed = self._resumed(job, one, keys)
            known = answer(resumed, job.settings)
            again = to_check(resumed, known)
            if known is None or again is not None:
                open_jobs.append((one, again or resumed))
            else:
                yield from self._judged(out.Result(job.mechanism, known, cached=True), one.settings)

    def _lowering(self, files: Iterable[Sequence[Opened]]) -> Iterator[tuple[Pending, Resumed, Lowering] | None]:
        """The jobs of each file with what is called for their programs, which may have been begun; None after each."""
        ahead: deque[tuple[Pending, Resumed, Lowering]] = deque()
        for of_file in files:
            lowering = self.readers.lower([one.lower for one, _ in of_file])
            ahead.extend((one, resumed, lower) for (one, resumed), lower in zip(of_file, lowering, strict=True))
            while len(ahead) > self.readers.ahead:
                yield ahead.popleft()
            yield None
        yield from ahead

    def _by_file(self, loaded_files: Iterable[Loaded]) -> Iterator[tuple[list[out.CheckEvent], list[Pending]]]:
        """File by file, what is found by reading it, with its plan, and what is to be audited."""
        planned = False
        for loaded in loaded_files:
            pending: list[Pending] = []
            found = list(self._read([loaded], pending))
            if pending:
                found.append(out.Plan(tuple(one.mechanism for one in pending)))
                planned = True
            yield found, pending
        if not planned:
            yield [out.Plan(())], []

    def _on_cluster(
        self, files: Iterable[tuple[Sequence[out.CheckEvent], Sequence[Pending]]], cluster: Cluster
    ) -> Generator[out.CheckEvent, None, list[Mechanism]]:
        """Have audited what has been read while the rest is; all mechanisms. files: what is told of each, its own."""
        keys = MechanismKeys(cluster.environment)
        told: deque[out.CheckEvent] = deque()
        jobs: list[Opened] = []
        mechanisms: list[Mechanism] = []

        def open_jobs() -> Iterator[list[Opened]]:
            for found, pending in files:
                told.extend(found)
                mechanisms.extend(one.mechanism for one in pending)
                of_file: list[Opened] = []
                told.extend(self._answered(pending, keys, of_file))
                yield of_file

        def sent() -> Iterator[Sent | None]:
            for item in self._lowering(open_jobs()):
                if item is None:
                    yield None
                    continue
                one, resumed, lower = item
                # What is kept of a job until it has ended: not its tree, and not its program.
                jobs.append((replace(one, lower=_let_go), resumed))
                yield _bundled(lower, resumed.job, keys, self.stop)

        with closing(cluster.run(sent(), self.stop)) as messages:
            for message in messages:
                while told:
                    yield told.popleft()
                if message is not None:
                    yield from self._heard(message, *jobs[message.job])
        yield from told
        return mechanisms

    def _heard(self, message: Message, one: Pending, resumed: Resumed) -> Iterator[out.CheckEvent]:
        if isinstance(message.body, Tick):
            tick = message.body
            yield out.Progress(one.mechanism, tick.phase, tick.done, tick.total, tick.standing)
        else:
            outcome = finish(resumed, message.body)
            result = out.Result(resumed.job.mechanism, outcome, cached=is_checked_again(outcome))
            yield from self._judged(result, one.settings)

    def _judged(self, result: out.Result, settings: Settings) -> Iterator[out.CheckEvent]:
        """A result as it counts, and that it is no proof where the settings ask for one."""
        yield self.silencing.result(result, settings)
        missing = unproved(result.mechanism, result.outcome, settings)
        if missing is not None:
            yield self.silencing.finding(missing, settings)


def _lowered(lower: Lowering, job: AuditJob) -> AuditJob | None:
    """The job with its program; None if the mechanism is not in its file any more."""
    target = lower()
    return None if target is None else replace(job, program=target.program, lowered=target.lowered)


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
