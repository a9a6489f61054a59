"""A sweep for people: p-values against tested epsilons as a table and a plot in the terminal."""

from __future__ import annotations

from rich.box import ASCII2, SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dplint.outcomes import Curve, CurvePoint
from dplint.report import numerals, words
from dplint.report.curve_words import line_name, outcome_words
from dplint.report.plot import Series, plot
from dplint.report.style import Glyphs, glyphs

COLOURS = ("blue", "dark_orange", "green", "magenta", "cyan", "red")
PLOT_HEIGHT = 17
PLOT_WIDEST = 90


def print_curve(curve: Curve, console: Console) -> None:
    """Print what was swept, the table, the plot, and for each line up to where the test rejects."""
    characters = glyphs(console.encoding)
    mechanism = curve.mechanism
    place = f"{mechanism.file}:{mechanism.span.line}:{mechanism.span.column}"
    console.print(Text.assemble((mechanism.qualname, "bold"), f"  {place}  ({words.claim_words(mechanism.claim)})"))
    console.print(_table(curve, characters))
    for text in plot(_series(curve, characters), curve.level, characters, min(console.width, PLOT_WIDEST), PLOT_HEIGHT):
        console.print(text)
    console.print()
    for i, line in enumerate(curve.lines):
        marker = characters.markers[i % len(characters.markers)]
        console.print(Text.assemble((f"{marker} ", COLOURS[i % len(COLOURS)]), outcome_words(line)))
    effort = curve.effort
    console.print(
        Text(
            f"rejected: p-value below {numerals.short(curve.level)}, for each point by itself; "
            f"{words.effort_words(effort)}; seed {effort.seed}",
            style="dim",
        )
    )


def _table(curve: Curve, characters: Glyphs) -> Table:
    table = Table(box=ASCII2 if characters.bar == "#" else SIMPLE_HEAD, pad_edge=False)
    table.add_column("tested epsilon", justify="right")
    for i, line in enumerate(curve.lines):
        table.add_column(Text(line_name(line), COLOURS[i % len(COLOURS)]), justify="right")
    by_epsilon = [{point.epsilon: point for point in line.points} for line in curve.lines]
    for epsilon in sorted({epsilon for points in by_epsilon for epsilon in points}):
        cells = (_cell(points.get(epsilon), characters) for points in by_epsilon)
        table.add_row(numerals.exact(epsilon), *cells)
    return table


def _cell(point: CurvePoint | None, characters: Glyphs) -> Text:
    if point is None:
        return Text("")
    p_value = Text(numerals.p_value(point.p_value))
    return p_value + (Text(f" {characters.rejected}", "bold red") if point.rejected else Text("  "))


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
