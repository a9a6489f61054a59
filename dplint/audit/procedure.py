"""What a procedure is: one way to decide whether a claim holds, and what it hands on to those after it.

`procedures` asks them one after the other, cheapest first. They do not compete: one that cannot decide may know which
pair is worst, which output betrays it, or that the claim holds for short data, and the next ones go on from that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, TypeAlias, TypeVar

from dplint.audit.coupling import Coupling
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Pair
from dplint.events.conditions import Event
from dplint.jobs import Job
from dplint.outcomes import Argument, Failed, PairLoss, Proved, Untestable


class Needs(StrEnum):
    """What a procedure rests on. One whose needs cannot be met is left out."""

    NOTHING = "nothing"
    """The mechanism and its claim alone."""
    PROGRAM = "program"
    """The program that the function was lowered to; no process is started before the procedure asks for runs."""
    LOWERED = "lowered"
    """The same, be it with what is not understood in it."""
    LANES = "lanes"
    """Many runs at once of the function itself, rewritten, and some of them replayed through the function as it is."""
    RUNS = "runs"
    """Calls of the function: any Python code."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An input, and perhaps an event on it, that later procedures should try first.

    It may cost runs but never correctness: a suggestion is tried like anything else, on fresh runs, and one that the
    claim does not speak of is left out. pair: d1 is the side on which the event should be likelier. arguments: of
    other parameters, those of the claim among them; where it names none of these it is meant for every value of the
    claim, and parameters that it leaves open are chosen as usual. event: None to look for one. coupling: models of the
    two sides, where there are some, for bets on runs of the function beside them; its event is this one.
    """

    pair: Pair
    arguments: tuple[Argument, ...] = ()
    event: Event | None = None
    coupling: Coupling | None = None


Search: TypeAlias = Callable[[Setting, float], Sequence[Suggestion]]
"""Inputs that lose much at a value of the claim, after so many seconds of CPU time at most."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known so far, handed on from one procedure to the next.

    suggestions: in the order in which they should be tried. losses: of single pairs, computed from the program. proof:
    of the claim or of a part of it, by the program, where runs may still contradict it. search: looks for inputs that
    lose much, for bets that have stopped to grow. What comes of all this and an outcome is for `procedures.settled` to
    say.
    """

    suggestions: tuple[Suggestion, ...] = ()
    losses: tuple[PairLoss, ...] = ()
    proof: Proved | None = None
    search: Search | None = field(default=None, compare=False)

    def followed_by(self, more: Facts) -> Facts:
        """These and those of a later procedure, which knew of these: its proof takes the place of an earlier one."""
        return Facts(
            (*self.suggestions, *more.suggestions),
            (*self.losses, *more.losses),
            more.proof or self.proof,
            more.search or self.search,
        )

    @property
    def without_program(self) -> Facts:
        """What is left of them if the program is not the function: what to try, and nothing that is known."""
        return Facts(self.suggestions)


J_contra = TypeVar("J_contra", bound=Job, contravariant=True)
A_co = TypeVar("A_co", covariant=True)


class Procedure(Protocol[J_contra, A_co]):
    """One way to answer a job, for an audit by an Outcome."""

    @property
    def name(self) -> str:
        """What `Effort.method` calls it."""

    @property
    def phase(self) -> str:
        """What it does, in words for those who wait, e.g. "looking for a proof"."""

    @property
    def needs(self) -> Needs:
        """What there must be before it is asked."""

    @property
    def anytime(self) -> bool:
        """Whether it can end at any time with what it knows, and asks `session.check_cancelled` when it can.

        Any other is interrupted wherever it announces or makes runs, and says nothing then.
        """

    def decide(self, session: AuditSession, job: J_contra, facts: Facts) -> A_co | Untestable | Failed | Facts | None:
        """The answer to the job, which ends it; or facts for the next procedure; or None if there is nothing to say.

        It need not know how to begin or to fail: the module is imported, runs are on lanes or not as it needs, and
        RunnerError, NotOnLanes, NothingToRun, OutOfTime and Cancelled are for the caller to catch.
        """
