"""What watched runs on the two inputs of a violation have shown of its cause. No part of the evidence."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line of the mechanism's file that none of the runs took.

    below: how many lines below the function's name it stands, negative above. text: what stands there, without the
    white space around it: where the file has changed since, the two no longer fit, and nothing is known.
    """

    below: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedRuns:
    """skipped: lines that no run on D1 or D2 took, while some run on D1 had the event; empty if none is known.

    crash: on one side every run raised an exception, and on the other none did.
    """

    skipped: tuple[SkippedLine, ...] = ()
    crash: bool = False
