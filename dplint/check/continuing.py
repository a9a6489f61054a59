"""Audits go on where earlier ones of the same source stopped: from the store into the job, and back when it is done.

Where the cache of a project lies, and that of files that are part of none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from dplint import __version__
from dplint import outcomes as out
from dplint.check.cells import moved
from dplint.check.mechanism_keys import MechanismKeys, Places
from dplint.claims import Numerics
from dplint.config import find_pyproject
from dplint.jobs import CHECKED_AGAIN, DROPPED, STATE_FORMAT, AuditJob, AuditSettings, AuditState, seed_of
from dplint.source.files import import_place, is_project
from dplint.store import Entry, EntryStore, Plain, SharedCache, Store, StoreProblem, outcome_document, read_outcome
from dplint.workers.installed import code_digest
from dplint.workers.messages import Done


def cache_root(path: Path) -> Path:
    """The folder that holds the cache for a file: that of its pyproject.toml, else of setup.cfg, setup.py or .git.

    All files that are part of no project share one in the user's folder for caches.
    """
    pyproject = find_pyproject(path.parent)
    if pyproject is not None:
        return pyproject.parent
    root = import_place(path.absolute()).project_root
    return root if is_project(root) else _of_user()


def is_in_project(path: Path) -> bool:
    """Whether a file has a project of its own, which holds its cache."""
    return find_pyproject(path.parent) is not None or is_project(import_place(path.absolute()).project_root)


def _of_user() -> Path:
    import platformdirs  # noqa: PLC0415 - files of no project are seldom checked

    return platformdirs.user_cache_path("dplint", appauthor=False)


_VIOLATION = "violation"
_NO_VIOLATION = "no-violation"
_UNDERPOWERED = "underpowered"
_PROVED = "proved"
_KINDS = {
    _VIOLATION: out.Violation,
    _NO_VIOLATION: out.NoViolation,
    _UNDERPOWERED: out.Underpowered,
    _PROVED: out.Proved,
}
FROM_CACHE = "from the cache: found out by an earlier check of the same source; nothing was run"


@dataclass(frozen=True, slots=True)
class Resumed:
    """A job that goes on from an entry, if there is one. store: where its own entry goes, None if it is not kept.

    notes: what a reader must know about the cache. places: where all stands that the mechanism is made of.
    """

    job: AuditJob
    store: EntryStore | None = None
    entry: Entry | None = None
    notes: tuple[str, ...] = ()
    places: Places | None = None

    @property
    def known_runs(self) -> int | None:
        """Within how many runs an earlier pass found a violation, None if none did."""
        return self.entry.runs if self.entry is not None and self.entry.verdict == _VIOLATION else None

    @property
    def spent(self) -> float:
        """Seconds of auditing in all earlier passes together."""
        return 0.0 if self.entry is None else self.entry.spent


def resume(job: AuditJob, keys: MechanismKeys, shared: SharedCache | None = None) -> Resumed:
    """The job with what an earlier pass has left, and, after a violation, with as many runs as that took.

    Only the anytime test goes on. Nothing is kept of a buffer that has never been saved. shared: a cache that takes
    the place of the project's own.
    """
    path = Path(job.mechanism.path)
    root = cache_root(path) if path.is_file() else None
    claim = job.mechanism.claim
    if root is None or job.settings.method != "anytime" or claim.stable is not None or claim.training is not None:
        return Resumed(job)
    try:
        own = _store(job, root, keys, shared=shared is not None)
        places = keys.places(job.mechanism, job.source_text)
    except OSError:  # the file is gone, as the audit will say
        return Resumed(job)
    store: EntryStore = own if shared is None else shared.store(own)
    try:
        entry = store.load()
    except StoreProblem as problem:
        return Resumed(job, store, notes=(str(problem),), places=places)
    if entry is None:
        return Resumed(job, store, places=places)
    resumed = Resumed(replace(job, state=entry.state), store, entry, places=places)
    if resumed.known_runs is None:
        return resumed
    runs = max(resumed.known_runs, job.settings.max_runs or 0)
    settings = replace(job.settings, budget=job.settings.time_limit, max_runs=runs)
    return replace(resumed, job=replace(resumed.job, settings=settings))


def known(resumed: Resumed) -> out.Outcome | None:
    """What an earlier pass has found out about the very same source and settings, with nothing run; None if none has.

    A violation that was found once is known from then on. `resumed.spent` tells what it cost.
    """
    entry = resumed.entry
    if entry is None or entry.outcome is None:
        return None
    outcome = read_outcome(entry.outcome)
    if type(outcome) is not _KINDS.get(entry.verdict):
        return None
    lines = {} if resumed.places is None else resumed.places.moved(entry.places)
    there: out.Outcome | None = moved(outcome, lines) if lines else outcome
    return there


def answer(resumed: Resumed, asked: AuditSettings) -> out.Outcome | None:
    """What is known, if this check would not look further than all earlier ones together; None if it would.

    asked: the settings of this check, before `resume` gave a known violation the runs that it takes.
    """
    outcome, entry = known(resumed), resumed.entry
    if outcome is None or entry is None:
        return None
    assert isinstance(outcome, out.Violation | out.Proved | out.NoViolation | out.Underpowered)
    proved = isinstance(outcome, out.Proved) and outcome.scope.settled
    if proved or (isinstance(outcome, out.Violation) and not asked.keep_going):
        return _from_cache(outcome)
    stop = outcome.effort.stop
    enough = entry.spent >= asked.budget if asked.max_runs is None else entry.runs >= asked.max_runs
    # After a time limit it is not the budget that was used up.
    enough = stop is out.StopReason.NOTHING_LEFT or (enough and stop is not out.StopReason.TIME)
    return _from_cache(outcome) if enough else None


def to_check(resumed: Resumed, answered: out.Outcome | None) -> Resumed | None:
    """The job in which the checker looks once more at a proof from the cache; None where the answer is none.

    Whoever could write into the cache, or whose version of dplint had a mistake, does not tell what is proved.
    """
    if not isinstance(answered, out.Proved):
        return None
    notes = tuple(note for note in answered.effort.notes if note != FROM_CACHE)
    return replace(
        resumed, job=replace(resumed.job, known=replace(answered, effort=replace(answered.effort, notes=notes)))
    )


def is_checked_again(outcome: out.Outcome) -> bool:
    """Whether it is a proof from the cache that the checker has found again."""
    return isinstance(outcome, out.Proved) and CHECKED_AGAIN in outcome.effort.notes


def _from_cache(outcome: out.Violation | out.Proved | out.NoViolation | out.Underpowered) -> out.Outcome:
    return replace(outcome, effort=replace(outcome.effort, notes=(*outcome.effort.notes, FROM_CACHE)))


def finish(resumed: Resumed, done: Done) -> out.Outcome:
    """Keep what the audit has learnt; its outcome, with notes where something about the cache went wrong.

    An audit that failed leaves the entry as it was.
    """
    found = done.result
    assert not isinstance(found, out.Answer | out.Distributions | out.BySource)
    if is_checked_again(found):
        return found
    if not isinstance(found, out.Untestable) and DROPPED in found.effort.notes:
        resumed = replace(resumed, entry=None)
    outcome = out.together(known(resumed), found)
    notes = list(resumed.notes)
    entry = _entry(resumed, outcome, done.state, 0.0 if isinstance(found, out.Untestable) else found.effort.seconds)
    if resumed.store is not None and entry is not None:
        try:
            resumed.store.save(entry)
        except StoreProblem as problem:
            notes += [str(problem)] * (str(problem) not in notes)
    if resumed.known_runs is not None and isinstance(outcome, out.NoViolation | out.Underpowered | out.Proved):
        notes.append(
            f"an earlier check of the same source found a violation within {resumed.known_runs:,} runs, and this one "
            "ended without finding it again: do not rely on it"
        )
    if not notes or isinstance(outcome, out.Untestable):
        return outcome
    return replace(outcome, effort=replace(outcome.effort, notes=(*outcome.effort.notes, *notes)))


def _entry(resumed: Resumed, outcome: out.Outcome, state: AuditState | None, seconds: float) -> Entry | None:
    """What to keep, None for nothing new. A violation that was found once stays known. seconds: what this pass took."""
    before, known_runs = known(resumed), resumed.known_runs
    document = None if before is None else _document(before)
    # Without a state of its own the next pass begins where this one did, and makes the same runs again.
    next_state = resumed.job.state if state is None else state
    match outcome:
        case out.Violation():
            verdict, runs, document = _VIOLATION, outcome.effort.runs, _document(outcome)
        case out.NoViolation() | out.Underpowered() if state is None:
            return None
        case out.Proved() | out.NoViolation() | out.Underpowered() if known_runs is not None:
            verdict, runs = _VIOLATION, known_runs
        case out.Proved():
            verdict, runs, document = _PROVED, outcome.effort.runs, _document(outcome)
        case out.NoViolation() | out.Underpowered():
            verdict = _NO_VIOLATION if isinstance(outcome, out.NoViolation) else _UNDERPOWERED
            runs = outcome.effort.runs + outcome.effort.earlier_runs
            # One that was cancelled says less than the one before.
            document = document if outcome.effort.stop is out.StopReason.CANCELLED else _document(outcome)
        case _:
            return None
    places = None if resumed.places is None or document is None else resumed.places.document()
    return Entry(verdict, runs, next_state, document, resumed.spent + seconds, places)


def _document(outcome: out.Outcome) -> list[object] | None:
    """The outcome to keep; None for what JSON cannot hold, as a NaN in the data of a user's own pairs."""
    try:
        return outcome_document(outcome)
    except ValueError:
        return None


def _store(job: AuditJob, root: Path, keys: MechanismKeys, *, shared: bool) -> Store:
    """The slot is that of the function under these settings, the cache key that of what it is made of.

    Machines that share a cache may have different code of dplint under one version number.
    """
    mechanism, settings = job.mechanism, job.settings
    seed = seed_of(mechanism, settings)
    usual = seed == seed_of(mechanism, replace(settings, seed=None))
    slot: dict[str, Plain] = {
        "file": _named(Path(mechanism.path), root),
        "function": mechanism.qualname,
        "alpha": settings.alpha,
        "epsilons": list(settings.epsilons),
        "seed": None if usual else seed,
        "method": settings.method,
        "solver": settings.use_solver,
    }
    if settings.numerics is not Numerics.REAL:
        slot["numerics"] = settings.numerics.value
    cache_key: dict[str, Plain] = {
        "dplint": __version__,
        "format": STATE_FORMAT,
        "mechanism": mechanism.digest,
        "mechanism_key": keys.digest(mechanism, settings.interpreter, job.source_text),
    }
    if mechanism.passed.annotations or mechanism.called:
        cache_key["passed"] = f"{mechanism.passed!r}{mechanism.called or ''}"
    if mechanism.receiver is not None and (mechanism.receiver.given or mechanism.receiver.preparations):
        cache_key["made"] = mechanism.receiver.words
    if shared:
        cache_key["code"] = code_digest()
    return Store(root, slot, cache_key)


def _named(path: Path, root: Path) -> str:
    """The file as its project has it; in the user's cache files of no project are told apart by their whole paths."""
    return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()
