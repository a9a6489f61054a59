"""Who is told how far an audit is, and may ask it to end; and what ends it before it has an answer.

What an audit has spent and tried so far, whichever procedures it was.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

from dplint.outcomes import Argument, BranchCover, Standing


class OutOfTime(Exception):
    """No time is left for this mechanism, for the reason given."""


class Cancelled(Exception):
    """Somebody asked the audit to end; what is known so far is its outcome."""


class NothingToRun(Exception):
    """No input could be made, for the reason given."""


class Progress(Protocol):
    """Called with the phase in words, the runs done, the runs planned and, where there is one, the standing so far."""

    def __call__(self, phase: str, done: int, total: int, standing: Standing | None = None) -> None:
        """Take note of it; three arguments say nothing of the standing."""


@runtime_checkable
class Cancellable(Protocol):
    """A progress that also knows whether somebody asked the audit to end."""

    @property
    def cancelled(self) -> bool:
        """True from the moment on that somebody asked."""


@dataclass
class Coverage:
    """For the effort that an outcome tells.

    runs: single executions. looks: how often the evidence was looked at. earlier_runs: those of the passes that this
    one goes on from. choices: the distinct choices of arguments. events: that were looked at. notes: what a reader must
    know. branches: of data, by the inputs that were computed. left_out: how many values of an output are not looked at
    one by one, and which, in words.
    """

    runs: int = 0
    looks: int = 0
    earlier_runs: int = 0
    choices: dict[str, tuple[Argument, ...]] = field(default_factory=dict)
    events: int = 0
    notes: list[str] = field(default_factory=list)
    branches: tuple[BranchCover, ...] = ()
    left_out: tuple[int, str] = (0, "")

    def copy(self) -> Coverage:
        """As it is now, whatever comes later."""
        return replace(self, choices=dict(self.choices), notes=list(self.notes))

    def note(self, *notes: str | None) -> None:
        """Keep what the reader has not been told yet."""
        self.notes += [note for note in dict.fromkeys(notes) if note and note not in self.notes]

    def choice(self, arguments: tuple[Argument, ...]) -> None:
        """A choice of arguments is tried."""
        self.choices.setdefault(repr([(a.name, a.value) for a in arguments]), arguments)
