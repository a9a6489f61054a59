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

from dplint.outcomes import (
    CheckError,
    Failed,
    FailureScope,
    Finding,
    NoViolation,
    Outcome,
    Proved,
    Result,
    Severity,
    Underpowered,
    Untestable,
    Violation,
)
from dplint.report import problem_words, words
from dplint.report.console import SafeConsole
from dplint.report.excerpt import excerpt
from dplint.report.fingerprints import SourceLine
from dplint.report.gathered import Gathered, SharedFailure, effort_of, scope_of, shared_failures
from dplint.report.literals import one_line, printable
from dplint.report.loss_words import losses_words
from dplint.report.panel import violation_panel
from dplint.report.proof_words import certificate_lines, scope_words
from dplint.report.rows import rows
from dplint.report.style import Glyphs, glyphs, severity_colour
from dplint.report.summary import remarks, summary
from dplint.report.worst_input import branch_text

DETAIL_LINES = 12
INDENT = 6
PICTURE_WIDTH = 100
_FONTS = re.compile(r"@font-face \{[^}]*\}\s*")
"""What a picture would fetch from elsewhere when it is looked at; without it the reader's own font is taken."""


def print_report(
    gathered: Gathered,
    seconds: float,
    console: Console,
    source: SourceLine,
    *,
    quiet: bool = False,
    repeat: str = "",
    verbose: bool = False,
) -> None:
    """Print the whole report.

    quiet: only what a reader must look at, without the lines of the rest and the summary. repeat: the options that a
    command to reproduce a violation needs besides the seed. verbose: how the evidence was won, too.
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
                    verbose=verbose,
                )
            )
            console.print()
    for finding in gathered.findings:
        print_finding(finding, console, characters, source)
    for failure in shared_failures(gathered.results):
        print_shared_failure(failure, console, characters, source)
    for error in gathered.errors:
        print_error(error, console, characters, source)
    shown = [result for result in gathered.results if not quiet or _needs_reader(result.outcome)]
    _print_mechanisms(shown, console, characters, verbose=verbose)
    if quiet:
        return
    for remark in remarks(gathered):
        console.print(Text(remark, style="dim"))
    console.print(Text(summary(gathered, seconds), style="bold"))


def save_picture(gathered: Gathered, seconds: float, path: Path, source: SourceLine) -> None:
    """Write the report as an SVG picture. Raises OSError if the file cannot be written."""
    console = SafeConsole(
        record=True, file=io.StringIO(), width=PICTURE_WIDTH, force_terminal=True, color_system="truecolor"
    )
    print_report(gathered, seconds, console, source)
    picture = console.export_svg(title="dplint check", unique_id="dplint")
    path.write_text(_FONTS.sub("", picture), encoding="utf-8")


def _needs_reader(outcome: Outcome) -> bool:
    return isinstance(outcome, Underpowered | Untestable | Failed)


def _print_mechanisms(results: list[Result], console: Console, characters: Glyphs, *, verbose: bool) -> None:
    """A row each, under the name of their file, with remarks below. verbose: branches of data, too."""
    shown = rows(results, console.width, characters)
    for file, group in groupby(zip(results, shown, strict=True), key=lambda item: item[0].mechanism.file):
        console.print(Text(one_line(file), style="bold underline"))
        for result, lines in group:
            for line in lines:
                console.print(line)
            # What is shared with others is told once, above.
            branches = effort_of(result.outcome).branches if verbose else ()
            for remark in (*_remarks(result), *map(branch_text, branches)) if scope_of(result) is None else ():
                for part in remark.wrap(console, max(20, console.width - INDENT)):
                    console.print(Text(" " * INDENT) + part)
        console.print()


def _remarks(result: Result) -> Iterator[Text]:
    """What stands below a mechanism's line: what was tried, the reason, the cure, and notes."""
    outcome = result.outcome
    match outcome:
        case Violation():
            pass
        case Proved():
            yield from (Text(line, style="dim") for line in _why_proved(outcome))
        case NoViolation():
            yield Text(words.tried(result.mechanism, outcome), style="dim")
        case Underpowered():
            yield Text(words.underpowered_words(result.mechanism, outcome))
        case Untestable():
            yield Text(printable(outcome.reason))
        case Failed():
            yield from _failure(outcome)
        case _:
            assert_never(outcome)
    if cure := words.cure(result):
        yield Text(cure, style="italic")
    for note in effort_of(outcome).notes:
        yield Text(f"note: {printable(note)}", style="yellow")


def _failure(failed: Failed) -> Iterator[Text]:
    yield Text(f"{failed.kind.value}: {printable(failed.reason)}")
    for line in printable(failed.detail).rstrip().splitlines()[-DETAIL_LINES:]:
        yield Text(f"  {line}", style="dim")


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


def print_shared_failure(failure: SharedFailure, console: Console, characters: Glyphs, source: SourceLine) -> None:
    """What keeps all mechanisms of a module, or of an interpreter, from being tested: cause, place, and cure."""
    failed = failure.failed
    console.print(Text.assemble((failed.code, "bold magenta"), f" {printable(problem_words.text(failure))}"))
    print_place(f"{failure.file}:{failure.line}", console, characters)
    if failed.scope is FailureScope.MODULE:
        _print_line(failure.file, failure.line, console, characters, source)
        # One line of source says it, unless the error comes from further away.
        for text in _outside(failed.detail, failure.results[0].mechanism.path):
            console.print(Text(f"  {printable(text)}", style="dim"))
    cure = words.cure(failure.results[0])
    if cure:
        console.print(Text(printable(cure), style="italic"))
    console.print()


def _outside(detail: str, path: str) -> list[str]:
    """The traceback, where it leads out of the module or through it; nothing where its last line is all of it."""
    lines = detail.rstrip().splitlines()
    frames = [line for line in lines if line.lstrip().startswith("File ")]
    return lines[-DETAIL_LINES:] if len(frames) > 1 or any(path not in frame for frame in frames) else []


def _print_line(file: str, number: int, console: Console, characters: Glyphs, source: SourceLine) -> None:
    line = source(file, number)
    if line is not None:
        gutter = (f"{number} {characters.gutter} ", "bold blue")
        console.print(Text.assemble(gutter, printable(line.rstrip()), no_wrap=True, overflow="crop"))


def print_error(error: CheckError, console: Console, characters: Glyphs, source: SourceLine) -> None:
    """An error with its place, the line of source if it has one, and an empty line."""
    console.print(Text.assemble(("error", "bold red"), f" {printable(error.message)}"))
    print_place(error.file if error.line is None else f"{error.file}:{error.line}", console, characters)
    if error.line is not None:
        _print_line(error.file, error.line, console, characters, source)
    console.print()


def print_place(place: str, console: Console, characters: Glyphs) -> None:
    """`file:line:column`, on a line of its own."""
    console.print(Text.assemble((f" {characters.arrow} ", "bold blue"), one_line(place)), soft_wrap=True)
