"""The loss of a worst input, and branches of data, in words."""

from __future__ import annotations

import math

from dplint.outcomes import BranchCover, ExactTable, WorstInput
from dplint.report import numerals

_DIGITS = 6


def loss_words(worst: WorstInput) -> str:
    """The loss for people."""
    if worst.loss.low == math.inf:
        return "infinite"
    if worst.loss.high == math.inf:
        return f"at least {numerals.lower_bound(worst.loss.low)}"
    return numerals.certified(worst.loss, _DIGITS)


def compared_words(computed: ExactTable | WorstInput) -> str:
    """Whether the reading that it rests on was compared with the function, else why it was not."""
    if computed.not_compared:
        return f"not compared with the function: {computed.not_compared}"
    return "what is read was compared with the function"


def taken_words(cover: BranchCover) -> str:
    """Where a branch is, and which ways were taken."""
    place = f"line {cover.line}" + (f" of {cover.file}" if cover.file else "")
    apart = ", by the two sides of a pair" if cover.told_apart else ""
    return f"branch at {place}: {cover.taken.value}{apart}"


def impossible_words(cover: BranchCover) -> str:
    """What z3 says of the ways that were not; empty if it says nothing."""
    if not cover.impossible:
        return ""
    if len(cover.impossible) == 2:
        return "; with these arguments no data of the claim reaches it, says z3"
    words = "true" if cover.impossible[0] else "false"
    return f"; with these arguments no data of the claim makes it {words}, says z3"
