"""The document of a sweep: p-values against tested epsilons, exact deltas beside, and what each line says.

What a sweep says, in words.

A sweep as a picture: p-values by tested epsilon, as figures 2 to 4 of Ding et al. (CCS 2018), and exact deltas.

What a function loses as a picture: delta over epsilon, computed on one pair and proved for all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from dplint.outcomes import Curve, CurveLine, CurvePoint, ExactCurve, ExactTable
from dplint.report import numerals, words
from dplint.report.document import Code, Document, Head, Inline, Items, Say, Table
from dplint.report.json_evidence import Json, fields, number_json
from dplint.report.literals import literal
from dplint.report.page.document import Markup, decimal, rounded_up, tag


def line_name(line: CurveLine) -> str:
    """The claim parameters of a line, or the claimed epsilon where the claim has none."""
    return words.arguments_words(line.parameters) or f"epsilon = {numerals.exact(line.claimed)}"


def rejected_up_to(line: CurveLine) -> float | None:
    """The largest tested epsilon that is rejected together with every smaller one, None if the smallest is not."""
    largest = None
    for point in sorted(line.points, key=lambda point: point.epsilon):
        if not point.rejected:
            break
        largest = point.epsilon
    return largest


def outcome_words(line: CurveLine) -> str:
    """What a line says about its claim, in one sentence."""
    name, claimed = line_name(line), numerals.exact(line.claimed)
    up_to = rejected_up_to(line)
    if up_to is None:
        return f"{name}: nothing rejected; claimed {claimed}"
    verdict = "the claim is rejected too" if up_to >= line.claimed else "the claim is not rejected"
    return f"{name}: rejected up to {numerals.exact(up_to)}; claimed {claimed}: {verdict}"


def exact_words(line: CurveLine) -> str:
    """What was computed beside the runs of a line, in one sentence; empty if nothing was asked for."""
    if line.exact is None:
        return line.not_exact
    found = line.exact
    loss = "infinite" if found.loss.low == math.inf else numerals.certified(found.loss)
    pairs = "on this pair" if found.pairs == 1 else f"the largest loss on {numerals.count(found.pairs, 'pair')}"
    return f"computed: {loss} of {numerals.exact(line.claimed)} claimed, {pairs}, {exact_place(found)}"


def exact_place(found: ExactCurve) -> str:
    """The pair that an exact curve is of, with its arguments."""
    arguments = "".join(f", {one.name} = {literal(one.value)}" for one in found.arguments)
    return f"D1 = {literal(found.d1)}, D2 = {literal(found.d2)}{arguments}"


def curve_shown(curve: Curve) -> dict[str, Json]:
    """The lines with their names, what each says of its claim, and what it took.

    rejectedUpTo: the largest tested epsilon that is rejected with every smaller one; null if the smallest is not.
    exact: what was computed without a run; null if nothing was, and `exactWords` says why.
    """
    effort = curve.effort
    return {
        "function": curve.mechanism.qualname,
        "claim": words.claim_words(curve.mechanism.claim),
        **fields(curve, "level"),
        "lines": [_line(line) for line in curve.lines],
        "effort": f"{words.effort_words(effort)}; seed {effort.seed}",
        "explanation": (
            f"A point is rejected if its p-value is below {numerals.short(curve.level)}, each by itself. A mechanism "
            "that keeps its claim is rejected at the claimed epsilon, or above it, by chance alone."
        ),
        **fields(effort, "notes"),
    }


def _line(line: CurveLine) -> Json:
    points = sorted(line.points, key=lambda point: point.epsilon)
    return {
        "name": line_name(line),
        **fields(line, "claimed"),
        "rejectedUpTo": number_json(rejected_up_to(line)),
        "words": outcome_words(line),
        "exact": None if line.exact is None else _exact(line.exact),
        "exactWords": exact_words(line),
        "points": [fields(point, "epsilon p_value=pValue lower rejected") for point in points],
    }


def _exact(found: ExactCurve) -> Json:
    """Numbers to draw: the middles of intervals that are narrower than a pixel, where they are known at all."""
    points: list[Json] = [{**fields(one, "epsilon"), "delta": number_json(one.delta.middle)} for one in found.deltas]
    return {**fields(found.loss, "low=lower high=upper"), "points": points}


def curve_document(curve: Curve) -> Document:
    """What was swept, the table, and for each value of the claim up to where the test rejects."""
    mechanism, effort = curve.mechanism, curve.effort
    said = (Code(mechanism.qualname), f" against tested epsilons; it claims {words.claim_words(mechanism.claim)}")
    head = Head.at(mechanism.file, mechanism.span, "", said, "info", path=mechanism.path)
    told: list[Inline] = []
    for line in curve.lines:
        told += [(outcome_words(line),), *([(computed,)] if (computed := exact_words(line)) else [])]
    how = (
        f"x: rejected, a p-value below {numerals.short(curve.level)}, for each point by itself; "
        f"{words.effort_words(effort)}; seed {effort.seed}"
    )
    return Document(head, (_table(curve), Items(tuple(told)), Say((how,), "dim")))


def _table(curve: Curve) -> Table:
    """For each tested epsilon the p-value of each line, and the delta that its pair keeps where that was computed."""
    head = ["tested epsilon"]
    for line in curve.lines:
        head += [line_name(line), *(["delta"] if line.exact is not None else [])]
    by_epsilon = [{point.epsilon: point for point in line.points} for line in curve.lines]
    rows = []
    for epsilon in sorted({epsilon for points in by_epsilon for epsilon in points}):
        cells = [numerals.exact(epsilon)]
        for points, line in zip(by_epsilon, curve.lines, strict=True):
            cells.append(_cell(points.get(epsilon)))
            if line.exact is not None:
                deltas = (one.delta for one in line.exact.deltas if one.epsilon == epsilon)
                cells.append(next((numerals.certified(one, 3) for one in deltas), ""))
        rows.append(tuple(cells))
    return Table(tuple(head), tuple(rows))


def _cell(point: CurvePoint | None) -> str:
    if point is None:
        return ""
    return f"{numerals.p_value(point.p_value)} {'x' if point.rejected else ' '}"


COLOURS = ("#1f5fa8", "#d9701a", "#2c8a4b", "#a03a8f", "#178a94", "#b3262b")
_WIDTH, _HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 580, 40, 350
_GREY = "#777777"


def sweep_svg(curve: Curve) -> str:
    """The picture of a sweep. The same curve makes the same text."""
    tested = [point.epsilon for line in curve.lines for point in line.points] + [one.claimed for one in curve.lines]
    low, high = min(tested, default=0.0), max(tested, default=1.0)
    deltas = [one.delta.middle for line in curve.lines if line.exact is not None for one in line.exact.deltas]
    top = rounded_up(max(deltas) or 1.0) if deltas else 0.0
    marks = (mark for i in range(len(curve.lines)) for mark in _drawn_line(curve, i, low, high, top))
    title = f"{curve.mechanism.qualname}: p-values against the tested epsilon"
    return _drawing(title, *_axes(curve, low, high, top), *marks)


def loss_svg(name: str, table: ExactTable, proved: float | None) -> str:
    """Delta over epsilon: of the pair that loses most, exactly; and above it what is proved for all neighbours.

    proved: an epsilon that is proved with the delta of the claim, None without a proof. What is proved without a delta
    bounds the others: no such mechanism keeps less than randomised response does (Kairouz, Oh and Viswanath, ICML 2015,
    theorem 3.2).
    """
    pair = [(one.epsilon, one.delta.middle) for one in table.deltas]
    end = max([*(epsilon for epsilon, _ in pair), proved or 0.0]) or 1.0
    above = []
    if proved is not None and table.claimed_delta == 0:
        steps = [end * i / 60 for i in range(61)]
        above = [(x, max(0.0, math.exp(proved) - math.exp(x)) / (1 + math.exp(proved))) for x in steps]
    top = rounded_up(max([delta for _, delta in (*pair, *above)], default=0.0) or 1.0)

    def places(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        return [(_LEFT + x / end * (_RIGHT - _LEFT), _y(delta / top)) for x, delta in points]

    marks = [
        *_frame(f"{name}: what it keeps", 0.0, end, top),
        _text("ε", (_LEFT + _RIGHT) / 2, _BOTTOM + 38, "middle"),
        _text("δ", _LEFT - 8, _TOP - 10, "end"),
        _path(places(pair), COLOURS[0]),
        *_legend(0, COLOURS[0], "computed: the pair that loses most; nothing below is kept"),
    ]
    if proved is not None:
        ((x, y),) = places([(proved, table.claimed_delta)])
        marks.append(tag("circle", cx=decimal(x), cy=decimal(y), r=4, fill=COLOURS[2]))
        said = f"proved for all neighbours: ε = {numerals.short(proved)}"
        said += f", δ = {numerals.short(table.claimed_delta)}" if table.claimed_delta else ", and what follows from it"
        marks += [_path(places(above), COLOURS[2], "6 4"), *_legend(1, COLOURS[2], said)]
    return _drawing(f"{name}: delta over epsilon", *marks)


def promise_svg(
    name: str,
    claimed: tuple[Sequence[tuple[float, float]], str],
    computed: tuple[Sequence[tuple[float, float]], str],
    axes: tuple[str, str] = ("ε", "δ"),
) -> str:
    """Delta over epsilon, or what else is on the axes: a curve that is claimed, and points that were computed; each
    with what it is.
    """
    every = [*claimed[0], *computed[0]]
    end, top = max(epsilon for epsilon, _ in every), rounded_up(max(delta for _, delta in every) or 1.0)

    def places(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        return [(_LEFT + x / end * (_RIGHT - _LEFT), _y(delta / top)) for x, delta in points]

    dots = (tag("circle", cx=decimal(x), cy=decimal(y), r=3.5, fill=COLOURS[0]) for x, y in places(computed[0]))
    return _drawing(
        f"{name}: {axes[1]} over {axes[0]}",
        *_frame(name, 0.0, end, top),
        _text(axes[0], (_LEFT + _RIGHT) / 2, _BOTTOM + 38, "middle"),
        _text(axes[1], _LEFT - 8, _TOP - 10, "end"),
        _path(places(claimed[0]), COLOURS[2], "6 4"),
        *_legend(0, COLOURS[2], claimed[1]),
        _path(places(computed[0]), COLOURS[0]),
        *dots,
        *_legend(1, COLOURS[0], computed[1]),
    )


def _drawing(title: str, *marks: Markup) -> str:
    drawing = tag(
        "svg",
        tag("title", title),
        tag("rect", x=0, y=0, width=_WIDTH, height=_HEIGHT, fill="#ffffff"),
        *marks,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        font_family="sans-serif",
        font_size=12,
    )
    return f"{drawing}\n"


def _frame(title: str, low: float, high: float, top: float) -> Iterator[Markup]:
    """Two axes with their numbers: from low to high, and from 0 to top."""
    yield _text(title, (_LEFT + _RIGHT) / 2, 22, "middle", size=14)
    for i in range(5):
        x, y = _LEFT + i * (_RIGHT - _LEFT) / 4, _y(i / 4)
        yield _segment(_LEFT, y, _RIGHT, y, "#e6e6e6")
        yield _text(numerals.short(low + i * (high - low) / 4), x, _BOTTOM + 18, "middle")
        yield _text(numerals.short(top * i / 4), _LEFT - 8, y + 4, "end")
    yield _segment(_LEFT, _BOTTOM, _RIGHT, _BOTTOM, "#000000")
    yield _segment(_LEFT, _TOP, _LEFT, _BOTTOM, "#000000")


def _legend(row: int, colour: str, said: str) -> Iterator[Markup]:
    y = _TOP + 16 + 16 * row
    yield _segment(_LEFT + 12, y - 4, _LEFT + 32, y - 4, colour)
    yield _text(said, _LEFT + 38, y, "start", colour)


def _axes(curve: Curve, low: float, high: float, top: float) -> Iterator[Markup]:
    """The frame with its numbers, the level, and what is on the axes; at the right deltas, where there are some."""
    yield from _frame(f"{curve.mechanism.qualname} (dashed: the claimed ε)", low, high, 1.0)
    if top:
        yield from (_text(numerals.short(top * i / 4), _RIGHT + 8, _y(i / 4) + 4, "start") for i in range(5))
    yield _segment(_LEFT, _y(curve.level), _RIGHT, _y(curve.level), _GREY, "1.5 2.5")
    yield _text(f"level {numerals.short(curve.level)}", _RIGHT, _y(curve.level) - 4, "end", _GREY)
    yield _text("tested ε", (_LEFT + _RIGHT) / 2, _BOTTOM + 38, "middle")
    yield _text("p-value", _LEFT - 8, _TOP - 10, "end")
    if top:
        yield _text("exact δ of the worst pair (dotted)", _WIDTH - 4, _TOP - 10, "end")
        yield tag("g", _segment(_RIGHT, _TOP, _RIGHT, _BOTTOM, "#000000"), id="deltas")


def _drawn_line(curve: Curve, i: int, low: float, high: float, top: float) -> Iterator[Markup]:
    """What belongs to one value of the claim, in its colour, and its name."""
    line, colour = curve.lines[i], COLOURS[i % len(COLOURS)]

    def x(epsilon: float) -> float:
        return _LEFT + (epsilon - low) / ((high - low) or 1.0) * (_RIGHT - _LEFT)

    yield _segment(x(line.claimed), _TOP, x(line.claimed), _BOTTOM, colour, "6 4")
    points = sorted((one.epsilon, one.p_value) for one in line.points if math.isfinite(one.p_value))
    places = [(x(epsilon), _y(p_value)) for epsilon, p_value in points]
    yield _path(places, colour)
    yield from (tag("circle", cx=decimal(a), cy=decimal(b), r=3, fill=colour) for a, b in places)
    if line.exact is not None and top:
        yield _path([(x(one.epsilon), _y(one.delta.middle / top)) for one in line.exact.deltas], colour, "1.5 3")
    yield from _legend(i, colour, line_name(line))


def _y(share: float) -> float:
    return _BOTTOM - min(1.0, max(0.0, share)) * (_BOTTOM - _TOP)


def _segment(x1: float, y1: float, x2: float, y2: float, colour: str, dashes: str | None = None) -> Markup:
    return _path([(x1, y1), (x2, y2)], colour, dashes)


def _path(places: Sequence[tuple[float, float]], colour: str, dashes: str | None = None) -> Markup:
    points = " ".join(f"{decimal(x)},{decimal(y)}" for x, y in places)
    return tag("polyline", points=points, fill="none", stroke=colour, stroke_width=1.4, stroke_dasharray=dashes)


def _text(said: str, x: float, y: float, anchor: str, colour: str = "#222222", size: int = 12) -> Markup:
    return tag("text", said, x=decimal(x), y=decimal(y), text_anchor=anchor, fill=colour, font_size=size)
