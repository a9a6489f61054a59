"""The document of a sweep: p-values against tested epsilons, exact deltas beside, and what each line says.

What a sweep says, in words.

A sweep as a picture: p-values by tested epsilon, as figures 2 to 4 of Ding et al. (CCS 2018), and exact deltas.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from dplint.outcomes import Curve, CurveLine, CurvePoint, ExactCurve
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


def write_svg(curve: Curve, path: Path) -> None:
    """Write the picture. The same curve makes the same bytes. Raises OSError if the file cannot be written."""
    tested = [point.epsilon for line in curve.lines for point in line.points] + [one.claimed for one in curve.lines]
    low, high = min(tested, default=0.0), max(tested, default=1.0)
    deltas = [one.delta.middle for line in curve.lines if line.exact is not None for one in line.exact.deltas]
    top = rounded_up(max(deltas) or 1.0) if deltas else 0.0
    drawing = tag(
        "svg",
        tag("title", f"{curve.mechanism.qualname}: p-values against the tested epsilon"),
        tag("rect", x=0, y=0, width=_WIDTH, height=_HEIGHT, fill="#ffffff"),
        *_axes(curve, low, high, top),
        *(mark for i in range(len(curve.lines)) for mark in _drawn_line(curve, i, low, high, top)),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        font_family="sans-serif",
        font_size=12,
    )
    path.write_text(f"{drawing}\n", encoding="utf-8")


def _axes(curve: Curve, low: float, high: float, top: float) -> Iterator[Markup]:
    """The frame with its numbers, the level, and what is on the axes; at the right deltas, where there are some."""
    yield _text(f"{curve.mechanism.qualname} (dashed: the claimed ε)", (_LEFT + _RIGHT) / 2, 22, "middle", size=14)
    for i in range(5):
        x, y = _LEFT + i * (_RIGHT - _LEFT) / 4, _y(i / 4)
        yield _segment(_LEFT, y, _RIGHT, y, "#e6e6e6")
        yield _text(numerals.short(low + i * (high - low) / 4), x, _BOTTOM + 18, "middle")
        yield _text(numerals.short(i / 4), _LEFT - 8, y + 4, "end")
        if top:
            yield _text(numerals.short(top * i / 4), _RIGHT + 8, y + 4, "start")
    yield _segment(_LEFT, _BOTTOM, _RIGHT, _BOTTOM, "#000000")
    yield _segment(_LEFT, _TOP, _LEFT, _BOTTOM, "#000000")
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
    row = _TOP + 16 + 16 * i
    yield _segment(_LEFT + 12, row - 4, _LEFT + 32, row - 4, colour)
    yield _text(line_name(line), _LEFT + 38, row, "start", colour)


def _y(share: float) -> float:
    return _BOTTOM - min(1.0, max(0.0, share)) * (_BOTTOM - _TOP)


def _segment(x1: float, y1: float, x2: float, y2: float, colour: str, dashes: str | None = None) -> Markup:
    return _path([(x1, y1), (x2, y2)], colour, dashes)


def _path(places: Sequence[tuple[float, float]], colour: str, dashes: str | None = None) -> Markup:
    points = " ".join(f"{decimal(x)},{decimal(y)}" for x, y in places)
    return tag("polyline", points=points, fill="none", stroke=colour, stroke_width=1.4, stroke_dasharray=dashes)


def _text(said: str, x: float, y: float, anchor: str, colour: str = "#222222", size: int = 12) -> Markup:
    return tag("text", said, x=decimal(x), y=decimal(y), text_anchor=anchor, fill=colour, font_size=size)
