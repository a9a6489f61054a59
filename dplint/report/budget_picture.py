"""Budgets as a picture: for each mechanism a bar as long as its claim, and below it what its calls spend.

Widths are shares of the claimed epsilon where every parameter without a value in the claim is 1. Calls that happen one
after another stand side by side, and so do turns of a loop; branches and calls on disjoint parts stand one below the
other, for the dearest counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TextIO

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from dplint.claims import Fixed
from dplint.contracts.amounts import Amount
from dplint.contracts.parts import may_share
from dplint.contracts.tree import Budget, Choice, Node, Part, Repeat, Series, Spend, Standing
from dplint.report.budget_words import headline

_COLOURS = {
    Standing.WITHIN: "#2c8a4b",
    Standing.OVERSPENT: "#b3262b",
    Standing.UNDECIDED: "#c08a1a",
    Standing.LEAF: "#8a8f98",
}
_ROW = 0.34
_MOST_TURNS = 50


@dataclass(frozen=True, slots=True)
class Bar:
    """One call in the picture: where it begins and ends, as shares of the claim, in which row, and its name."""

    left: float
    right: float
    row: int
    name: str


def write_svg(budgets: Sequence[Budget], stream: TextIO) -> None:
    """Write the picture of all mechanisms that have parts. The same budgets make the same bytes."""
    shown = [one for one in budgets if one.standing is not Standing.LEAF]
    drawn = [(budget, list(bars(budget))) for budget in shown]
    heights = [2 + max((bar.row for bar in found), default=0) + 1 for _, found in drawn]
    widest = max([1.0, *(bar.right for _, found in drawn for bar in found)])
    with mpl.rc_context({"svg.hashsalt": "dplint", "svg.fonttype": "none"}):
        figure = Figure(figsize=(8.0, _ROW * max(sum(heights), 2) + 0.3))
        axes = figure.add_axes((0.02, 0.02, 0.96, 0.96))
        axes.set_axis_off()
        axes.set_xlim(0.0, widest * 1.01)
        axes.set_ylim(-float(max(sum(heights), 2)), 0.0)
        top = 0
        for (budget, found), height in zip(drawn, heights, strict=True):
            colour = _COLOURS[budget.standing]
            axes.text(0.0, -top - 0.75, f"{budget.mechanism.qualname}: {headline(budget)}", fontsize=8, color=colour)
            axes.add_patch(Rectangle((0.0, -top - 1.25), 1.0, 0.2, color="#d5d8dd", linewidth=0))
            for bar in found:
                low, width = -top - 2.15 - bar.row, bar.right - bar.left
                box = Rectangle((bar.left, low), width, 0.8, facecolor=colour, edgecolor="white", alpha=0.8)
                axes.add_patch(box)
                axes.text(bar.left + width / 2, low + 0.4, bar.name, ha="center", va="center", fontsize=7, clip_on=True)
            axes.axvline(1.0, -1.0, 0.0, color="#777777", linewidth=0.5)
            top += height
        if not drawn:
            axes.text(0.0, -1.0, "no claimed function calls another claimed function", fontsize=8)
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": "dplint"})


def bars(budget: Budget) -> Iterator[Bar]:
    """The bars of one mechanism, none where the claim is no number for these parameters."""
    values = {n: Fraction(1) for n in budget.epsilon.names} if budget.epsilon is not None else {}
    for argument, spec in budget.mechanism.claim.args:
        if isinstance(spec, Fixed) and isinstance(spec.value, int | float):
            values[argument] = Fraction(str(spec.value))
    claimed = _number(budget.epsilon, values)
    if not claimed:
        return
    placed, _, _ = _place(budget.tree, 0.0, 0, values, claimed)
    yield from placed


def _place(
    node: Node, left: float, row: int, values: dict[str, Fraction], claimed: float
) -> tuple[list[Bar], float, int]:
    """The bars of a node, where they end, and the first row below them."""
    match node:
        case Spend():
            width = (_number(node.epsilon, values) or 0.0) / claimed
            return [Bar(left, left + width, row, f"{node.name}  {node.epsilon}")], left + width, row + 1
        case Choice(branches=branches):
            return _stacked(branches, left, row, values, claimed)
        case Repeat():
            times = 1 if node.disjoint or node.times is None else int(_number(node.times, values) or 1)
            return _beside([node.body] * min(times, _MOST_TURNS), left, row, values, claimed)
        case Series(items=items):
            return _beside(items, left, row, values, claimed)


def _beside(
    items: Sequence[Node], left: float, row: int, values: dict[str, Fraction], claimed: float
) -> tuple[list[Bar], float, int]:
    found: list[Bar] = []
    end, low = left, row + 1
    groups: list[list[Node]] = []
    for one in items:
        known = next((group for group in groups if _apart(one, group)), None)
        if known is not None:
            known.append(one)
        else:
            groups.append([one])
    for group in groups:
        inner, end, lower = _stacked(group, end, row, values, claimed)
        found += inner
        low = max(low, lower)
    return found, end, low


def _apart(node: Node, group: Sequence[Node]) -> bool:
    """Whether a call is on records that none of the others is given."""
    if not isinstance(node, Spend) or node.part == Part():
        return False
    return all(isinstance(other, Spend) and not may_share(node.part, other.part) for other in group)


def _stacked(
    items: Sequence[Node], left: float, row: int, values: dict[str, Fraction], claimed: float
) -> tuple[list[Bar], float, int]:
    found: list[Bar] = []
    end = left
    for one in items:
        inner, right, row = _place(one, left, row, values, claimed)
        found += inner
        end = max(end, right)
    return found, end, row


def _number(amount: Amount | None, values: dict[str, Fraction]) -> float | None:
    if amount is None:
        return None
    try:
        found = amount.at({name: values.get(name, Fraction(1)) for name in amount.names}).value
    except ZeroDivisionError:
        return None
    return None if found is None else float(found)
