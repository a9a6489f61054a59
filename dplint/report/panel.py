"""The panel of one violation: the counterexample, laid out so that a person can check it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.box import ROUNDED
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.style import Style
from rich.table import Table
from rich.text import Text

from dplint.claims import Mechanism
from dplint.outcomes import Counterexample, Finding, Violation
from dplint.report import numerals, words
from dplint.report.difference import Row, compare, rows
from dplint.report.excerpt import excerpt
from dplint.report.explaining import raised_words
from dplint.report.fingerprints import SourceLine
from dplint.report.literals import LONGEST, columns, literal, printable
from dplint.report.style import Glyphs, bar

WIDEST = 110
LABEL = 9
BAR = 24
DIFFERENT = "bold red"


def violation_panel(
    mechanism: Mechanism,
    violation: Violation,
    characters: Glyphs,
    *,
    width: int,
    source: SourceLine,
    repeat: str = "",
    explained_by: Sequence[Finding] = (),
) -> RenderableType:
    """The panel, at most `width` and never more than 110 characters wide.

    repeat: the options that the command to reproduce needs besides the seed. explained_by: findings in its source.
    """
    width = min(width, WIDEST)
    room = max(24, width - 4 - LABEL - 2)
    found = violation.counterexample
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", width=LABEL, no_wrap=True)
    table.add_column(width=room, overflow="fold")
    table.add_row("claim", _claim(mechanism, violation))
    for label, text in _data(found, room):
        table.add_row(label, text)
    _add_arguments(table, found)
    table.add_row("event", Text(printable(found.event), style="cyan"))
    _add_probabilities(table, found, room, characters)
    _add_limit(table, violation, room, characters)
    _add_evidence(table, violation)
    table.add_row("epsilon", _epsilon(violation))
    if violation.strongest is not None:
        table.add_row("strongest", Text(words.strongest_words(violation.strongest)))
    if violation.confirmation is not None:
        table.add_row("confirmed", words.confirmation_words(violation.confirmation))
    table.add_row("effort", Text(words.whole_effort_words(violation.effort), style="dim"))
    line = source(mechanism.file, mechanism.span.line)
    parts: list[RenderableType] = [*excerpt(line, mechanism.span, characters, DIFFERENT, width - 4)]
    for finding in explained_by:
        parts += _why(finding, characters, source, width - 4)
    parts += [Text()] if parts else []
    parts += [
        table,
        Text(),
        Text(words.attacker(violation), style="bold"),
        Text(),
        _again(mechanism, found, characters, repeat),
    ]
    return Panel(
        Group(*parts),
        title=_title(mechanism, violation),
        title_align="left",
        border_style="red",
        box=ROUNDED,
        width=width,
    )


def _why(finding: Finding, characters: Glyphs, source: SourceLine, width: int) -> list[Text]:
    """The line at fault, and below it what a rule has to say of it."""
    line = source(finding.file, finding.span.line)
    remarks = raised_words(finding) + (", can be mended automatically" if finding.fixable else "")
    said = Text.assemble(("explained by ", "bold"), (f"{finding.code}: ", DIFFERENT), printable(finding.message))
    return [*excerpt(line, finding.span, characters, DIFFERENT, width), said.append(remarks, style="dim")]


def location(mechanism: Mechanism) -> Text:
    """`file:line:column` of the function, a link where the terminal knows links."""
    place = f"{mechanism.file}:{mechanism.span.line}:{mechanism.span.column}"
    return Text(place, style=Style(bold=True, link=f"file://{mechanism.path}"))


def _title(mechanism: Mechanism, violation: Violation) -> Text:
    return Text.assemble((f"{violation.code} ", DIFFERENT), f"{mechanism.qualname} ", location(mechanism))


def _claim(mechanism: Mechanism, violation: Violation) -> Text:
    tested = words.promise(violation.epsilon_tested, violation.delta_tested)
    return Text.assemble(tested, (f"   {words.claim_words(mechanism.claim)}", "dim"))


def _data(found: Counterexample, room: int) -> list[tuple[str, Text]]:
    """Lines of D1, D2 and the marks under what differs."""
    lines: list[tuple[str, Text]] = []
    for i, row in enumerate(rows(compare(found.d1, found.d2, min(LONGEST, room - 4)), room)):
        lines.append(("" if i else "D1", _side(row, first=True)))
        lines.append(("" if i else "D2", _side(row, first=False)))
        if marks := row.marks():
            lines.append(("", Text(marks, style=DIFFERENT, no_wrap=True)))
    size1, size2 = (len(data) if isinstance(data, list | tuple) else 0 for data in (found.d1, found.d2))
    if size1 != size2:
        longer, shorter, more = ("D1", "D2", size1 - size2) if size1 > size2 else ("D2", "D1", size2 - size1)
        lines.append(("", Text(f"{longer} has {numerals.count(more, 'record')} more than {shorter}", style="dim")))
    return lines


def _side(row: Row, *, first: bool) -> Text:
    line = Text(no_wrap=True, overflow="crop")
    for cell in row.cells:
        text = cell.text1 if first else cell.text2
        # a record that is missing here takes its comma with it
        after = cell.after if text is not None else cell.after.replace(",", " ")
        line.append(cell.before)
        line.append(text or "", style=DIFFERENT if cell.differs else "")
        line.append(after + " " * (cell.inner - columns(text or "")) + " ")
    line.rstrip()
    return line


def _add_arguments(table: Table, found: Counterexample) -> None:
    shown = [f"{argument.name} = {literal(argument.value)}" for argument in found.arguments]
    width = min(24, max((len(text) for text in shown), default=0))
    for i, (argument, text) in enumerate(zip(found.arguments, shown, strict=True)):
        table.add_row("" if i else "arguments", Text.assemble(f"{text:{width}}  ", (argument.why, "dim")))


def _add_probabilities(table: Table, found: Counterexample, room: int, characters: Glyphs) -> None:
    if not found.runs1:
        table.add_row("P on D1", numerals.short(found.p1))
        table.add_row("P on D2", numerals.short(found.p2))
        return
    sides = [
        ("P on D1", found.p1, found.interval1, found.count1, found.runs1, "red"),
        ("P on D2", found.p2, found.interval2, found.count2, found.runs2, "blue"),
    ]
    chances = [numerals.probability(p, interval) for _, p, interval, *_ in sides]
    counts = [f"{count:,} of {numerals.count(runs, 'run')}" for _, _, _, count, runs, _ in sides]
    width, width_counts = max(map(len, chances)), max(map(len, counts))
    if width + width_counts + 2 > room:
        counts = [count.removesuffix(" runs") for count in counts]
        width_counts = max(map(len, counts))
    free = room - width - width_counts - 4
    for (label, p, *_, colour), chance, count in zip(sides, chances, counts, strict=True):
        line = Text.assemble(f"{chance:{width}}  ", (f"{count:>{width_counts}}", "dim"))
        if free >= 8:
            line.append("  " + bar(p / max(found.p1, found.p2, 1e-300), min(BAR, free), characters), style=colour)
        table.add_row(label, line)
    table.add_row("", Text(f"intervals: Clopper-Pearson, {numerals.percent(found.confidence)} each", style="dim"))


def _add_limit(table: Table, violation: Violation, room: int, characters: Glyphs) -> None:
    """What was found beside what the claim allows: a ratio, or for delta > 0 a probability on D1."""
    found = violation.counterexample
    at_least = False
    if violation.delta_tested:
        label, value, limit = "P on D1", found.p1, words.allowed_probability(violation)
    elif words.is_certain(violation):
        return
    else:
        label, limit = "ratio", words.ratio_allowed(violation)
        value, at_least = words.ratio_found(found)
    texts = [f"{'> ' if at_least else ''}{numerals.short(value)}", numerals.short(limit)]
    width = max(map(len, texts))
    free = min(BAR, room - width - 10)
    for name, text, number, colour in (("found", texts[0], value, "red"), ("allowed", texts[1], limit, "blue")):
        line = Text(f"{name:7} {text:>{width}}")
        if free >= 8:
            line.append("  " + bar(number / max(value, limit, 1e-300), free, characters), style=colour)
        table.add_row(label, line)
        label = ""


def _add_evidence(table: Table, violation: Violation) -> None:
    log_e_value = words.log_evidence(violation)
    if log_e_value is None:
        if violation.counterexample.p_value is not None:
            table.add_row("p-value", numerals.p_value(violation.counterexample.p_value))
        return
    table.add_row("e-value", words.evidence_words(log_e_value, violation.effort.alpha))
    table.add_row("", Text("a fair bet against the claim would have multiplied its stake so many times", style="dim"))
    table.add_row("p-value", f"at most {numerals.p_value(math.exp(-max(0.0, log_e_value)))}")


def _epsilon(violation: Violation) -> Text:
    lower = words.lower_words(violation)
    how = (
        f"with {numerals.percent(violation.confidence)} confidence"
        if violation.evidence.value == "statistical"
        else violation.evidence.value
    )
    short = lower.removeprefix("epsilon is ")
    return Text.assemble((short, "bold"), f" ({how}), claimed {numerals.exact(violation.epsilon_tested)}")


def _again(mechanism: Mechanism, found: Counterexample, characters: Glyphs, repeat: str) -> Text:
    command = words.reproduce(mechanism, found.seed, repeat)
    return Text.assemble((f"seed {found.seed} {characters.arrow} ", "dim"), (command, "cyan"))
