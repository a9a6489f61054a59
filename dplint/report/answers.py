"""Documents of `dplint inspect`, exact and worst: a pair with its outputs, and the input that loses most."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dplint import outcomes as out
from dplint.report import numerals
from dplint.report.document import Block, Code, Document, Head, Items, Say, SideLine, Sides, Strong, Table
from dplint.report.literals import literal, shortened
from dplint.report.proof_words import scope_words
from dplint.report.stability_words import apart_words, coverage_words, line_title, pair_blocks

_DIGITS = 6
_MOST_ROWS, _MOST_STEPS = 12, 20
_ROOM = 90
_LONGEST = 40


def exact_document(target: str, table: out.ExactTable) -> Document:
    """The pair, both orders with the worst outputs first, delta for some epsilons, and what this rests on."""
    tried = f"the worst of {numerals.count(table.pairs, 'pair')}; " if table.pairs > 1 else ""
    rests = f"{tried}in exact arithmetic: rounded floats are not modelled; {compared_words(table)}"
    body: list[Block] = [
        _pair(table.d1, table.d2, table.arguments),
        _outputs(("D1", "D2"), table.forwards),
        _outputs(("D2", "D1"), table.backwards),
    ]
    if table.deltas:
        most = max(one.delta.high for one in table.deltas) or 1.0
        rows = tuple((f"{one.epsilon:.4f}", numerals.certified(one.delta, 4)) for one in table.deltas)
        body.append(Table(("epsilon", "delta"), rows, tuple(one.delta.middle / most for one in table.deltas)))
    body += [*_noted(table.notes), Say((rests,), "dim")]
    said, kind = _exact_verdict(table)
    return Document(Head(target, None, None, "", (Strong(said),), kind), tuple(body), (_certified(table.certified_by),))


def worst_document(target: str, worst: out.WorstInput) -> Document:
    """The input, its loss beside what is claimed, the steps that led to it, and the branches of data."""
    delta = f" with delta = {numerals.exact(worst.claimed_delta)}" if worst.claimed_delta else ""
    more = ": more than that, by the source alone" if worst.refutes else ""
    said = f"epsilon = {_loss(worst.loss)}{delta}, {numerals.exact(worst.claimed)} claimed{more}"
    steps = worst.steps if len(worst.steps) <= _MOST_STEPS else (*worst.steps[:2], *worst.steps[2 - _MOST_STEPS :])
    rows = tuple(
        (f"{one.inputs:,}", f"{one.seconds:.2f}", _number(one.loss), one.pattern.replace("\n", " ")) for one in steps
    )
    most = max([worst.claimed, *(one.loss for one in steps if one.loss < math.inf)])
    how = f"by {worst.certified_by}, on arrays" if worst.by_runs else "in real numbers"
    tried = f"the worst of {numerals.count(worst.inputs, 'input')} in {worst.seconds:.1f} s"
    body = [
        _pair(worst.d1, worst.d2, worst.arguments),
        Table(("input", "seconds", "loss", "found by"), rows, tuple(min(1.0, one.loss / most) for one in steps)),
        *([Items(tuple((branch_words(one),) for one in worst.branches))] if worst.branches else []),
        *_noted(worst.notes),
        Say((f"{tried}; {how}; no bound for other inputs; {compared_words(worst)}",), "dim"),
    ]
    kind = "violation" if worst.refutes else "info"
    return Document(Head(target, None, None, "", (Strong(said),), kind), tuple(body), (_certified(worst.certified_by),))


def sensitivity_document(target: str, answer: out.Sensitivity) -> Document:
    """The furthest pair, and what was tried."""
    mechanism, found = answer.mechanism, answer.found
    metric = found.stability.metric
    how = "at least" if found.within is None else "exactly"
    said = "no pair moves it" if found.furthest is None else f"{how} {apart_words(found.furthest, metric)}"
    bound = "no bound for other pairs" if found.within is None else f"proved {scope_words(found.within)}"
    centred = "; every draw at its centre" if found.stability.centred else ""
    tried = f"{numerals.count(found.effort.pairs, 'pair')} in {numerals.seconds(found.effort.seconds)}{centred}"
    body = [] if found.furthest is None else [*pair_blocks(mechanism, found.furthest, metric, _ROOM)]
    body.append(Say((f"{tried}; {coverage_words(mechanism, found)}; {bound}",), "dim"))
    rows = tuple(map(_line, answer.lines))
    body += [Table(("line", "value", "sensitivity", "all of ε pays for"), rows)] if rows else []
    return Document(Head(target, None, None, "", (Strong(said),), "info"), (*body, *_noted(found.effort.notes)))


def _line(line: out.LineSensitivity) -> tuple[str, ...]:
    """A line of the function: how far neighbours move its value, beside what the noise there is made for."""
    title = line_title(line.found)
    pays = "" if line.pays is None else f"{numerals.short(line.pays, 6)}{', too little' if line.too_far else ''}"
    return str(line.span.line), shortened(line.name, _LONGEST), "no pair moves it" if title is None else title[0], pays


def compared_words(computed: out.ExactTable | out.WorstInput) -> str:
    """Whether the reading that it rests on was compared with the function, else why it was not."""
    if computed.not_compared:
        return f"not compared with the function: {computed.not_compared}"
    return "what is read was compared with the function"


def branch_words(cover: out.BranchCover) -> str:
    """One branch of data in a line: which ways were taken, and what z3 says of the others."""
    place = f"line {cover.line}" + (f" of {cover.file}" if cover.file else "")
    apart = ", by the two sides of a pair" if cover.told_apart else ""
    said = f"branch at {place}: {cover.taken.value}{apart}"
    if len(cover.impossible) == 2:
        return f"{said}; with these arguments no data of the claim reaches it, says z3"
    words = "true" if cover.impossible[:1] == (True,) else "false"
    return f"{said}; with these arguments no data of the claim makes it {words}, says z3" if cover.impossible else said


def _exact_verdict(table: out.ExactTable) -> tuple[str, str]:
    """What the pair loses beside the claim, and how that is shown."""
    loss = _loss(table.loss)
    if not table.neighbours:
        return f"epsilon = {loss}; the claim does not speak of this pair", "info"
    kind = "violation" if table.refutes else "info"
    if table.at_claim is not None:
        delta = numerals.certified(table.at_claim.delta, _DIGITS)
        allowed = f"{numerals.exact(table.claimed_delta)} claimed"
        said = f"delta = {delta} at epsilon = {numerals.exact(table.claimed)}"
        return f"{said}: more than {allowed}" if table.refutes else f"{said}, of {allowed}, on this pair", kind
    allowed = f"{numerals.exact(table.claimed)} claimed"
    if table.refutes:
        return f"epsilon = {loss}: more than {allowed}", kind
    here = "" if out.exceeds(table.loss.high, table.claimed) else ", on this pair"
    return f"epsilon = {loss} of {allowed}{here}", kind


def _outputs(sides: tuple[str, str], rows: Sequence[out.ExactOutput]) -> Table:
    shown = [
        (
            shortened(row.output, _LONGEST) or "?",
            *(numerals.certified(p, _DIGITS) for p in (row.p1, row.p2)),
            _loss(row.loss),
            _why(row, sides),
        )
        for row in rows[:_MOST_ROWS]
    ]
    left = [(f"{len(rows) - _MOST_ROWS:,} more", "", "", "", "")] if len(rows) > _MOST_ROWS else []
    return Table((f"{sides[0]} over {sides[1]}", *sides, "loss", ""), (*shown, *left))


def _why(row: out.ExactOutput, sides: tuple[str, str]) -> str:
    match row.infinite:
        case out.Impossible(mass=mass):
            one, other = sides
            return f"impossible on {other}; such outputs have probability {numerals.certified(mass, 3)} on {one}"
        case out.UnequalVanishing(order1=one, order2=other):
            return f"the densities vanish there to the orders {one} and {other}"
    return "density" if row.measure is out.Measure.DENSITY else ""


def _loss(loss: out.Bounds) -> str:
    if loss.low == math.inf:
        return "infinite"
    if loss.high == math.inf:
        return f"at least {numerals.lower_bound(loss.low)}"
    return numerals.certified(loss, _DIGITS)


def _number(loss: float) -> str:
    return "infinite" if loss == math.inf else f"{loss:.6g}"


def _pair(d1: object, d2: object, arguments: Sequence[out.Argument]) -> Sides:
    lines = [("D1", literal(d1)), ("D2", literal(d2))]  # type: ignore[arg-type]
    lines += [(one.name, literal(one.value)) for one in arguments]
    return Sides(tuple(SideLine(label, ((text, False),)) for label, text in lines))


def _noted(notes: Sequence[str]) -> list[Block]:
    return [Say((note,)) for note in notes]


def _certified(by: str) -> Say:
    return Say(("certified by ", Code(by)))
