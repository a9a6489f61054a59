"""What an audit has spent and tried so far, whichever procedures it was."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dplint.outcomes import Argument, BranchCover


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
