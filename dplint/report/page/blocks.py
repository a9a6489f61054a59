"""Documents as HTML: an article each, its picture drawn as SVG without scripts.

Colours are classes of the style, so that they follow light and dark. What a picture shows stands beside it as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dplint.report import document as doc
from dplint.report import numerals
from dplint.report.page.markup import Markup, decimal, rounded_up, table, tag, together
from dplint.report.style import UNICODE
from dplint.source.cell_names import split_cell

_WIDTH, _LEFT, _RIGHT = 620, 40, 14
_ROW = 34


def article(told: doc.Document, anchor: str | None = None) -> Markup:
    """All that is told: the head, what everybody reads, and what only some ask for, folded."""
    more = [*map(block, told.more), _items(doc.ticked(f"note: {note}") for note in told.notes)]
    folded = tag("details", tag("summary", "more"), *more) if any(more) else None
    kind = told.head.kind
    return tag(
        "article",
        _head(told.head),
        *map(block, told.body),
        folded,
        id=anchor,
        class_=f"card {kind}-card" if told.body else f"line {kind}-card",
        data_kind="finding" if kind in ("error", "warning", "info") else kind,
        data_file=split_cell(told.head.file)[0],
    )


def _head(head: doc.Head) -> Markup:
    """The place, the code or sign, and the verdict, on one line."""
    mark = head.code or getattr(UNICODE, head.sign, "")
    return tag(
        "h3",
        tag("span", head.place, class_="place"),
        tag("span", mark, class_=f"verdict {head.kind}"),
        tag("span", inline(head.said)),
    )


def inline(words: doc.Inline) -> Markup:
    """A sentence with its code and what is strong in it."""
    return together(*map(_piece, words))


def _piece(piece: str) -> str:
    name = "code" if isinstance(piece, doc.Code) else "strong" if isinstance(piece, doc.Strong) else ""
    return tag(name, piece) if name else piece


def block(one: doc.Block) -> Markup | None:
    """One block; None where there is nothing to see."""
    match one:
        case doc.Source():
            return _source(one)
        case doc.Say(words, kind):
            return tag("p", inline(words), class_=kind or None)
        case doc.Sides(lines):
            shown = [piece for line in lines for piece in _side(line.label, line.pieces)]
            return tag("pre", *shown, class_="data")
        case doc.Chart():
            numbers = ", ".join(bar.told for bar in one.bars)
            return together(tag("p", f"{one.measure}(", inline(one.of), f"): {numbers}"), _chart(one))
        case doc.Facts(pairs):
            return _definitions(pairs)
        case doc.Items(lines):
            return _items(lines)
        case doc.Table(head, rows):
            return table(head, rows)
        case doc.Verbatim(lines):
            return tag("pre", "\n".join(lines))


def _source(one: doc.Source) -> Markup | None:
    """A line of source with what is meant marked; None where the line is not to be had."""
    if one.text is None:
        return None
    span, shown = one.span, one.text.strip()
    indent = len(one.text) - len(one.text.lstrip())  # a narrow page has no room for it
    start = min(max(0, span.column - 1 - indent), len(shown))
    end = span.end_column - 1 - indent if span.end_line == span.line else len(shown)
    number = tag("span", f"{span.line} ", class_="number")
    return tag("pre", number, shown[:start], tag("mark", shown[start:end]), shown[end:], class_="source")


def _side(label: str, pieces: Iterable[tuple[str, bool]]) -> Iterator[str]:
    yield tag("span", f"{label:<6}", class_="number")
    yield from (tag("mark", text) if differs else text for text, differs in pieces)
    yield "\n"


def _items(lines: Iterable[doc.Inline]) -> Markup | None:
    items = [tag("li", inline(line)) for line in lines]
    return tag("ul", *items) if items else None


def _definitions(pairs: Iterable[tuple[str, doc.Inline]]) -> Markup:
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", inline(said))) for name, said in pairs))


def _chart(chart: doc.Chart) -> Markup:
    """A bar for each number, with its interval; on D1 a dashed line at what the claim allows for the P2 found."""
    ends = [bar.ends or (bar.size, bar.size) for bar in chart.bars]
    most = max(*(bar.size for bar in chart.bars), *(high for _, high in ends), chart.allowed or 0.0) or 1.0
    top = rounded_up(most)
    said = f"{chart.measure}({doc.plain(chart.of)}): " + ", ".join(f"{bar.number} on {bar.label}" for bar in chart.bars)
    limit: Markup | None = None
    if chart.allowed is not None:
        said += f"; the claim allows at most {numerals.short(chart.allowed)} on D1"
        limit = _line(_x(chart.allowed, top), 4, 4 + _ROW, "allowed") if chart.allowed <= top else None
    rows = [_bar(i, bar.label, bar.size, bar.ends, top) for i, bar in enumerate(chart.bars)]
    return tag(
        "svg",
        tag("title", said),
        *rows,
        limit,
        _axis(top, len(rows) * _ROW + 8),
        viewBox=f"0 0 {_WIDTH} {len(rows) * _ROW + 34}",
        role="img",
        aria_label=said,
        class_="picture",
    )


def _bar(i: int, label: str, value: float, ends: tuple[float, float] | None, top: float) -> Markup:
    y = 4 + i * _ROW
    middle = y + _ROW / 2
    whiskers: list[Markup] = []
    if ends is not None:
        low, high = _x(ends[0], top), _x(ends[1], top)
        across = tag("line", x1=decimal(low), x2=decimal(high), y1=middle, y2=middle, class_="interval")
        whiskers = [across, *(_line(x, middle - 5, middle + 5, "interval") for x in (low, high))]
    width = decimal(_x(value, top) - _LEFT)
    bar = tag("rect", x=_LEFT, y=y + 6, width=width, height=_ROW - 12, class_=f"bar d{i + 1}")
    return together(tag("text", label, x=0, y=middle + 4, class_="label"), bar, *whiskers)


def _axis(top: float, y: float) -> Markup:
    ticks = [top * i / 4 for i in range(5)]
    drawn = [_line(_x(tick, top), y, y + 4, "axis") for tick in ticks]
    texts = [
        tag("text", numerals.short(tick), x=decimal(_x(tick, top)), y=y + 18, text_anchor="middle", class_="tick")
        for tick in ticks
    ]
    return together(tag("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y, y2=y, class_="axis"), *drawn, *texts)


def _line(x: float, y1: float, y2: float, kind: str) -> Markup:
    return tag("line", x1=decimal(x), x2=decimal(x), y1=decimal(y1), y2=decimal(y2), class_=kind)


def _x(value: float, top: float) -> float:
    return _LEFT + value / top * (_WIDTH - _LEFT - _RIGHT)
