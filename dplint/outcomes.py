"""Outcomes: what is known about a mechanism after a check. Frozen, picklable data; `report` makes text of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from dplint.claims import Literal, Mechanism, Span


class Evidence(StrEnum):
    """How a verdict is known."""

    EXACT = "exact"
    SYMBOLIC = "symbolic"
    STATISTICAL = "statistical"


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
class Counterexample:
    """Two neighbouring inputs, arguments, and an event that is too much likelier on D1 than on D2.

    d1, d2: data of plain values; for custom pairs that hold other objects, their `repr`.
    event: a Python expression over `output`.
    p1, p2: estimates; interval1, interval2: Clopper-Pearson intervals, each at `confidence`.
    p_value: of the final test, two-sided correction included; log_e_value: None unless betting was used.
    epsilon_lower: lower bound for the loss that this event alone gives, at the level of the audit; None if not known.
    """

    d1: Literal
    d2: Literal
    arguments: tuple[Argument, ...]
    event: str
    count1: int
    count2: int
    runs1: int
    runs2: int
    p1: float
    p2: float
    interval1: tuple[float, float]
    interval2: tuple[float, float]
    confidence: float
    p_value: float | None
    log_e_value: float | None
    seed: int
    epsilon_lower: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """The counterexample's event counted anew on plain runs of the user's own function, `runs` on either side.

    agrees: whether both shares lie within the counterexample's intervals, widened for the number of runs.
    """

    count1: int
    count2: int
    runs: int
    agrees: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """What would have been found: against the claim of `claimed`, a loss of at least `epsilon`, with this probability.

    That is a loss by an event whose probability is at least `share` on the likelier side, on any one of the pairs. It
    takes for granted that the search proposes the event once it shows in the runs of that pair.
    """

    claimed: float
    epsilon: float
    share: float
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedEpsilon:
    """One value of the claim that was tested: the claimed epsilon and delta, and what the final test said.

    arguments: those that the claim depends on, e.g. epsilon = 0.7. lower: lower confidence bound for the loss of the
    chosen event. p_value: 1.0 where no event was worth a test.
    """

    epsilon: float
    delta: float
    parameters: tuple[Argument, ...]
    p_value: float
    lower: float
    runs: int
    rejected: bool
    log_e_value: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """What an audit cost and covered. `runs` counts single executions; `alpha` is the level for the whole mechanism.

    method: "anytime" or "statdp". looks: how often the evidence was looked at. earlier_runs: those of the passes
    that this one went on from, not counted in `runs`.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """The claim is refuted by the counterexample. epsilon_lower holds at `confidence`.

    counterexample: the simplest that suffices. strongest: the one with the highest lower bound, None if it is the same.
    """

    counterexample: Counterexample
    tested: tuple[TestedEpsilon, ...]
    epsilon_tested: float
    delta_tested: float
    epsilon_lower: float
    confidence: float
    evidence: Evidence
    effort: Effort
    strongest: Counterexample | None = None
    confirmation: Confirmation | None = None
    code: str = "DP901"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proved:
    """The claim holds for the inputs that `scope` names."""

    scope: str
    evidence: Evidence
    epsilon_upper: float
    effort: Effort


@dataclass(frozen=True, slots=True, kw_only=True)
class NoViolation:
    """Nothing was found with this effort. This never means that the mechanism is private."""

    tested: tuple[TestedEpsilon, ...]
    choices: tuple[tuple[Argument, ...], ...]
    """The distinct choices of arguments that were tried."""
    confidence: float
    effort: Effort
    power: Power | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Untestable:
    """The mechanism cannot be run or judged, for a reason that lies in what it is."""

    reason: str
    code: str = "DP904"


class FailureKind(StrEnum):
    """What went wrong in an audit that failed."""

    IMPORT = "import"
    DEADLINE = "deadline"
    BUDGET = "budget"
    CRASH = "crash"
    MEMORY = "memory"
    EFFECT = "effect"
    INPUT = "input"
    INTERNAL = "internal"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The audit could not be completed. `detail` is a traceback or the tail of what the process wrote, may be empty."""

    kind: FailureKind
    reason: str
    detail: str = ""
    effort: Effort = field(default_factory=Effort)
    code: str = "DP905"


Outcome: TypeAlias = Violation | Proved | NoViolation | Untestable | Failed


class Severity(StrEnum):
    """How a finding counts: an error makes the exit code 1."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Result:
    """A mechanism and its outcome.

    severity: how a violation or an untestable mechanism counts where the settings say so, None for the usual. cached:
    an earlier check has found it out, and nothing was run. explained_by: findings that explain a violation, which are
    shown with it and not by themselves.
    """

    mechanism: Mechanism
    outcome: Outcome
    severity: Severity | None = None
    cached: bool = False
    explained_by: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Edit:
    """New text for a range of the file that a finding is about."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """How a finding can be mended. edits do not overlap; safe: what the code means can only become what was meant."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that a finding or a verdict is about, in the same file, and what is to be seen there."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What a static rule reports, at a place in the source.

    raised: a warning that counts as an error since an audit has refuted the claim that it is about.
    """

    file: str
    span: Span
    function: str | None
    code: str
    severity: Severity
    message: str
    fix: Fix | None = None
    related: tuple[Related, ...] = ()
    raised: bool = False

    @property
    def fixable(self) -> bool:
        """Whether the finding can be mended automatically."""
        return self.fix is not None


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
class Plan:
    """First item of every check: the mechanisms that will be audited, in the order found."""

    mechanisms: tuple[Mechanism, ...]


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


CheckEvent: TypeAlias = Plan | Progress | Result | Finding | Silenced | CheckError
"""What `check` yields, in the order in which it becomes known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """One tested epsilon of a sweep. event and pair are those chosen for it, None if none was worth a test."""

    epsilon: float
    p_value: float
    lower: float
    rejected: bool
    d1: Literal
    d2: Literal
    arguments: tuple[Argument, ...]
    event: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveLine:
    """p-values of one mechanism, run with fixed claim parameters, against a range of tested epsilons.

    parameters: those that the claim depends on, e.g. epsilon = 0.7. claimed: the epsilon they make.
    """

    parameters: tuple[Argument, ...]
    claimed: float
    points: tuple[CurvePoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """What a sweep found: the figures 2 to 4 of Ding et al. (CCS 2018), one line for each value of the claim."""

    mechanism: Mechanism
    lines: tuple[CurveLine, ...]
    level: float
    """A point is rejected if its p-value is below this."""
    effort: Effort


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a picture of outputs: how many of D1 and of D2, and how many of these are in the event.

    label: of a category. low, high: of a bin, low <= value < high; None for a category. The first and the last bin of a
    picture hold what lies beyond them, too.
    """

    label: str
    low: float | None
    high: float | None
    count1: int
    count2: int
    inside1: int
    inside2: int


@dataclass(frozen=True, slots=True)
class Distributions:
    """How outputs on D1 and D2 are distributed over what an event looks at, from runs made for the picture alone.

    measure: what that is, in Python over `output`. kind: "categories" or "numbers". others: bars beside a histogram,
    for single values that come often and for outputs that are no numbers. runs1, runs2: on either side. notes: what a
    reader must know.
    """

    measure: str
    kind: str
    bars: tuple[Bar, ...]
    others: tuple[Bar, ...]
    runs1: int
    runs2: int
    notes: tuple[str, ...] = ()
