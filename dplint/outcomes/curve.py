"""Curves: p-values of one mechanism against a range of tested epsilons.

How outputs are distributed, for a picture.
"""

from __future__ import annotations

from dataclasses import dataclass

from dplint.claims import Literal, Mechanism
from dplint.outcomes.counterexample import Bounds
from dplint.outcomes.effort import Argument, Effort
from dplint.outcomes.losses import ExactDelta


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedShares:
    """What the program gives for the bars of a picture, without a run. In exact arithmetic.

    bars, others: for each bar the probabilities on D1 and on D2; NaN where they are not known. line: places of a
    histogram with the densities of the numbers on D1 and on D2; empty where they are whole. certified_by: what shows
    all of it.
    """

    bars: tuple[tuple[float, float], ...]
    others: tuple[tuple[float, float], ...]
    line: tuple[tuple[float, float, float], ...]
    certified_by: str


@dataclass(frozen=True, slots=True)
class Distributions:
    """How outputs on D1 and D2 are distributed over what an event looks at, from runs made for the picture alone.

    measure: what that is, in Python over `output`. kind: "categories" or "numbers". others: bars beside a histogram,
    for single values that come often and for outputs that are no numbers. runs1, runs2: on either side. notes: what a
    reader must know. computed: the same without a run, where that is known.
    """

    measure: str
    kind: str
    bars: tuple[Bar, ...]
    others: tuple[Bar, ...]
    runs1: int
    runs2: int
    notes: tuple[str, ...] = ()
    computed: ComputedShares | None = None
