"""A table of exact losses for people."""

from __future__ import annotations

import math

from rich.box import ASCII2, SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dplint.outcomes import Bounds, ExactDelta, ExactOutput, ExactTable, Impossible, Measure, UnequalVanishing, exceeds
from dplint.report import numerals
from dplint.report.literals import literal
from dplint.report.style import Glyphs, glyphs
from dplint.report.worst_words import compared_words

_DIGITS = 6
_ROWS = 12
_BAR = 30


def print_exact_table(target: str, table: ExactTable, console: Console) -> None:
    """Print the pair, both orders with the worst outputs first, delta for some epsilons, and what this rests on."""
    characters = glyphs(console.encoding)
    arguments = "".join(f", {one.name} = {literal(one.value)}" for one in table.arguments)
    console.print(Text.assemble((target, "bold"), f"  D1 = {literal(table.d1)}, D2 = {literal(table.d2)}{arguments}"))
    console.print(_verdict(table))
    console.print(_rows(("D1", "D2"), table.forwards, characters))
    console.print(_rows(("D2", "D1"), table.backwards, characters))
    if table.deltas:
        console.print(_deltas(table.deltas, characters))
    for note in table.notes:
        console.print(Text(note, "yellow"))
    tried = f"the worst of {numerals.count(table.pairs, 'pair')}; " if table.pairs > 1 else ""
    rest = f"by {table.certified_by}, in exact arithmetic: rounded floats are not modelled"
    console.print(Text(f"{tried}{rest}; {compared_words(table)}", style="dim"))


def _verdict(table: ExactTable) -> Text:
    loss = _loss(table.loss)
    if not table.neighbours:
        return Text(f"epsilon = {loss}; the claim does not speak of this pair", "yellow")
    if table.at_claim is not None:
        return _verdict_with_delta(table, table.at_claim)
    allowed = f"{numerals.exact(table.claimed)} claimed"
    if table.refutes:
        return Text(f"epsilon = {loss}: more than {allowed}", "bold red")
    if exceeds(table.loss.high, table.claimed):
        return Text(f"epsilon = {loss} of {allowed}", "yellow")
    return Text(f"epsilon = {loss} of {allowed}, on this pair", "bold")


def _verdict_with_delta(table: ExactTable, found: ExactDelta) -> Text:
    delta = numerals.certified(found.delta, _DIGITS)
    allowed = f"{numerals.exact(table.claimed_delta)} claimed"
    if table.refutes:
        return Text(f"delta = {delta} at epsilon = {numerals.exact(table.claimed)}: more than {allowed}", "bold red")
    style = "yellow" if found.delta.high > table.claimed_delta else "bold"
    return Text(f"delta = {delta} at epsilon = {numerals.exact(table.claimed)}, of {allowed}, on this pair", style)


def _loss(loss: Bounds) -> str:
    if loss.low == math.inf:
        return "infinite"
    if loss.high == math.inf:
        return f"at least {numerals.lower_bound(loss.low)}"
    return numerals.certified(loss, _DIGITS)


def _rows(sides: tuple[str, str], rows: tuple[ExactOutput, ...], characters: Glyphs) -> Table:
    table = Table(box=ASCII2 if characters.bar == "#" else SIMPLE_HEAD, pad_edge=False)
    table.add_column(f"{sides[0]} over {sides[1]}")
    for name in (*sides, "loss"):
        table.add_column(name, justify="right")
    table.add_column("")
    for row in rows[:_ROWS]:
        p1, p2 = (numerals.certified(p, _DIGITS) for p in (row.p1, row.p2))
        table.add_row(Text(row.output or "?"), p1, p2, _loss(row.loss), Text(_why(row, sides), "dim"))
    if len(rows) > _ROWS:
        table.add_row(Text(f"{len(rows) - _ROWS:,} more", "dim"), "", "", "", "")
    return table


def _why(row: ExactOutput, sides: tuple[str, str]) -> str:
    match row.infinite:
        case Impossible(mass=mass):
            one, other = sides
            return f"impossible on {other}; such outputs have probability {numerals.certified(mass, 3)} on {one}"
        case UnequalVanishing(order1=one, order2=other):
            return f"the densities vanish there to the orders {one} and {other}"
    return "density" if row.measure is Measure.DENSITY else ""


def _deltas(deltas: tuple[ExactDelta, ...], characters: Glyphs) -> Table:
    table = Table(box=ASCII2 if characters.bar == "#" else SIMPLE_HEAD, pad_edge=False)
    table.add_column("epsilon", justify="right")
    table.add_column("delta", justify="right")
    table.add_column("")
    most = max(one.delta.high for one in deltas) or 1.0
    for one in deltas:
        bar = characters.bar * round(_BAR * one.delta.middle / most)
        table.add_row(f"{one.epsilon:.4f}", numerals.certified(one.delta, 4), bar)
    return table
