"""The worst input of a search for people: its loss, how the search came to it, and the branches it went through."""

from __future__ import annotations

import math

from rich.box import ASCII2, SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dplint.outcomes import BranchCover, ClimbStep, Taken, WorstInput, exceeds
from dplint.report import numerals
from dplint.report.literals import literal
from dplint.report.style import Glyphs, glyphs
from dplint.report.worst_words import compared_words, impossible_words, loss_words, taken_words

_STEPS = 12
_BAR = 30


def print_worst_input(target: str, worst: WorstInput, console: Console) -> None:
    """Print the input, its loss beside what is claimed, the steps with a bar for each, and the branches of data."""
    characters = glyphs(console.encoding)
    arguments = "".join(f", {one.name} = {literal(one.value)}" for one in worst.arguments)
    console.print(Text.assemble((target, "bold"), f"  D1 = {literal(worst.d1)}, D2 = {literal(worst.d2)}{arguments}"))
    console.print(_verdict(worst))
    console.print(_steps(worst.steps, worst.claimed, characters))
    for one in worst.branches:
        console.print(branch_text(one))
    for note in worst.notes:
        console.print(Text(note, "yellow"))
    tried = numerals.count(worst.inputs, "input")
    how = "on arrays" if worst.by_runs else "in real numbers"
    rest = f"by {worst.certified_by}, {how}; no bound for other inputs; {compared_words(worst)}"
    console.print(Text(f"the worst of {tried} in {worst.seconds:.1f} s; {rest}", style="dim"))


def _verdict(worst: WorstInput) -> Text:
    delta = f" with delta = {numerals.exact(worst.claimed_delta)}" if worst.claimed_delta else ""
    text = f"epsilon = {loss_words(worst)}{delta}, {numerals.exact(worst.claimed)} claimed"
    if worst.refutes:
        return Text(f"{text}: more than that, by the source alone", "bold red")
    return Text(text, "yellow" if exceeds(worst.loss.high, worst.claimed) else "bold")


def _steps(steps: tuple[ClimbStep, ...], claimed: float, characters: Glyphs) -> Table:
    table = Table(box=ASCII2 if characters.bar == "#" else SIMPLE_HEAD, pad_edge=False)
    for name in ("input", "seconds", "loss"):
        table.add_column(name, justify="right")
    table.add_column("")
    table.add_column("found by")
    shown = steps if len(steps) <= _STEPS else (*steps[:2], *steps[2 - _STEPS :])
    most = max([claimed, *(one.loss for one in shown if one.loss < math.inf)])
    for one in shown:
        bar = characters.bar * round(_BAR * min(1.0, one.loss / most))
        style = "red" if exceeds(one.loss, claimed) else ""
        loss = "infinite" if one.loss == math.inf else f"{one.loss:.6g}"
        table.add_row(f"{one.inputs:,}", f"{one.seconds:.2f}", loss, Text(bar, style), Text(one.pattern))
    return table


def branch_text(cover: BranchCover) -> Text:
    """One branch of data in a line: which ways were taken, and what z3 says of the others."""
    text = Text(taken_words(cover))
    if cover.taken is not Taken.BOTH and not cover.impossible:
        text.stylize("yellow")
    return text.append(impossible_words(cover), "dim")
