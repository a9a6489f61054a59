"""Losses that were computed exactly, in words."""

from __future__ import annotations

from collections.abc import Sequence

from dplint.outcomes import Bounds, LargestLoss, PairLoss
from dplint.report import numerals
from dplint.report.literals import literal, printable

_DIGITS = 4


def losses_words(losses: Sequence[LargestLoss]) -> str:
    """The largest losses, one clause for each value of the claim; empty if none was computed."""
    return "; ".join(_largest(one) for one in losses)


def largest_title(losses: Sequence[LargestLoss]) -> str:
    """The loss that comes nearest to its claim, in a few words: "exact: 0.4997 of 0.5"; empty if none was computed."""
    worst = max(losses, key=lambda one: one.pair.loss.low / one.pair.claimed, default=None)
    return "" if worst is None else f"exact: {_size(worst)} of {numerals.exact(worst.pair.claimed)}"


def _largest(largest: LargestLoss) -> str:
    pair = largest.pair
    allowed = f"{numerals.exact(pair.claimed)} claimed"
    if pair.delta:
        allowed += f" with delta = {numerals.short(pair.delta)}"
    return (
        f"largest loss on {numerals.count(largest.pairs, 'pair')}: {_size(largest)} of {allowed}, at {_place(pair)}, "
        "in exact arithmetic"
    )


def _size(largest: LargestLoss) -> str:
    """The largest loss of all computed pairs lies between that of the pair that is shown and `high`."""
    return numerals.certified(Bounds(largest.pair.loss.low, largest.high), _DIGITS)


def _place(pair: PairLoss) -> str:
    arguments = "".join(f", {one.name} = {literal(one.value)}" for one in pair.arguments)
    where = "" if pair.where is None else f", by {printable(pair.where.expression)}"
    return f"D1 = {literal(pair.d1)}, D2 = {literal(pair.d2)}{arguments}{where}"
