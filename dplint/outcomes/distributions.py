"""How outputs are distributed, for a picture."""

from __future__ import annotations

from dataclasses import dataclass


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
