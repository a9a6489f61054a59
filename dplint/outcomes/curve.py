"""Curves: p-values of one mechanism against a range of tested epsilons."""

from __future__ import annotations

from dataclasses import dataclass

from dplint.claims import Literal, Mechanism
from dplint.outcomes.effort import Argument, Effort
from dplint.outcomes.evidence import Bounds
from dplint.outcomes.exact_table import ExactDelta


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
class ExactCurve:
    """What is computed without a run: of the pairs that a line tries, the one that loses most, in exact arithmetic.

    loss: holds the loss of the pair, in both orders. deltas: at tested epsilons, in their order, the least delta that
    this pair keeps; fewer than there are points where time was over. pairs: how many were computed; of others nothing
    is said. certified_by: what shows all of this.
    """

    d1: Literal
    d2: Literal
    arguments: tuple[Argument, ...]
    loss: Bounds
    deltas: tuple[ExactDelta, ...]
    pairs: int
    certified_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveLine:
    """p-values of one mechanism, run with fixed claim parameters, against a range of tested epsilons.

    parameters: those that the claim depends on, e.g. epsilon = 0.7. claimed: the epsilon they make. exact: what was
    computed with the same arguments; None if nothing can be, and `not_exact` says why, or if nobody asked.
    """

    parameters: tuple[Argument, ...]
    claimed: float
    points: tuple[CurvePoint, ...]
    exact: ExactCurve | None = None
    not_exact: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """What a sweep found: the figures 2 to 4 of Ding et al. (CCS 2018), one line for each value of the claim."""

    mechanism: Mechanism
    lines: tuple[CurveLine, ...]
    level: float
    """A point is rejected if its p-value is below this."""
    effort: Effort
