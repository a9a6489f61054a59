"""What an audit cost and covered, and what it would have found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dplint.claims import Literal
from dplint.outcomes.branch_cover import BranchCover


class StopReason(StrEnum):
    """Why an audit ended."""

    VIOLATION = "violation found"
    BUDGET = "the budget was used up"
    NOTHING_LEFT = "nothing was left to gain"
    TIME = "the time limit was reached"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Argument:
    """The value of one parameter and who chose it."""

    name: str
    value: Literal
    why: str
    """For instance "default", "fixed by the claim", "least noise", "10 of 10 comparisons differ"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedEpsilon:
    """One value of the claim that was tested: the claimed epsilon and delta, and what the final test said.

    parameters: those that the claim depends on, e.g. epsilon = 0.7. lower: lower bound for the loss of the chosen
    event, at the level of the audit, or for certain where the loss was computed. p_value: 1.0 where no event was worth
    a test, None where none was made. runs: on either side, for the chosen event; 0 where nothing was run.
    """

    epsilon: float
    delta: float
    parameters: tuple[Argument, ...]
    p_value: float | None
    lower: float
    runs: int
    rejected: bool
    log_e_value: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """What would have been found: against the claim of `claimed`, a loss of at least `epsilon`, with this probability.

    That is a loss by an event whose probability is at least `share` on the likelier side, on any one of the pairs. It
    takes for granted that the search proposes the event once it shows in the runs of that pair. left_out: values of the
    output that are not looked at one by one, so that it does not speak of events on them, in words; may be empty.
    """

    claimed: float
    epsilon: float
    share: float
    probability: float
    left_out: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """What an audit cost and covered. `runs` counts single executions.

    method: of the procedure that gave the verdict: "anytime", "statdp", "exact" or "proof". looks: how often the
    evidence was looked at. earlier_runs: those of the passes that this one went on from, not counted in `runs`. alpha:
    the level for the whole mechanism, 0 where nothing was left to chance. branches: those that hang on data alone, by
    the inputs whose losses were computed; empty where that was not asked for, or nothing was computed. forms: in which
    the data was given, in words; nothing of any other is known. Empty where the claim's own function makes it.
    """

    method: str = "statdp"
    looks: int = 1
    earlier_runs: int = 0
    runs: int = 0
    seconds: float = 0.0
    pairs: int = 0
    argument_choices: int = 0
    events: int = 0
    alpha: float = 0.001
    seed: int = 0
    stop: StopReason = StopReason.BUDGET
    notes: tuple[str, ...] = ()
    """What a reader must know, for instance that the mechanism was run as it is because a construct is Unsupported."""
    branches: tuple[BranchCover, ...] = ()
    forms: tuple[str, ...] = ()
