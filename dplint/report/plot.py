"""A small scatter plot in characters, as rich text: exact, colourless if need be, and the same on every machine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from dplint.report import numerals
from dplint.report.style import Glyphs

AXIS = 5


@dataclass(frozen=True, slots=True)
class Series:
    """Points to be drawn with one marker in one colour; `claimed` is marked with a vertical line."""

    xs: Sequence[float]
    ys: Sequence[float]
    marker: str
    colour: str
    claimed: float


@dataclass(frozen=True, slots=True)
class _Scale:
    low: float
    high: float
    columns: int
    height: int
    top: float

    def column(self, x: float) -> int:
        return round((x - self.low) / ((self.high - self.low) or 1.0) * (self.columns - 1))

    def row(self, y: float) -> int:
        return round((1.0 - min(1.0, max(0.0, y / self.top))) * (self.height - 1))


def plot(
    series: Sequence[Series], level: float, characters: Glyphs, width: int, height: int, top: float = 1.0
) -> list[Text]:
    """Lines of a plot whose y axis runs from 0 to `top`. A later series covers an earlier one where they meet.

    level: marked with a horizontal line. Nothing is drawn for values that are not finite.
    """
    xs = [x for one in series for x in (*one.xs, one.claimed)]
    if not xs:
        return []
    every = max(1, (height - 1) // 4)
    labels = [numerals.short(top * (1.0 - y / (height - 1)), 2) if y % every == 0 else "" for y in range(height)]
    axis = max(AXIS, *map(len, labels))
    scale = _Scale(min(xs), max(xs), max(20, width - axis - 2), height, top)
    lines = [
        Text.assemble(f"{label:>{axis}} ", (characters.gutter, "dim"), *cells, no_wrap=True)
        for label, cells in zip(labels, _draw(series, level, characters, scale), strict=True)
    ]
    left, right = numerals.short(scale.low), numerals.short(scale.high)
    ruler = left + "tested epsilon".center(scale.columns - len(left) - len(right)) + right
    return [*lines, Text(" " * (axis + 2) + ruler, no_wrap=True)]


def _draw(series: Sequence[Series], level: float, characters: Glyphs, scale: _Scale) -> list[list[tuple[str, str]]]:
    """The characters and their colours, row by row."""
    grid = [[(" ", "")] * scale.columns for _ in range(scale.height)]
    grid[scale.row(level)] = [(characters.horizontal, "dim")] * scale.columns
    for one in series:
        for line in grid:
            line[scale.column(one.claimed)] = (characters.vertical, one.colour)
    for one in series:
        for x, y in zip(one.xs, one.ys, strict=True):
            if math.isfinite(y):
                grid[scale.row(y)][scale.column(x)] = (one.marker, one.colour)
    return grid
