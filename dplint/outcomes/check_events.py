"""What a check yields, in the order in which it becomes known.

One of the parts that a check is dealt into, so that several machines share it.

What a change does to mechanisms: each as it was and as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from dplint.claims import Mechanism
from dplint.outcomes.findings import Finding, Repair, Severity
from dplint.outcomes.verdicts import Outcome


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `number` of `of`, counted from 1.

    Raises:
        ValueError: there is no such part.
    """

    number: int
    of: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.of:
            raise ValueError(f"there is no part {self.number} of {self.of}")

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


@dataclass(frozen=True, slots=True)
class Dealt:
    """What a shard is a part of.

    mechanisms: how many there are in all shards. digest: of them all, with their sources and what their audits depend
    on; shards of one check have the same.
    """

    shard: Shard
    mechanisms: int
    digest: str


@dataclass(frozen=True, slots=True)
class Result:
    """A mechanism and its outcome.

    severity: how a violation or an untestable mechanism counts where the settings say so, None for the usual. cached:
    an earlier check has found it out, and nothing was run. explained_by: findings that explain a violation, one for
    each cause and line, which are shown with it and not by themselves. same_causes: further findings that speak of
    these causes. repairs: edits under which the claim holds, the best first, as far as that is known.
    """

    mechanism: Mechanism
    outcome: Outcome
    severity: Severity | None = None
    cached: bool = False
    explained_by: tuple[Finding, ...] = ()
    same_causes: tuple[Finding, ...] = ()
    repairs: tuple[Repair, ...] = ()

    @property
    def explaining(self) -> tuple[Finding, ...]:
        """All findings that explain the violation, shown or not."""
        return (*self.explained_by, *self.same_causes)


@dataclass(frozen=True, slots=True)
class CheckError:
    """Something that could not be checked at all: an unreadable file, a wrong setting. line is None if unknown."""

    file: str
    line: int | None
    message: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What an audit knows so far: the best lower bound, the event that leads and its evidence.

    log_e_value: ln of the wealth that the bets against the claim have made; 1 / alpha of it is a violation. share:
    ln(wealth) / ln(1 / alpha), 0 if nothing speaks against the claim, 1 for a violation.
    """

    epsilon: float
    lower: float
    event: str
    log_e_value: float
    share: float


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the audit of one mechanism is. total is the number of runs that its present plan foresees."""

    mechanism: Mechanism
    phase: str
    done: int
    total: int
    standing: Standing | None = None


@dataclass(frozen=True, slots=True)
class Repaired:
    """The repairs of a mechanism, after its Result: a verdict does not wait for them.

    late: none were looked for, since the check had looked long enough for those of others.
    """

    mechanism: Mechanism
    repairs: tuple[Repair, ...]
    late: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """The mechanisms that will be audited, in the order found. dealt: of which check a shard this is, None for none."""

    mechanisms: tuple[Mechanism, ...]
    dealt: Dealt | None = None


class SilencedBy(StrEnum):
    """What keeps a finding or a verdict out of the report."""

    COMMENT = "comment"
    SETTINGS = "settings"
    BASELINE = "baseline"


@dataclass(frozen=True, slots=True)
class Silenced:
    """A finding or a verdict that is only counted, not reported: because of a comment `# dplint: ignore[...]`, ..."""

    item: Finding | Result
    by: SilencedBy = SilencedBy.COMMENT


CheckEvent: TypeAlias = Plan | Progress | Result | Repaired | Finding | Silenced | CheckError
"""What `check` yields, in the order in which it becomes known."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What a mechanism spends by the claims of those that it calls, as expressions over its parameters.

    claimed: its own epsilon. totals: what the ways through it spend, with their delta, each once; None where that is
    not known. whole: whether everything in it is understood. overspent: whether it is more than is claimed.
    """

    claimed: str
    totals: tuple[str, ...] | None
    whole: bool
    overspent: bool


@dataclass(frozen=True, slots=True)
class Side:
    """A mechanism at one time. outcome: None where nothing was run. silenced: nobody is told of its violation.

    spending: None if it calls no function with a claim, or its file cannot be read.
    """

    mechanism: Mechanism
    outcome: Outcome | None = None
    silenced: bool = False
    spending: Spending | None = None


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
