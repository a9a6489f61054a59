"""A sweep for people: p-values against tested epsilons as a table and a plot in the terminal, exact deltas beside."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from dplint.outcomes import Curve, CurvePoint
from dplint.report import numerals, words
from dplint.report.curve_picture import rounded_up
from dplint.report.curve_words import exact_words, line_name, outcome_words
from dplint.report.document import Table
from dplint.report.style import Glyphs, glyphs
from dplint.report.terminal import table_lines

COLOURS = ("blue", "dark_orange", "green", "magenta", "cyan", "red")
PLOT_HEIGHT = 17
DELTA_HEIGHT = 9
PLOT_WIDEST = 90


def print_curve(curve: Curve, console: Console) -> None:
    """Print what was swept, the table, the plot, and for each line up to where the test rejects."""
    characters = glyphs(console.encoding)
    mechanism = curve.mechanism
    place = f"{mechanism.file}:{mechanism.span.line}:{mechanism.span.column}"
    console.print(Text.assemble((mechanism.qualname, "bold"), f"  {place}  ({words.claim_words(mechanism.claim)})"))
    for text in table_lines(_table(curve, characters), characters, console.width):
        console.print(text)
    width = min(console.width, PLOT_WIDEST)
    for text in plot(_series(curve, characters), curve.level, characters, width, PLOT_HEIGHT):
        console.print(text)
    exact = _exact_series(curve, characters)
    if exact:
        console.print(Text("delta by epsilon, computed without a run; dashed where the claim is", style="dim"))
        top = rounded_up(max(y for one in exact for y in one.ys))
        for text in plot(exact, 0.0, characters, width, DELTA_HEIGHT, top):
            console.print(text)
    console.print()
    for i, line in enumerate(curve.lines):
        marker = characters.markers[i % len(characters.markers)]
        console.print(Text.assemble((f"{marker} ", COLOURS[i % len(COLOURS)]), outcome_words(line)))
        if computed := exact_words(line):
            console.print(Text(f"  {computed}"))
    effort = curve.effort
    console.print(
        Text(
            f"rejected: p-value below {numerals.short(curve.level)}, for each point by itself; "
            f"{words.effort_words(effort)}; seed {effort.seed}",
            style="dim",
        )
    )


def _table(curve: Curve, characters: Glyphs) -> Table:
    """For each tested epsilon the p-value of each line, and the delta that its pair keeps where that was computed."""
    head = ["tested epsilon"]
    for line in curve.lines:
        head += [line_name(line), *(["delta"] if line.exact is not None else [])]
    by_epsilon = [{point.epsilon: point for point in line.points} for line in curve.lines]
    rows = []
    for epsilon in sorted({epsilon for points in by_epsilon for epsilon in points}):
        cells = [numerals.exact(epsilon)]
        for points, line in zip(by_epsilon, curve.lines, strict=True):
            cells.append(_cell(points.get(epsilon), characters))
            if line.exact is not None:
                deltas = (one.delta for one in line.exact.deltas if one.epsilon == epsilon)
                cells.append(next((numerals.certified(one, 3) for one in deltas), ""))
        rows.append(tuple(cells))
    return Table(tuple(head), tuple(rows))


def _cell(point: CurvePoint | None, characters: Glyphs) -> str:
    if point is None:
        return ""
    return f"{numerals.p_value(point.p_value)} {characters.rejected if point.rejected else ' '}"


def _series(curve: Curve, characters: Glyphs) -> list[Series]:
    return [
        Series(
            xs=[point.epsilon for point in line.points],
            ys=[point.p_value for point in line.points],
            marker=characters.markers[i % len(characters.markers)],
            colour=COLOURS[i % len(COLOURS)],
            claimed=line.claimed,
        )
        for i, line in enumerate(curve.lines)
    ]


def _exact_series(curve: Curve, characters: Glyphs) -> list[Series]:
    """The deltas of the lines that were computed, in the markers of these."""
    return [
        Series(
            xs=[one.epsilon for one in line.exact.deltas],
            ys=[one.delta.middle for one in line.exact.deltas],
            marker=characters.markers[i % len(characters.markers)],
            colour=COLOURS[i % len(COLOURS)],
            claimed=line.claimed,
        )
        for i, line in enumerate(curve.lines)
        if line.exact is not None and line.exact.deltas
    ]


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
