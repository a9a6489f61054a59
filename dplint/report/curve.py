"""A sweep for people: p-values against tested epsilons as a table and a plot in the terminal, exact deltas beside."""

from __future__ import annotations

from rich.box import ASCII2, SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dplint.outcomes import Curve, CurveLine, CurvePoint, ExactDelta
from dplint.report import numerals, words
from dplint.report.curve_picture import rounded_up
from dplint.report.curve_words import exact_words, line_name, outcome_words
from dplint.report.plot import Series, plot
from dplint.report.style import Glyphs, glyphs

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
    console.print(_table(curve, characters))
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
    table = Table(box=ASCII2 if characters.bar == "#" else SIMPLE_HEAD, pad_edge=False)
    table.add_column("tested epsilon", justify="right")
    for i, line in enumerate(curve.lines):
        table.add_column(Text(line_name(line), COLOURS[i % len(COLOURS)]), justify="right")
        if line.exact is not None:
            table.add_column(Text("delta", COLOURS[i % len(COLOURS)]), justify="right")
    by_epsilon = [{point.epsilon: point for point in line.points} for line in curve.lines]
    for epsilon in sorted({epsilon for points in by_epsilon for epsilon in points}):
        cells: list[Text] = []
        for points, line in zip(by_epsilon, curve.lines, strict=True):
            cells.append(_cell(points.get(epsilon), characters))
            if line.exact is not None:
                cells.append(_delta(line, epsilon))
        table.add_row(numerals.exact(epsilon), *cells)
    return table


def _delta(line: CurveLine, epsilon: float) -> Text:
    """What the pair that loses most keeps together with this epsilon."""
    deltas: tuple[ExactDelta, ...] = () if line.exact is None else line.exact.deltas
    return Text(next((numerals.certified(one.delta, 3) for one in deltas if one.epsilon == epsilon), ""))


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
