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
