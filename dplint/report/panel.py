"""The panel of one violation: the counterexample, laid out so that a person can check it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from urllib.parse import quote

from rich.box import ROUNDED
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.style import Style
from rich.table import Table
from rich.text import Text

from dplint.claims import Mechanism
from dplint.outcomes import CountedEvidence, ExactEvidence, Finding, Impossible, Measure, Violation, Witness
from dplint.report import compared, evidence_words, numerals, words
from dplint.report.difference import Row, compare, records, rows
from dplint.report.event_words import event_words
from dplint.report.excerpt import excerpt
from dplint.report.explaining import raised_words
from dplint.report.fingerprints import SourceLine
from dplint.report.frames import Frames, frames
from dplint.report.literals import LONGEST, columns, literal, one_line, printable, shortened
from dplint.report.loss_words import losses_words
from dplint.report.proof_words import against_words, certificate_lines
from dplint.report.ratios import (
    allowed_probability,
    estimates,
    is_certain,
    is_limit,
    probability_found,
    ratio_allowed,
    ratio_found,
)
from dplint.report.style import Glyphs, bar

WIDEST = 110
LABEL = 9
BAR = 24
DIFFERENT = "bold red"
_AROUND_TITLE = 6
_SHORTEST_NAME = 16


def violation_panel(
    mechanism: Mechanism,
    violation: Violation,
    characters: Glyphs,
    *,
    width: int,
    source: SourceLine,
    repeat: str = "",
    explained_by: Sequence[Finding] = (),
    verbose: bool = False,
) -> RenderableType:
    """The panel, at most `width` and never more than 110 characters wide.

    It begins with the cause: explained_by, findings in the source, or else the function. Then come the inputs, what is
    observed, its probabilities, and what that means. repeat: the options that the command to reproduce needs besides
    the seed. verbose: how the evidence was won, too.
    """
    width = min(width, WIDEST)
    room = max(24, width - 4 - LABEL - 2)
    parts: list[RenderableType] = []
    for finding in explained_by:
        parts += _why(finding, characters, source, width - 4)
    if not explained_by:
        line = source(mechanism.file, mechanism.span.line)
        parts += excerpt(line, mechanism.span, characters, DIFFERENT, width - 4)
    parts += [Text()] if parts else []
    parts += [
        _counterexample(mechanism, violation, room, characters, verbose=verbose),
        Text(),
        Text(words.attacker(violation), style="bold"),
        Text(),
        *_against(violation, characters),
    ]
    if verbose:
        parts += [_details(mechanism, violation, room, characters), Text()]
    parts.append(_again(mechanism, words.seed_of(violation.counterexample), characters, repeat))
    return Panel(
        Group(*parts),
        title=_title(mechanism, violation, width - _AROUND_TITLE),
        title_align="left",
        border_style="red",
        box=ROUNDED,
        width=width,
    )


def _table(room: int) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", width=LABEL, no_wrap=True)
    table.add_column(width=room, overflow="fold")
    return table


def _counterexample(
    mechanism: Mechanism, violation: Violation, room: int, characters: Glyphs, *, verbose: bool
) -> Table:
    """The inputs, what is observed, its two probabilities, and the bound beside the claim."""
    witness = violation.counterexample.witness
    table = _table(room)
    tables = frames(mechanism, witness.d1, witness.d2, room)
    for label, text in _data(witness, room) if tables is None else [*_frames(tables), *_sizes(witness)]:
        table.add_row(label, text)
    _add_arguments(table, witness)
    observed = event_words(witness.observation) or words.observed(witness.observation)
    table.add_row(words.observed_label(witness.observation), Text(printable(observed), style="cyan"))
    _add_probabilities(table, violation, room, characters, verbose=verbose)
    table.add_row("epsilon", _epsilon(violation))
    if violation.losses:
        table.add_row("losses", Text(losses_words(violation.losses)))
    return table


def _details(mechanism: Mechanism, violation: Violation, room: int, characters: Glyphs) -> Table:
    """What an expert may ask: how much is allowed, how sure it is, the strongest event, and what it took."""
    found = violation.counterexample
    table = _table(room)
    table.add_row("claim", _claim(mechanism, violation))
    if event_words(found.witness.observation):
        table.add_row("in Python", Text(printable(found.witness.event), style="cyan"))
    _add_limit(table, violation, room, characters)
    _add_evidence(table, violation)
    if violation.strongest is not None:
        table.add_row("strongest", Text(evidence_words.strongest(violation.strongest, violation.epsilon_tested)))
    if violation.confirmation is not None:
        table.add_row("confirmed", evidence_words.confirmation(violation.confirmation))
    if found.draws:
        table.add_row("draws", Text(evidence_words.draws_of_a_run(found.draws)))
    table.add_row("effort", Text(words.whole_effort_words(violation.effort), style="dim"))
    return table


def _why(finding: Finding, characters: Glyphs, source: SourceLine, width: int) -> list[Text]:
    """The line at fault, and below it what a rule has to say of it."""
    line = source(finding.file, finding.span.line)
    remarks = raised_words(finding) + (", can be mended automatically" if finding.fixable else "")
    said = Text.assemble(("explained by ", "bold"), (f"{finding.code}: ", DIFFERENT), printable(finding.message))
    return [*excerpt(line, finding.span, characters, DIFFERENT, width), said.append(remarks, style="dim")]


def location(mechanism: Mechanism) -> Text:
    """`file:line:column` of the function, a link where the terminal knows links."""
    place = f"{one_line(mechanism.file)}:{mechanism.span.line}:{mechanism.span.column}"
    return Text(place, style=Style(bold=True, link=f"file://{quote(mechanism.path)}"))


def _title(mechanism: Mechanism, violation: Violation, room: int) -> Text:
    """Code, place and function. A name that is too long is cut, then the folders of the file: never file and line."""
    place = location(mechanism)
    free = room - len(violation.code) - 2
    name = shortened(one_line(mechanism.qualname), max(_SHORTEST_NAME, free - place.cell_len))
    if place.cell_len + columns(name) > free:
        folders, slash, file = place.plain.rpartition("/")
        left = free - columns(name) - columns(file) - len(slash) - 3
        place = Text(f"...{folders[-left:] if left > 0 else ''}{slash}{file}", place.style)
    if place.cell_len + columns(name) > free:
        return Text.assemble((f"{violation.code} ", DIFFERENT), place)
    return Text.assemble((f"{violation.code} ", DIFFERENT), place, f" {name}")


def _claim(mechanism: Mechanism, violation: Violation) -> Text:
    tested = words.promise(violation.epsilon_tested, violation.delta_tested)
    return Text.assemble(tested, (f"   {words.claim_words(mechanism.claim)}", "dim"))


def _data(witness: Witness, room: int) -> list[tuple[str, Text]]:
    """Lines of D1, D2 and the marks under what differs; each line bears its label."""
    lines: list[tuple[str, Text]] = []
    for row in rows(compare(witness.d1, witness.d2, min(LONGEST, room - 4)), room):
        lines.append(("D1", _side(row, first=True)))
        lines.append(("D2", _side(row, first=False)))
        if marks := row.marks():
            lines.append(("", Text(marks, style=DIFFERENT, no_wrap=True)))
    return [*lines, *_sizes(witness)]


def _frames(tables: Frames) -> list[tuple[str, Text]]:
    """The names of the columns, the rows that both have, and those in which they differ."""
    lines: list[tuple[str, Text]] = []
    for row in tables.rows:
        line = Text(no_wrap=True, overflow="crop")
        for text, differs in tables.pieces(row):
            line.append(text, style=DIFFERENT if differs else "" if row.label else "dim")
        line.rstrip()
        lines.append((row.label or "data", line))
        if row.label == "D2" and any(row.differs) and not all(row.differs):
            marks = "".join(("^" if differs else " ") * columns(text) for text, differs in tables.pieces(row))
            lines.append(("", Text(marks.rstrip(), style=DIFFERENT, no_wrap=True)))
    if tables.more:
        lines.append(("", Text(f"and {numerals.count(tables.more, 'row')} more", style="dim")))
    return lines


def _sizes(witness: Witness) -> list[tuple[str, Text]]:
    """By how many records one side is longer."""
    lines: list[tuple[str, Text]] = []
    size1, size2 = records(witness.d1), records(witness.d2)
    if size1 is not None and size2 is not None and size1 != size2:
        longer, shorter, more = ("D1", "D2", size1 - size2) if size1 > size2 else ("D2", "D1", size2 - size1)
        lines.append(("", Text(f"{longer} has {numerals.count(more, 'record')} more than {shorter}", style="dim")))
    return lines


def _side(row: Row, *, first: bool) -> Text:
    line = Text(no_wrap=True, overflow="crop")
    for text, differs in row.side(first=first):
        line.append(text, style=DIFFERENT if differs else "")
    line.rstrip()
    return line


def _add_arguments(table: Table, witness: Witness) -> None:
    shown = [f"{argument.name} = {literal(argument.value)}" for argument in witness.arguments]
    width = min(24, max((len(text) for text in shown), default=0))
    for i, (argument, text) in enumerate(zip(witness.arguments, shown, strict=True)):
        table.add_row("" if i else "arguments", Text.assemble(f"{text:{width}}  ", (argument.why, "dim")))


def _add_probabilities(table: Table, violation: Violation, room: int, characters: Glyphs, *, verbose: bool) -> None:
    evidence = violation.counterexample.evidence
    if isinstance(evidence, ExactEvidence):
        _add_exact(table, evidence, room, characters)
        return
    chances = [
        numerals.probability(evidence.p1, evidence.interval1),
        numerals.probability(evidence.p2, evidence.interval2),
    ]
    counts = [evidence_words.counted(evidence, first=first) for first in (True, False)]
    if max(map(len, chances)) + max(map(len, counts)) + 2 > room:
        counts = [count.removesuffix(" runs") for count in counts]
    _add_sides(table, ("P on D1", "P on D2"), chances, counts, estimates(evidence), room, characters)
    if evidence.coupled is not None:
        table.add_row("", Text(evidence_words.coupled(evidence.coupled, evidence), style="dim"))
        if (too_small := evidence_words.too_small(violation)) is not None:
            table.add_row("too small", too_small)
    elif verbose:
        how = f"intervals: Clopper-Pearson, {numerals.percent(evidence.confidence)} each"
        table.add_row("", Text(how, style="dim"))


def _add_exact(table: Table, evidence: ExactEvidence, room: int, characters: Glyphs) -> None:
    """The two numbers as they were computed, why no epsilon holds if that is so, and what certifies it."""
    labels = ("P on D1", "P on D2") if evidence.measure is Measure.PROBABILITY else ("p on D1", "p on D2")
    told = [numerals.certified(evidence.p1), numerals.certified(evidence.p2)]
    of = f"{evidence.measure.value}, exact"
    _add_sides(table, labels, told, [of, of], estimates(evidence), room, characters)
    if isinstance(evidence.infinite, Impossible):
        mass = f"; outputs like it have probability {numerals.certified(evidence.infinite.mass)} on D1"
        table.add_row("", f"impossible on D2{mass if evidence.measure is Measure.DENSITY else ''}")
    elif evidence.infinite is not None:
        orders = f"t^{evidence.infinite.order1} on D1 and t^{evidence.infinite.order2} on D2"
        table.add_row("", f"at a distance t from this output the densities are like {orders}")
    table.add_row("", Text("; ".join(evidence.certified_by), style="dim"))


def _add_sides(
    table: Table,
    labels: Sequence[str],
    numbers: Sequence[str],
    remarks: Sequence[str],
    sizes: Sequence[float],
    room: int,
    characters: Glyphs,
) -> None:
    """A line for D1 and one for D2: the number, what there is to say of it, and a bar."""
    width, width_remarks = max(map(len, numbers)), max(map(len, remarks))
    free = room - width - width_remarks - 4
    for label, number, remark, size, colour in zip(labels, numbers, remarks, sizes, ("red", "blue"), strict=True):
        line = Text.assemble(f"{number:{width}}  ", (f"{remark:>{width_remarks}}", "dim"))
        if free >= 8:
            line.append("  " + bar(size / max(*sizes, 1e-300), min(BAR, free), characters), style=colour)
        table.add_row(label, line)


def _add_limit(table: Table, violation: Violation, room: int, characters: Glyphs) -> None:
    """What was found beside what the claim allows: a ratio, or for delta > 0 a probability on D1."""
    evidence = violation.counterexample.evidence
    if is_limit(violation):
        return
    if violation.delta_tested:
        label, value, limit = "P on D1", probability_found(evidence), allowed_probability(violation)
        texts = compared.probabilities(violation)
    elif is_certain(violation):
        return
    else:
        label, limit = "ratio", ratio_allowed(violation)
        value, _ = ratio_found(evidence)
        texts = compared.ratios(violation)
    width = max(map(len, texts))
    free = min(BAR, room - width - 10)
    for name, text, number, colour in (("found", texts[0], value, "red"), ("allowed", texts[1], limit, "blue")):
        line = Text(f"{name:7} {text:>{width}}")
        if free >= 8:
            line.append("  " + bar(number / max(value, limit, 1e-300), free, characters), style=colour)
        table.add_row(label, line)
        label = ""


def _add_evidence(table: Table, violation: Violation) -> None:
    evidence = violation.counterexample.evidence
    if not isinstance(evidence, CountedEvidence):
        return
    log_e_value = words.log_evidence(violation)
    if log_e_value is None:
        if evidence.p_value is not None:
            table.add_row("p-value", numerals.p_value(evidence.p_value))
        return
    table.add_row("e-value", evidence_words.e_value(log_e_value, violation.effort.alpha))
    table.add_row("", Text("a fair bet against the claim would have multiplied its stake so many times", style="dim"))
    table.add_row("p-value", f"at most {numerals.p_value(math.exp(-max(0.0, log_e_value)))}")


def _epsilon(violation: Violation) -> Text:
    lower = words.lower_words(violation)
    how = "exact" if words.is_exact(violation) else f"with {numerals.percent(violation.confidence)} confidence"
    short = lower.removeprefix("epsilon is ")
    return Text.assemble((short, "bold"), f" ({how}), claimed {numerals.exact(violation.epsilon_tested)}")


def _against(violation: Violation, characters: Glyphs) -> list[RenderableType]:
    """The proof that stands against the violation, with all of its certificate."""
    if violation.against is None:
        return []
    said = Text.assemble((f"{characters.proved} ", "bold green"), (against_words(violation), "bold"))
    why = [Padding(Text(line, style="dim"), (0, 0, 0, 2)) for line in certificate_lines(violation.against.certificate)]
    return [said, *why, Text()]


def _again(mechanism: Mechanism, seed: int | None, characters: Glyphs, repeat: str) -> Text:
    command = words.reproduce(mechanism, seed, repeat)
    if seed is None:
        return Text.assemble((f"{characters.arrow} ", "dim"), (command, "cyan"))
    return Text.assemble((f"seed {seed} {characters.arrow} ", "dim"), (command, "cyan"))
