"""A small scatter plot in characters, as rich text: exact, colourless if need be, and the same on every machine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from dplint.report import numerals
from dplint.report.style import Glyphs


@dataclass(frozen=True, slots=True)
class Series:
    """Points to be drawn with one marker in one colour; `claimed` is marked with a vertical line."""

    xs: Sequence[float]
    ys: Sequence[float]
    marker: str
    colour: str
    claimed: float


def plot(series: Sequence[Series], level: float, characters: Glyphs, width: int, height: int) -> list[Text]:
    """Lines of a plot whose y axis runs from 0 to 1. A later series covers an earlier one where they meet.

    level: marked with a horizontal line. Nothing is drawn for values that are not finite.
    """
    xs = [x for one in series for x in (*one.xs, one.claimed)]
    if not xs:
        return []
    low, high = min(xs), max(xs)
    columns, axis = max(20, width - 7), 5
    grid = [[(" ", "")] * columns for _ in range(height)]

    def column(x: float) -> int:
        return round((x - low) / ((high - low) or 1.0) * (columns - 1))

    def row(y: float) -> int:
        return round((1.0 - min(1.0, max(0.0, y))) * (height - 1))

    for x in range(columns):
        grid[row(level)][x] = (characters.horizontal, "dim")
    for one in series:
        for y in range(height):
            grid[y][column(one.claimed)] = (characters.vertical, one.colour)
    for one in series:
        for x, p in zip(one.xs, one.ys, strict=True):
            if math.isfinite(p):
                grid[row(p)][column(x)] = (one.marker, one.colour)
    lines = []
    for y, cells in enumerate(grid):
        label = numerals.short(1.0 - y / (height - 1)) if y % ((height - 1) // 4 or 1) == 0 else ""
        lines.append(Text.assemble(f"{label:>{axis}} ", (characters.gutter, "dim"), *cells, no_wrap=True))
    left, right = numerals.short(low), numerals.short(high)
    ruler = left + "tested epsilon".center(columns - len(left) - len(right)) + right
    return [*lines, Text(" " * (axis + 2) + ruler, no_wrap=True)]
