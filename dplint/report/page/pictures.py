"""Pictures of the page, as SVG without scripts: probabilities with their intervals, what is known of epsilon.

Colours are classes of the style, so that they follow light and dark. What a picture shows stands beside it as text.
"""

from __future__ import annotations

import math

from dplint.outcomes import (
    CountedEvidence,
    ExactEvidence,
    LargestLoss,
    Measure,
    NoViolation,
    Outcome,
    Underpowered,
    Violation,
    exceeds,
)
from dplint.report import compared, numerals, words
from dplint.report.page.markup import Markup, tag, together
from dplint.report.ratios import allowed_probability, estimates, measure_of

_WIDTH, _LEFT, _RIGHT = 620, 64, 14
_ROW = 34
_STRIP = 120


def probabilities(violation: Violation) -> Markup:
    """Two bars with their intervals; on D1 a dashed line at what the claim allows, for the P2 that was found."""
    evidence = violation.counterexample.evidence
    values = estimates(evidence)
    allowed = _allowed(violation)
    ends = _intervals(evidence)
    most = max(*values, *(high for _, high in ends), allowed or 0.0) or 1.0
    top = _nice(most)
    exact = isinstance(evidence, ExactEvidence)
    name = "density" if measure_of(evidence) is Measure.DENSITY else "P"
    rows = [_bar(i, values[i], ends[i], top, name, exact=exact) for i in (0, 1)]
    limit = _line(_x(allowed, top), 4, 4 + _ROW, "allowed") if allowed is not None and allowed <= top else None
    said = f"{name} on D1 {numerals.short(values[0])}, on D2 {numerals.short(values[1])}"
    if allowed is not None:
        said += f"; the claim allows at most {numerals.short(allowed)} on D1"
    height = 2 * _ROW + 34
    return _svg(said, _WIDTH, height, *rows, limit, _axis(top, 2 * _ROW + 8))


def known_epsilon(outcome: Outcome) -> tuple[Markup, str] | None:
    """A small strip: how much epsilon is at least, beside the claim, and that in words; None if nothing was tested."""
    if not isinstance(outcome, Violation | NoViolation | Underpowered) or not outcome.tested:
        return None
    if isinstance(outcome, Violation):
        lower, claimed = outcome.epsilon_lower, outcome.epsilon_tested
    else:
        worst = max(outcome.tested, key=lambda one: one.lower / one.epsilon if one.epsilon else one.lower)
        lower, claimed = worst.lower, worst.epsilon
    refuted = isinstance(outcome, Violation)
    known = compared.beyond(lower, claimed) if refuted else f"at least {compared.lower(lower, claimed)}"
    known = "no finite epsilon holds" if math.isinf(lower) else known
    said = f"{known}; claimed {numerals.exact(claimed)}"
    return _strip(lower, claimed, said), said


def exact_loss(loss: LargestLoss) -> Markup:
    """The largest exact loss beside the claim."""
    size, claimed = loss.pair.loss.low, loss.pair.claimed
    return _strip(size, claimed, f"loss {numerals.short(size)}; claimed {numerals.exact(claimed)}")


def _strip(value: float, claimed: float, said: str) -> Markup:
    top = max(claimed, 0.0 if math.isinf(value) else value) * 1.15 or 1.0
    width = _STRIP if math.isinf(value) else max(0.0, value) / top * _STRIP
    over = "over" if exceeds(value, claimed) else "under"
    mark = claimed / top * _STRIP
    return _svg(
        said,
        _STRIP,
        14,
        tag("rect", x=0, y=4, width=_STRIP, height=6, class_="track"),
        tag("rect", x=0, y=4, width=_number(width), height=6, class_=over),
        tag("line", x1=_number(mark), x2=_number(mark), y1=0, y2=14, class_="claimed"),
        class_="strip",
    )


def _allowed(violation: Violation) -> float | None:
    """What the claim allows on D1; None where the two numbers are densities next to each other that vanish."""
    evidence = violation.counterexample.evidence
    if measure_of(evidence) is Measure.DENSITY:
        return math.exp(violation.epsilon_tested) * estimates(evidence)[1] if not violation.delta_tested else None
    return allowed_probability(violation)


def _intervals(evidence: CountedEvidence | ExactEvidence) -> tuple[tuple[float, float], tuple[float, float]]:
    one, two = (
        (evidence.interval1, evidence.interval2)
        if isinstance(evidence, CountedEvidence)
        else (evidence.p1, evidence.p2)
    )
    return (one.low, one.high), (two.low, two.high)


def _bar(i: int, value: float, ends: tuple[float, float], top: float, name: str, *, exact: bool) -> Markup:
    y = 4 + i * _ROW
    middle = y + _ROW / 2
    low, high = _x(ends[0], top), _x(ends[1], top)
    whiskers = [
        tag("line", x1=_number(low), x2=_number(high), y1=middle, y2=middle, class_="interval"),
        _line(low, middle - 5, middle + 5, "interval"),
        _line(high, middle - 5, middle + 5, "interval"),
    ]
    bar = tag("rect", x=_LEFT, y=y + 6, width=_number(_x(value, top) - _LEFT), height=_ROW - 12, class_=f"bar d{i + 1}")
    label = tag("text", f"{name} on D{i + 1}", x=0, y=middle + 4, class_="label")
    return together(label, bar, *([] if exact else whiskers))


def _axis(top: float, y: float) -> Markup:
    ticks = [top * i / 4 for i in range(5)]
    drawn = [_line(_x(tick, top), y, y + 4, "axis") for tick in ticks]
    texts = [
        tag("text", numerals.short(tick), x=_number(_x(tick, top)), y=y + 18, text_anchor="middle", class_="tick")
        for tick in ticks
    ]
    return together(tag("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y, y2=y, class_="axis"), *drawn, *texts)


def _line(x: float, y1: float, y2: float, kind: str) -> Markup:
    return tag("line", x1=_number(x), x2=_number(x), y1=_number(y1), y2=_number(y2), class_=kind)


def _x(value: float, top: float) -> float:
    return _LEFT + value / top * (_WIDTH - _LEFT - _RIGHT)


def _nice(value: float) -> float:
    """The least of 1, 2, 4, 8 times a power of ten that is not below the value: its quarters are short numbers."""
    power = 10.0 ** math.floor(math.log10(value))
    return next((step * power for step in (1.0, 2.0, 4.0, 8.0, 10.0) if value <= step * power), 10.0 * power)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _svg(said: str, width: int, height: int, *children: Markup | None, class_: str = "picture") -> Markup:
    return tag(
        "svg",
        tag("title", said),
        *children,
        viewBox=f"0 0 {width} {height}",
        role="img",
        aria_label=said,
        class_=class_,
    )


def epsilon_words(violation: Violation) -> str:
    """The bound beside the claim, for the line below the picture."""
    how = "exact" if words.is_exact(violation) else f"{numerals.percent(violation.confidence)} confidence"
    return f"{words.lower_words(violation)} ({how}), where {numerals.exact(violation.epsilon_tested)} is claimed"
