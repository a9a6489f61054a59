"""The rows of mechanisms in the terminal: verdict, function, claim, tested values, seconds and runs, aligned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from rich.text import Text

from dplint.claims import Claim
from dplint.outcomes import (
    Failed,
    NoViolation,
    Outcome,
    Proved,
    Result,
    TestedEpsilon,
    Underpowered,
    Untestable,
    Violation,
)
from dplint.report import numerals, words
from dplint.report.gathered import effort_of
from dplint.report.literals import one_line
from dplint.report.style import Glyphs, colour, symbol

_START, _GAP = "  ", "  "
_STACKED = " " * 6
_SHORTEST_NAMES = 10
"""Columns for names below which claim and numbers stand on lines of their own in all rows."""
_RIGHT = (2, 3)
"""Columns that are aligned to the right, seconds and runs, among those behind the name."""


def rows(results: Sequence[Result], width: int, characters: Glyphs) -> list[list[Text]]:
    """The lines of each result. A name that is too long for its column has a line of its own, above the rest.

    So no name takes anything from the rows of others. Where there is hardly room for names, all rows have two lines.
    """
    verdicts = [_verdict(result.outcome, characters) for result in results]
    names = [Text(one_line(result.mechanism.qualname), "bold") for result in results]
    behind = [_behind(result, characters) for result in results]
    first = max((one.cell_len for one in verdicts), default=0)
    widths = [max((cells[i].cell_len for cells in behind), default=0) for i in range(4)]
    taken = len(_START) + first + len(_GAP) + sum(len(_GAP) + one for one in widths if one)
    room = width - taken
    if room < min(_SHORTEST_NAMES, max((one.cell_len for one in names), default=0)):
        return [
            [*_named(_start(verdict, first), name, width), *_stacked(cells, width)]
            for verdict, name, cells in zip(verdicts, names, behind, strict=True)
        ]
    column = max((one.cell_len for one in names if one.cell_len <= room), default=0)
    return [
        _row(_start(verdict, first), name, cells, column, widths, width)
        for verdict, name, cells in zip(verdicts, names, behind, strict=True)
    ]


def _row(start: Text, name: Text, cells: Sequence[Text], column: int, widths: Sequence[int], width: int) -> list[Text]:
    rest = Text()
    for i, (cell, wide) in enumerate(zip(cells, widths, strict=True)):
        if wide:
            space = " " * (wide - cell.cell_len)
            rest += Text(_GAP) + (Text(space) + cell if i in _RIGHT else cell + Text(space))
    rest.rstrip()
    if name.cell_len <= column:
        return [_foldable(start + name + Text(" " * (column - name.cell_len)) + rest)]
    below = Text(" " * (start.cell_len + column)) + rest
    return [*_named(start, name, width), *([_foldable(below)] if rest.plain.strip() else [])]


def _named(start: Text, name: Text, width: int) -> list[Text]:
    """Verdict and name; a name that does not fit behind it stands below, in as many lines as it needs."""
    if start.cell_len + name.cell_len <= width:
        return [_foldable(start + name)]
    room = max(1, width - len(_STACKED))
    pieces = [name[i : i + room] for i in range(0, len(name), room)]
    return [_foldable(start), *(_foldable(Text(_STACKED) + piece) for piece in pieces)]


def _stacked(cells: Sequence[Text], width: int) -> list[Text]:
    """The cells in as many lines as they need."""
    lines = [Text(_STACKED)]
    for cell in cells:
        if not cell.plain:
            continue
        if lines[-1].cell_len > len(_STACKED) and lines[-1].cell_len + cell.cell_len > width:
            lines.append(Text(_STACKED))
        lines[-1] += cell + Text(_GAP)
    for line in lines:
        line.rstrip()
    return [_foldable(line) for line in lines if line.plain.strip()]


def _start(verdict: Text, width: int) -> Text:
    return Text(_START) + verdict + Text(" " * (width - verdict.cell_len) + _GAP)


def _foldable(line: Text) -> Text:
    line.overflow = "fold"
    return line


def _verdict(outcome: Outcome, characters: Glyphs) -> Text:
    return Text(f"{symbol(outcome, characters)} {words.verdict(outcome)}", colour(outcome))


def _behind(result: Result, characters: Glyphs) -> list[Text]:
    """What stands behind the name: claim, tested values or what is proved, seconds, runs."""
    outcome = result.outcome
    return [
        Text(_claim(result.mechanism.claim, characters), "dim"),
        _tested(outcome, characters),
        Text(_seconds(outcome), "dim"),
        Text(_runs(outcome), "dim"),
    ]


def _tested(outcome: Outcome, characters: Glyphs) -> Text:
    match outcome:
        case Violation() | NoViolation() | Underpowered():
            return Text(" ").join(_tested_epsilon(tested, characters) for tested in outcome.tested)
        case Proved():
            most = outcome.epsilon_upper
            return Text(f"at most {most if isinstance(most, str) else numerals.short(most)}")
        case Untestable() | Failed():
            return Text()
        case _:
            assert_never(outcome)


def _tested_epsilon(tested: TestedEpsilon, characters: Glyphs) -> Text:
    text = numerals.exact(tested.epsilon)
    return Text(text + characters.rejected, "bold red") if tested.rejected else Text(text)


def _seconds(outcome: Outcome) -> str:
    return "" if isinstance(outcome, Untestable) else numerals.seconds(effort_of(outcome).seconds)


def _runs(outcome: Outcome) -> str:
    if isinstance(outcome, Untestable):
        return ""
    runs = effort_of(outcome).runs
    return f"{numerals.compact(runs)} runs" if runs or isinstance(outcome, Failed) else "no runs"


def _claim(claim: Claim, characters: Glyphs) -> str:
    def value(written: float | str) -> str:
        return written if isinstance(written, str) else numerals.short(written)

    delta = f", {characters.delta} = {value(claim.delta)}" if claim.delta != 0.0 else ""
    epsilon = claim.epsilon if isinstance(claim.epsilon, str) else numerals.exact(claim.epsilon)
    return f"{characters.epsilon} = {epsilon}{delta}, {claim.neighbors}"
