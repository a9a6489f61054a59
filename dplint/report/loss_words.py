"""Losses that were computed exactly, in words."""

from __future__ import annotations

from collections.abc import Sequence

from dplint.outcomes import Bounds, LargestLoss, PairLoss
from dplint.report import numerals
from dplint.report.literals import literal, printable

_DIGITS = 4


def losses_words(losses: Sequence[LargestLoss]) -> str:
    """The loss that comes nearest to its claim with its place, then those at other values; empty if there are none."""
    if not losses:
        return ""
    nearest = _nearest(losses)
    words = (
        f"largest loss on {numerals.count(nearest.pairs, 'pair')}: {_size(nearest)} of {_allowed(nearest.pair)}, "
        f"at {_place(nearest.pair)}, in exact arithmetic"
    )
    others = [f"{_size(one)} of {_allowed(one.pair)}" for one in losses if one is not nearest]
    return f"{words}; at other values {', '.join(others)}" if others else words


def largest_title(losses: Sequence[LargestLoss]) -> str:
    """The loss that comes nearest to its claim, in a few words: "exact: 0.4997 of 0.5"; empty if none was computed."""
    if not losses:
        return ""
    nearest = _nearest(losses)
    return f"exact: {_size(nearest)} of {numerals.exact(nearest.pair.claimed)}"


def _nearest(losses: Sequence[LargestLoss]) -> LargestLoss:
    return max(losses, key=lambda one: one.pair.loss.low / one.pair.claimed)


def _allowed(pair: PairLoss) -> str:
    allowed = f"{numerals.exact(pair.claimed)} claimed"
    return f"{allowed} with delta = {numerals.short(pair.delta)}" if pair.delta else allowed


def _size(largest: LargestLoss) -> str:
    """The largest loss of all computed pairs lies between that of the pair that is shown and `high`."""
    return numerals.certified(Bounds(largest.pair.loss.low, largest.high), _DIGITS)


def _place(pair: PairLoss) -> str:
    arguments = "".join(f", {one.name} = {literal(one.value)}" for one in pair.arguments)
    where = "" if pair.where is None else f", by {printable(pair.where.expression)}"
    return f"D1 = {literal(pair.d1)}, D2 = {literal(pair.d2)}{arguments}{where}"
