"""What is known of one mechanism of an open document, and what is being done about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import accumulate

from dplint import outcomes as out
from dplint.check.assigned import Assigned, Moved
from dplint.claims import Span
from dplint.jobs import AuditState
from dplint.workers.messages import Tick

DEEPER = (4.0, 15.0, 60.0)
"""Seconds of the passes after the quick one, each while nobody types."""
_MOST_BOUNDS = 2000
"""Bounds on the way that are remembered; ten come in a second."""


class Phase(StrEnum):
    """What is being done."""

    IDLE = "idle"
    WAITING = "waiting"
    TESTING = "testing"
    STOPPED = "stopped"


def passes_in(seconds: float) -> int:
    """How many passes an effort in earlier sessions amounts to, one at least."""
    return 1 + sum(seconds >= total for total in accumulate(DEEPER))


@dataclass(frozen=True, slots=True)
class Bound:
    """After so many runs, epsilon is at least `lower` where the claim says `claimed`."""

    runs: int
    claimed: float
    lower: float


def _down(span: Span, lines: int) -> Span:
    return replace(span, line=span.line + lines, end_line=span.end_line + lines)


def runs_of(outcome: out.Outcome) -> int:
    """All runs that an outcome rests on, those of earlier passes among them."""
    if isinstance(outcome, out.Untestable):
        return 0
    return outcome.effort.runs + outcome.effort.earlier_runs


@dataclass(slots=True, eq=False)
class MechanismState:
    """One mechanism with one source.

    source_key: of what it is made of in its file. mechanism_key: of that and of all that it imports, once an audit was
    prepared. import_key: of what the import of its module may hang on. outcome: the best answer so far. older: the last
    answer on an earlier version of the source, None if there is one on this. passes: how many were made. audit_state:
    what the next pass goes on from where there is no store. by_source: what was computed without a run. growth: how the
    bound for epsilon has grown, as far as this server has seen it. unsaved: the path of a file that it imports and
    that must be saved before it can be run. repairs: of the outcome, None while nobody has looked for some;
    repaired_at: the line of the function's name then. lines: those that are still to be asked how far neighbours move
    them, None while nobody has looked for some; moved: what is known of the others; lined_at: as repaired_at.
    """

    source_key: str
    outcome: out.Outcome | None = None
    older: out.Outcome | None = None
    mechanism_key: str | None = None
    import_key: str | None = None
    passes: int = 0
    phase: Phase = Phase.IDLE
    tick: Tick | None = None
    audit_state: AuditState | None = None
    by_source: out.BySource | None = None
    growth: list[Bound] = field(default_factory=list)
    unsaved: str = ""
    repairs: tuple[out.Repair, ...] | None = None
    repaired_at: int = 0
    lines: list[Assigned] | None = None
    moved: list[Moved] = field(default_factory=list)
    lined_at: int = 0

    def repairs_at(self, line: int) -> tuple[out.Repair, ...]:
        """The repairs where the function's name now stands in this line. They change the function alone."""
        down = line - self.repaired_at
        return tuple(
            replace(one, edits=tuple(replace(edit, span=_down(edit.span, down)) for edit in one.edits))
            for one in self.repairs or ()
        )

    def moved_at(self, line: int) -> Iterator[tuple[Span, out.NotRefuted]]:
        """What is known of lines, where the function's name now stands in this line."""
        return ((_down(one.assigned.span, line - self.lined_at), one.found) for one in self.moved)

    def hear(self, tick: Tick) -> None:
        """The audit in hand has come so far."""
        self.phase, self.tick = Phase.TESTING, tick
        standing = tick.standing
        if standing is None or len(self.growth) >= _MOST_BOUNDS:
            return
        runs = tick.done + (0 if self.outcome is None else runs_of(self.outcome))
        self.growth.append(Bound(runs, standing.epsilon, standing.lower))

    @property
    def busy(self) -> bool:
        """Whether an audit of it waits or runs."""
        return self.phase in (Phase.WAITING, Phase.TESTING)

    @property
    def cannot_be_imported(self) -> bool:
        """Whether its module or its interpreter has failed, which it does again as long as these are what they are."""
        return isinstance(self.outcome, out.Failed) and self.outcome.scope is not out.FailureScope.MECHANISM

    def imported_as(self, other: MechanismState) -> bool:
        """Whether the import of another one's module would be that of its own."""
        return self is not other and self.import_key is not None and self.import_key == other.import_key

    @property
    def untried(self) -> bool:
        """Whether no test of it has come to its end, nor was stopped by the user."""
        return self.passes == 0 and self.phase is Phase.IDLE

    @property
    def had_little_time(self) -> bool:
        """Whether its passes have had too little time to tell, and longer ones may follow."""
        return isinstance(self.outcome, out.Underpowered) and self._goes_on

    @property
    def may_deepen(self) -> bool:
        """Whether another pass, longer than the last one, may find what the others have not."""
        return self.phase is Phase.IDLE and self._goes_on

    @property
    def _goes_on(self) -> bool:
        """Whether there is a longer pass than the last one, and something to do in it."""
        found = self.outcome
        too_slow = isinstance(found, out.Failed) and found.kind is out.FailureKind.BUDGET
        open_end = (
            isinstance(found, out.NoViolation | out.Underpowered)
            and found.effort.stop is not out.StopReason.NOTHING_LEFT
        )
        return (too_slow or open_end) and 1 <= self.passes <= len(DEEPER)

    @property
    def unconfirmed(self) -> out.Unconfirmed | None:
        """What speaks against the claim by the source alone, as long as no test has come to an answer."""
        return None if self.shown_by_source is None else self.shown_by_source.against

    @property
    def shown_by_source(self) -> out.BySource | None:
        """What was computed without a run, where no test has come to an answer that says the same or more."""
        undecided = self.outcome is None or isinstance(self.outcome, out.Failed | out.Untestable)
        return self.by_source if undecided else None

    def take(self, outcome: out.Outcome, state: AuditState | None) -> None:
        """The answer of a pass that has ended."""
        cancelled = isinstance(outcome, out.Failed) and outcome.kind is out.FailureKind.CANCELLED
        self.phase = Phase.STOPPED if cancelled else Phase.IDLE
        self.tick = None
        if cancelled:
            return
        cut_short = (
            isinstance(outcome, out.NoViolation | out.Underpowered) and outcome.effort.stop is out.StopReason.CANCELLED
        )
        self.passes += not cut_short
        self.outcome, self.older = out.never_worse(self.outcome, outcome), None
        self.audit_state = state if state is not None else self.audit_state
