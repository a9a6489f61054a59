"""The report for people, with rich: a line for each mechanism, a panel for each violation, findings with source."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import assert_never

from rich.console import Console
from rich.text import Text

from dplint.claims import Claim
from dplint.outcomes import (
    CheckError,
    Failed,
    Finding,
    NoViolation,
    Outcome,
    Proved,
    Result,
    Severity,
    TestedEpsilon,
    Untestable,
    Violation,
)
from dplint.report import numerals, words
from dplint.report.excerpt import excerpt
from dplint.report.fingerprints import SourceLine
from dplint.report.gathered import Gathered, effort_of
from dplint.report.literals import printable
from dplint.report.loss_words import losses_words
from dplint.report.panel import violation_panel
from dplint.report.proof_words import EXACT_ARITHMETIC, certificate_lines, scope_words
from dplint.report.style import Glyphs, colour, glyphs, severity_colour, symbol
from dplint.report.summary import summary

DETAIL_LINES = 12
INDENT = 6
PICTURE_WIDTH = 100
_FONTS = re.compile(r"@font-face \{[^}]*\}\s*")
"""What a picture would fetch from elsewhere when it is looked at; without it the reader's own font is taken."""


def print_report(
    gathered: Gathered, seconds: float, console: Console, source: SourceLine, *, quiet: bool = False, repeat: str = ""
) -> None:
    """Print the whole report.

    quiet: only what a reader must look at, without the lines of the rest and the summary.
    repeat: the options that a command to reproduce a violation needs besides the seed.
    """
    characters = glyphs(console.encoding)
    for result in gathered.results:
        if isinstance(result.outcome, Violation):
            console.print(
                violation_panel(
                    result.mechanism,
                    result.outcome,
                    characters,
                    width=console.width,
                    source=source,
                    repeat=repeat,
                    explained_by=result.explained_by,
                )
            )
            console.print()
    for finding in gathered.findings:
        print_finding(finding, console, characters, source)
    for error in gathered.errors:
        print_error(error, console, characters, source)
    shown = [result for result in gathered.results if not quiet or _needs_reader(result.outcome)]
    _print_mechanisms(shown, console, characters)
    if quiet:
        return
    if gathered.counts.no_violation:
        console.print(Text(words.NOT_PRIVATE, style="dim"))
    if any(_is_exact(result.outcome) for result in gathered.results):
        console.print(Text(EXACT_ARITHMETIC, style="dim"))
    console.print(Text(summary(gathered, seconds), style="bold"))


def save_picture(gathered: Gathered, seconds: float, path: Path, source: SourceLine) -> None:
    """Write the report as an SVG picture. Raises OSError if the file cannot be written."""
    console = Console(
        record=True, file=io.StringIO(), width=PICTURE_WIDTH, force_terminal=True, color_system="truecolor"
    )
    print_report(gathered, seconds, console, source)
    picture = console.export_svg(title="dplint check", unique_id="dplint")
    path.write_text(_FONTS.sub("", picture), encoding="utf-8")


def _is_exact(outcome: Outcome) -> bool:
    """Whether anything in it was proved or computed, and not counted."""
    match outcome:
        case Violation():
            return words.is_exact(outcome) or outcome.against is not None or bool(outcome.losses)
        case Proved():
            return True
        case NoViolation():
            return bool(outcome.losses)
        case Untestable() | Failed():
            return False
        case _:
            assert_never(outcome)


def _needs_reader(outcome: Outcome) -> bool:
    return isinstance(outcome, Untestable | Failed)


def _print_mechanisms(results: list[Result], console: Console, characters: Glyphs) -> None:
    """One line each, under the name of their file, with remarks below."""
    columns = _columns(results, console.width, characters)
    for file, group in groupby(zip(results, columns, strict=True), key=lambda item: item[0].mechanism.file):
        console.print(Text(file, style="bold underline"))
        for result, line in group:
            console.print(line)
            for remark in _remarks(result):
                for part in remark.wrap(console, max(20, console.width - INDENT)):
                    console.print(Text(" " * INDENT) + part)
        console.print()


def _columns(results: list[Result], width: int, characters: Glyphs) -> list[Text]:
    """The lines of all mechanisms, aligned; what does not fit is left away from the least important column on."""
    table = [
        [
            Text(f"{symbol(result.outcome, characters)} {words.verdict(result.outcome)}", colour(result.outcome)),
            Text(result.mechanism.qualname, "bold"),
            _tested(result.outcome, characters),
            Text(_claim(result.mechanism.claim, characters), "dim"),
            Text(_seconds(result.outcome), "dim"),
            Text(_runs(result.outcome), "dim"),
        ]
        for result in results
    ]
    widths = [max((row[i].cell_len for row in table), default=0) for i in range(6)]
    fitting = next((n for n in range(6, 2, -1) if sum(widths[:n]) + 2 * n <= width), 2)
    order = [i for i in (0, 1, 3, 2, 4, 5) if i < fitting]
    lines = []
    for row in table:
        line = Text("  ", overflow="fold")
        for i in order:
            space = " " * (widths[i] - row[i].cell_len)
            line.append_text(Text(space) + row[i] if i in (4, 5) else row[i] + Text(space))
            line.append("  ")
        line.rstrip()
        lines.append(line)
    return lines


def _tested(outcome: Outcome, characters: Glyphs) -> Text:
    match outcome:
        case Violation() | NoViolation():
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


def _remarks(result: Result) -> Iterator[Text]:
    """What stands below a mechanism's line: what was tried, the reason, the cure, and notes."""
    outcome = result.outcome
    match outcome:
        case Violation():
            pass
        case Proved():
            yield from (Text(line, style="dim") for line in _why_proved(outcome))
        case NoViolation():
            yield Text(words.tried(outcome), style="dim")
        case Untestable():
            yield Text(printable(outcome.reason))
        case Failed():
            yield Text(f"{outcome.kind.value}: {printable(outcome.reason)}")
            for line in printable(outcome.detail).rstrip().splitlines()[-DETAIL_LINES:]:
                yield Text(f"  {line}", style="dim")
        case _:
            assert_never(outcome)
    if cure := words.cure(result):
        yield Text(cure, style="italic")
    for note in effort_of(outcome).notes:
        yield Text(f"note: {printable(note)}", style="yellow")


def _why_proved(proved: Proved) -> list[str]:
    losses = [losses_words(proved.losses)] if proved.losses else []
    return [scope_words(proved.scope), *certificate_lines(proved.certificate), *losses]


def print_finding(finding: Finding, console: Console, characters: Glyphs, source: SourceLine) -> None:
    """A finding with its place, the line of source, and an empty line."""
    style = severity_colour(finding.severity)
    level = "" if finding.severity is Severity.ERROR else f" ({finding.severity.value})"
    console.print(Text.assemble((finding.code, style), f" {printable(finding.message)}{level}"))
    print_place(f"{finding.file}:{finding.span.line}:{finding.span.column}", console, characters)
    line = source(finding.file, finding.span.line)
    for text in excerpt(line, finding.span, characters, style, console.width):
        console.print(text)
    if finding.fixable:
        console.print(Text("  can be mended automatically", style="dim"))
    console.print()


def print_error(error: CheckError, console: Console, characters: Glyphs, source: SourceLine) -> None:
    """An error with its place, the line of source if it has one, and an empty line."""
    console.print(Text.assemble(("error", "bold red"), f" {printable(error.message)}"))
    print_place(error.file if error.line is None else f"{error.file}:{error.line}", console, characters)
    line = None if error.line is None else source(error.file, error.line)
    if line is not None:
        gutter = (f"{error.line} {characters.gutter} ", "bold blue")
        console.print(Text.assemble(gutter, printable(line.rstrip()), no_wrap=True, overflow="crop"))
    console.print()


def print_place(place: str, console: Console, characters: Glyphs) -> None:
    """`file:line:column`, on a line of its own."""
    console.print(Text.assemble((f" {characters.arrow} ", "bold blue"), place), soft_wrap=True)
