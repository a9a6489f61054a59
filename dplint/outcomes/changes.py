"""What a change does to mechanisms: each as it was and as it is."""

from __future__ import annotations

from dataclasses import dataclass

from dplint.claims import Mechanism
from dplint.outcomes.verdicts import Outcome


@dataclass(frozen=True, slots=True)
class Side:
    """A mechanism at one time. outcome: None where nothing was run. silenced: nobody is told of its violation."""

    mechanism: Mechanism
    outcome: Outcome | None = None
    silenced: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """One mechanism before and after; None where there was none.

    source: whether what it is made of differs, its claim and name set aside. through: other files of the project by
    which it does. still_there: a function of its name is there, without a claim that can be tested.
    unread: its file could not be read before, so that nobody knows whether it is new.
    """

    before: Side | None
    after: Side | None
    source: bool = False
    through: tuple[str, ...] = ()
    still_there: bool = False
    unread: bool = False


@dataclass(frozen=True, slots=True)
class Changes:
    """All that differs from a commit, by file and line. name: what the user calls it. mechanisms: how many there are.

    unchanged ones are not in `changes`. worse_findings: error-level findings that were not there before.
    """

    name: str
    commit: str
    mechanisms: int
    changes: tuple[Change, ...]
    worse_findings: int = 0
