"""Audits go on where earlier ones of the same source stopped: from the store into the job, and back when it is done."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from dplint import __version__
from dplint.audit.job import STATE_FORMAT, AuditJob, AuditState, seed_of
from dplint.check.origins import Origins
from dplint.config import find_pyproject
from dplint.outcomes import Curve, NoViolation, Outcome, Untestable, Violation
from dplint.store import Entry, Plain, Store, StoreProblem
from dplint.workers.messages import Done

_VIOLATION = "violation"
_NO_VIOLATION = "no-violation"


@dataclass(frozen=True, slots=True)
class Resumed:
    """A job that goes on from an entry, if there is one. store: where its own entry goes, None if it is not kept.

    notes: what a reader must know about the cache.
    """

    job: AuditJob
    store: Store | None = None
    entry: Entry | None = None
    notes: tuple[str, ...] = ()

    @property
    def known_runs(self) -> int | None:
        """Within how many runs an earlier pass found a violation, None if none did."""
        return self.entry.runs if self.entry is not None and self.entry.verdict == _VIOLATION else None


def resume(job: AuditJob, origins: Origins) -> Resumed:
    """The job with what an earlier pass has left, and, after a violation, with as many runs as that took.

    Only the anytime test goes on, and only in a project with a pyproject.toml.
    """
    pyproject = find_pyproject(Path(job.mechanism.path).parent)
    if pyproject is None or job.settings.method != "anytime":
        return Resumed(job)
    try:
        store = _store(job, pyproject.parent, origins)
    except OSError:  # the file is gone, as the audit will say
        return Resumed(job)
    try:
        entry = store.load()
    except StoreProblem as problem:
        return Resumed(job, store, notes=(str(problem),))
    if entry is None:
        return Resumed(job, store)
    resumed = Resumed(replace(job, state=entry.state), store, entry)
    if resumed.known_runs is None:
        return resumed
    runs = max(resumed.known_runs, job.settings.max_runs or 0)
    settings = replace(job.settings, budget=job.settings.time_limit, max_runs=runs)
    return replace(resumed, job=replace(resumed.job, settings=settings))


def finish(resumed: Resumed, done: Done) -> Outcome:
    """Keep what the audit has learnt; its outcome, with notes where something about the cache went wrong.

    An audit that failed leaves the entry as it was.
    """
    outcome = done.result
    assert not isinstance(outcome, Curve)
    notes = list(resumed.notes)
    entry = _entry(resumed, outcome, done.state)
    if resumed.store is not None and entry is not None:
        try:
            resumed.store.save(entry)
        except StoreProblem as problem:
            notes.append(str(problem))
    if resumed.known_runs is not None and isinstance(outcome, NoViolation):
        notes.append(
            f"an earlier check of the same source found a violation within {resumed.known_runs:,} runs, and this one "
            "ended without finding it again: do not rely on it"
        )
    if not notes or isinstance(outcome, Untestable):
        return outcome
    return replace(outcome, effort=replace(outcome.effort, notes=(*outcome.effort.notes, *notes)))


def _entry(resumed: Resumed, outcome: Outcome, state: AuditState | None) -> Entry | None:
    """What to keep, None for nothing new. A violation that was found once stays known."""
    match outcome:
        case Violation():
            # Without a state of its own the next pass begins where this one did, and makes the same runs again.
            return Entry(_VIOLATION, outcome.effort.runs, resumed.job.state if state is None else state)
        case NoViolation() if state is not None:
            if resumed.known_runs is not None:
                return Entry(_VIOLATION, resumed.known_runs, state)
            return Entry(_NO_VIOLATION, outcome.effort.runs, state)
        case _:
            return None


def _store(job: AuditJob, root: Path, origins: Origins) -> Store:
    """The slot is that of the function under these settings, the stamp that of what it is made of."""
    mechanism, settings = job.mechanism, job.settings
    seed = seed_of(mechanism, settings)
    usual = seed == seed_of(mechanism, replace(settings, seed=None))
    slot: dict[str, Plain] = {
        "file": Path(mechanism.path).relative_to(root).as_posix(),
        "function": mechanism.qualname,
        "alpha": settings.alpha,
        "epsilons": list(settings.epsilons),
        "seed": None if usual else seed,
        "method": settings.method,
        "solver": settings.use_solver,
    }
    stamp: dict[str, Plain] = {
        "dplint": __version__,
        "format": STATE_FORMAT,
        "mechanism": mechanism.digest,
        "origin": origins.digest(mechanism, settings.interpreter, job.source_text),
    }
    return Store(root, slot, stamp)
