"""Who is told how far an audit is, and may ask it to end; and what ends it before it has an answer."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from dplint.outcomes import Standing


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
