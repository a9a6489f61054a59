"""Which branches of data the inputs of an audit or a search have gone through."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Taken(StrEnum):
    """Which ways data went at a branch."""

    BOTH = "both ways"
    ONLY_TRUE = "only where it is true"
    ONLY_FALSE = "only where it is false"
    NEVER = "never reached"


@dataclass(frozen=True, slots=True)
class BranchCover:
    """What is known of a branch that hangs on the data and on no noise.

    line, file: its place, as in `Span`. taken: by the inputs that were computed, in runs without noise. told_apart:
    whether the two sides of some pair went different ways. impossible: ways that no data of the claim goes, says z3.
    """

    line: int
    file: str
    taken: Taken
    told_apart: bool
    impossible: tuple[bool, ...] = ()
