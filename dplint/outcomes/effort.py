"""What an audit cost and covered, and what it would have found.

Which branches of data the inputs of an audit or a search have gone through.

What watched runs on the two inputs of a violation have shown of its cause. No part of the evidence.

What pairs have shown of a function without noise: a claim of stability refuted, or not refuted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from dplint.claims import Literal, Mechanism, Metric, Span, Stability
from dplint.outcomes.proof import Scope


class Taken(StrEnum):
    """Which ways data went at a branch."""

    BOTH = "both ways"
    ONLY_TRUE = "only where it is true"
    ONLY_FALSE = "only where it is false"
    NEVER = "never reached"


_MEETS = 1e-9
"""Relative: a distance of floats that says the same as what is paid for."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputPair:
    """Two neighbouring inputs and what the function makes of them, without noise.

    distance: of the outputs, infinite where they have no finite one: other lengths, a missing number, an exception.
    output1, output2: as text, cut if long. differences: what differs, a line each, a few of them. d1, d2: as in a
    `Witness`.
    """

    d1: Literal
    d2: Literal
    arguments: tuple[Argument, ...]
    output1: str
    output2: str
    distance: float
    differences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unstable:
    """A pair refutes the claim: for certain, as both outputs came again, or of a function that draws by many runs.

    d_out: what the claim allows with these arguments. probability: of a function that draws, a lower bound for that of
    outputs further apart than that, however those of both sides are drawn together; at the level `effort.alpha`.
    """

    pair: OutputPair
    stability: Stability
    d_out: float
    effort: Effort
    probability: float = 1.0
    code: str = "DP913"


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRefuted:
    """No pair that was tried refutes the claim. This never means that the function is stable.

    furthest: the pair whose outputs are furthest apart; None where all outputs were the same. d_out: the least that the
    claim allows with the arguments of that pair; None where nothing is claimed. skipped: lines of the function that no
    run came to. within: where nothing is claimed, of a proof that no outputs are further apart than those.
    """

    furthest: OutputPair | None
    stability: Stability
    d_out: float | None
    effort: Effort
    skipped: tuple[SkippedLine, ...] = field(default=())
    within: Scope | None = None

    def beyond(self, paid: float | None) -> bool:
        """Whether a pair moves a number further than noise pays for; paid: how far that is, None if it is not known."""
        pair = self.furthest
        if paid is None or pair is None or self.stability.metric is not Metric.ABSOLUTE:
            return False
        return pair.distance > paid * (1 + _MEETS)


@dataclass(frozen=True, slots=True)
class StepSpend:
    """What one step spends on a pair, and all of them together.

    apart: how far what is released is apart, in standard deviations of its noise on D2: the mu of a step if `ratio` is
    1. Infinite where no noise hides which of the two it is. ratio: how many times as wide the noise is on D1. dims:
    numbers that were compared, those that follow from others not counted. epsilon: a lower bound of what all steps
    spend with this delta; claimed: what the claim allows with it.
    """

    apart: float
    ratio: float
    dims: int
    sample_rate: float
    steps: int
    epsilon: float
    delta: float
    claimed: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Overspent(Unstable):
    """A pair refutes the claim of a training: its steps spend more than that allows.

    pair.distance, d_out: how far what a step releases is apart, and from where on the claim is known not to hold, both
    in standard deviations of the noise. It rests on runs with given noise, on which all that is compared was found to
    be a constant and a sum of normal draws.
    """

    spend: StepSpend
    code: str = "DP915"


@dataclass(frozen=True, slots=True, kw_only=True)
class NotOverspent(NotRefuted):
    """No pair that was tried refutes the claim of a training. This never means that it is kept.

    spend: of the furthest pair; None where no pair moves what is released.
    """

    spend: StepSpend | None


@dataclass(frozen=True, slots=True)
class LineSensitivity:
    """How far neighbours move a value in the middle of a function.

    name: of the variable, or the expression that noise is added to. span: of the statement, or of the draw. pays: how
    far the noise lets it be moved for all of the claimed epsilon; None where there is none, or it is not known.
    """

    name: str
    span: Span
    found: NotRefuted
    pays: float | None

    @property
    def too_far(self) -> bool:
        """Whether a pair moves it further than its noise pays for."""
        return self.found.beyond(self.pays)


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How far data move what a function returns, from below; no bound for pairs that were not tried, but by a proof.

    lines: the same of values in the middle, where that was asked for.
    """

    mechanism: Mechanism
    found: NotRefuted
    lines: tuple[LineSensitivity, ...] = ()

    @property
    def refutes(self) -> bool:
        """Nothing is claimed."""
        return False
