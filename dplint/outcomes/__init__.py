"""Outcomes: what is known about a mechanism after a check. Frozen, picklable data; `report` makes text of it."""

# Sorted by hand: isort would give each name that is handed on a statement of its own.
# ruff: isort: skip_file

from typing import TypeAlias

from dplint.outcomes.by_source import BySource as BySource, Unconfirmed as Unconfirmed
from dplint.outcomes.check_events import (
    Change as Change,
    Changes as Changes,
    CheckError as CheckError,
    CheckEvent as CheckEvent,
    Dealt as Dealt,
    Plan as Plan,
    Progress as Progress,
    Repaired as Repaired,
    Result as Result,
    Shard as Shard,
    Side as Side,
    Silenced as Silenced,
    SilencedBy as SilencedBy,
    Spending as Spending,
    Standing as Standing,
)
from dplint.outcomes.counterexample import (
    Bounds as Bounds,
    Broken as Broken,
    Confirmation as Confirmation,
    CountedEvidence as CountedEvidence,
    Counterexample as Counterexample,
    CoupledRuns as CoupledRuns,
    DrawLoss as DrawLoss,
    Evidence as Evidence,
    ExactEvidence as ExactEvidence,
    ExampleDraw as ExampleDraw,
    Impossible as Impossible,
    Measure as Measure,
    Observation as Observation,
    OutputEvent as OutputEvent,
    SingleOutput as SingleOutput,
    UnequalVanishing as UnequalVanishing,
    Witness as Witness,
)
from dplint.outcomes.curve import (
    Bar as Bar,
    ComputedShares as ComputedShares,
    Curve as Curve,
    CurveLine as CurveLine,
    CurvePoint as CurvePoint,
    Distributions as Distributions,
    ExactCurve as ExactCurve,
)
from dplint.outcomes.effort import (
    Argument as Argument,
    BranchCover as BranchCover,
    Effort as Effort,
    LineSensitivity as LineSensitivity,
    NotOverspent as NotOverspent,
    NotRefuted as NotRefuted,
    OutputPair as OutputPair,
    Overspent as Overspent,
    Power as Power,
    Sensitivity as Sensitivity,
    SkippedLine as SkippedLine,
    StepSpend as StepSpend,
    StopReason as StopReason,
    Taken as Taken,
    TestedEpsilon as TestedEpsilon,
    Unstable as Unstable,
    WatchedRuns as WatchedRuns,
)
from dplint.outcomes.findings import (
    Edit as Edit,
    Effect as Effect,
    Finding as Finding,
    Fix as Fix,
    Known as Known,
    Related as Related,
    Repair as Repair,
    Severity as Severity,
)
from dplint.outcomes.losses import (
    NOTHING_RUN as NOTHING_RUN,
    ClimbStep as ClimbStep,
    ExactDelta as ExactDelta,
    ExactOutput as ExactOutput,
    ExactTable as ExactTable,
    LargestLoss as LargestLoss,
    PairLoss as PairLoss,
    WorstInput as WorstInput,
    exceeds as exceeds,
    largest_losses as largest_losses,
)
from dplint.outcomes.proof import (
    WORD_SIZED as WORD_SIZED,
    ArgumentScope as ArgumentScope,
    ArgumentValues as ArgumentValues,
    Arithmetic as Arithmetic,
    Certificate as Certificate,
    Decision as Decision,
    Direction as Direction,
    Linear as Linear,
    OtherText as OtherText,
    Range as Range,
    Scope as Scope,
    Shift as Shift,
    ShiftCase as ShiftCase,
    Sizes as Sizes,
)
from dplint.outcomes.spend import Spend as Spend, largest_share as largest_share, spend_of as spend_of
from dplint.outcomes.trained import BoundAt as BoundAt, TrainingBound as TrainingBound
from dplint.outcomes.verdicts import (
    Failed as Failed,
    FailureKind as FailureKind,
    FailureScope as FailureScope,
    NoViolation as NoViolation,
    Outcome as Outcome,
    Proved as Proved,
    Underpowered as Underpowered,
    Untestable as Untestable,
    Violation as Violation,
    never_worse as never_worse,
    together as together,
)

Answer: TypeAlias = Curve | ExactTable | WorstInput | Sensitivity | TrainingBound
"""What commands about one mechanism answer."""
