"""The whole page: one file without a reference to any other, which its own policy forbids, too.

HTML from text that may be anybody's: whatever is not markup already is escaped, so that nothing can be forgotten.

Documents as HTML: an article each, its picture drawn as SVG without scripts.

Colours are classes of the style, so that they follow light and dark. What a picture shows stands beside it as text.
"""

from __future__ import annotations

import base64
import hashlib
import html
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from dplint import __version__
from dplint.outcomes import CheckError, Finding, Silenced, Violation
from dplint.report import document as doc
from dplint.report import numerals
from dplint.report.document import ticked
from dplint.report.documents import documents, message
from dplint.report.format import Report
from dplint.report.gathered import (
    VERDICT_WORDS,
    Gathered,
    Problem,
    SharedFailure,
    shared_failures,
    silenced_code,
    verdict_name,
)
from dplint.report.literals import printable
from dplint.report.page.claims import (
    HEAD,
    STATE,
    State,
    budget_tree,
    budget_words,
    differences,
    has_parts,
    held,
    read_state,
    rows,
    state_of,
)
from dplint.report.style import UNICODE
from dplint.report.summary import counts_words, remarks, summary
from dplint.source.notebooks import split_cell

if TYPE_CHECKING:
    from dplint.contracts.tree import Budget

_EMPTY = frozenset({"circle", "input", "line", "meta", "polyline", "rect"})


class Markup(str):
    """HTML that is ready. Only functions of this file make it."""

    __slots__ = ()


def tag(name: str, /, *children: str | None, **attributes: str | float | bool | None) -> Markup:
    """An element. Children are escaped unless they are markup, and None is left out.

    attributes: `class_` stands for class, `data_kind` for data-kind. True is an attribute without a value; False and
    None are left out.
    """
    given = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _EMPTY and not children:
        return Markup(f"<{name}{given}>" if name in ("input", "meta") else f"<{name}{given}/>")
    return Markup(f"<{name}{given}>{together(*children)}</{name}>")


def together(*children: str | None) -> Markup:
    """Children one after another, without an element around them."""
    return Markup("".join(text(child) for child in children if child is not None))


def text(anything: str) -> Markup:
    """Text escaped, control characters as Python writes them; markup as it is."""
    return anything if isinstance(anything, Markup) else Markup(html.escape(printable(anything)))


def table(head: Iterable[str], rows: Iterable[Iterable[str]], **attributes: str) -> Markup:
    """A table with a line of titles."""
    titles = tag("tr", *(tag("th", title, scope="col") for title in head))
    body = [tag("tr", *(tag("td", cell) for cell in row)) for row in rows]
    return tag("table", tag("thead", titles), tag("tbody", *body), **attributes)


def decimal(value: float) -> str:
    """A coordinate of a picture."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def rounded_up(value: float) -> float:
    """The least of 1, 2, 4, 8 times a power of ten that is not below a positive number: its quarters are short."""
    power = 10.0 ** math.floor(math.log10(value))
    return next((step * power for step in (1.0, 2.0, 4.0, 8.0) if value <= step * power), 10.0 * power)


def raw(trusted: str) -> Markup:
    """Text of dplint's own files, for the elements style and script, whose content HTML does not unescape."""
    return Markup(trusted)


def _attribute(key: str, value: str | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{html.escape(printable(str(value)))}"'


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


_KINDS = (
    {"not-checked": "not checked"}
    | VERDICT_WORDS
    | {"violation": "violations", "failed": "failed", "finding": "findings"}
)
"""What one may filter by, the gravest first, as `data-kind` has it and as people read it."""


def page(report: Report) -> str:
    """The page of a check."""
    style, script = _own("page.css"), _own("page.js")
    policy = f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"dplint: {counts_words(report.gathered)}"),
        tag("style", raw(style)),
    )
    earlier = read_state(report.earlier)
    # What is about a change alone says nothing of the other claims.
    state = state_of(report, earlier) if report.changes is None else (earlier or State(report.day, {}))
    told = [*_filed(report, state, earlier), *_sections(report)]
    kept = tag("template", held(state), id=STATE)
    body = tag("body", _header(report), tag("main", *told), kept, tag("script", raw(script)))
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _header(report: Report) -> Markup:
    gathered = report.gathered
    return tag(
        "header",
        tag("h1", "dplint"),
        tag("p", summary(gathered, report.seconds), class_="lead"),
        *(tag("p", remark, class_="remark") for remark in remarks(gathered)),
        _filters(gathered),
    )


def _filters(gathered: Gathered) -> Markup:
    """Shown by the script alone, as they do nothing without it."""
    counted = _counted(gathered)
    kinds = [
        tag("label", tag("input", type="checkbox", value=kind, checked=True), f"{name} ", tag("b", str(counted[kind])))
        for kind, name in _KINDS.items()
        if counted[kind]
    ]
    files = sorted(_files(gathered))
    options = [tag("option", "all files", value=""), *(tag("option", file, value=file) for file in files)]
    return tag(
        "form",
        tag("fieldset", tag("legend", "show"), *kinds),
        tag("label", "file ", tag("select", *options, name="file")),
        tag("label", "text ", tag("input", type="search", name="text")),
        tag("output", aria_live="polite"),
        id="filters",
        hidden=True,
    )


def _counted(gathered: Gathered) -> Counter[str]:
    counted = Counter(verdict_name(result.outcome) for result in gathered.results)
    counted["finding"] = len(gathered.findings)
    counted["not-checked"] = len(_unchecked(gathered))
    return counted


def _files(gathered: Gathered) -> set[str]:
    files = {result.mechanism.file for result in gathered.results}
    files |= {one.file for one in gathered.findings} | {one.file for one in gathered.errors}
    return {split_cell(file)[0] for file in files}


def _unchecked(gathered: Gathered) -> list[CheckError | SharedFailure]:
    return [*gathered.errors, *shared_failures(gathered.results)]


def _sections(report: Report) -> list[Markup | None]:
    gathered = report.gathered
    refuted = [one for one in gathered.results if isinstance(one.outcome, Violation)]
    others = [one for one in gathered.results if not isinstance(one.outcome, Violation)]
    silenced = [(one, "a comment") for one in gathered.silenced] + [(one, "the baseline") for one in gathered.known]
    silenced += [(Silenced(one), "a proof of the claim") for one in gathered.disproved]
    return [
        _section(report, "Not checked", _unchecked(gathered)),
        _section(report, "Violations", refuted),
        _section(report, "Mechanisms", others),
        _section(report, "Findings", gathered.findings),
        tag("section", tag("h2", "Silenced"), _silenced(silenced)) if silenced else None,
        tag("footer", f"dplint {__version__}"),
    ]


def _filed(report: Report, state: State, earlier: State | None) -> Iterator[Markup | None]:
    """What a reviewer files: every claim with its state, the budgets, and what differs from the page before."""
    if report.changes is not None:
        return
    if state.claims or (earlier is not None and earlier.claims):
        lines = [] if earlier is None else list(differences(earlier, state))
        since = "No earlier page was in this place." if earlier is None else f"Since {earlier.day}: "
        said = since if earlier is None or lines else f"{since}nothing differs."
        yield tag("section", tag("h2", "Changes"), tag("p", said), _items(lines), id="changes")
    if state.claims:
        claims = tag("div", table(HEAD, rows(state)), class_="wide")
        yield tag("section", tag("h2", "Claims"), claims, id="claims")
    trees = [
        tag("li", f"{one.mechanism.name}: {budget_words(one)}", _tree(one)) for one in report.budgets if has_parts(one)
    ]
    if trees:
        yield tag("section", tag("h2", "Budgets"), tag("ul", *trees, class_="budgets"), id="budgets")


def _tree(budget: Budget) -> Markup | None:
    def grown(nodes: Sequence[tuple[str, list[Any]]]) -> Markup | None:
        return tag("ul", *(tag("li", words, grown(below)) for words, below in nodes)) if nodes else None

    return grown(budget_tree([budget.tree]))


def _section(report: Report, title: str, problems: Sequence[Problem]) -> Markup | None:
    if not problems:
        return None
    told = documents(problems, report.source, report.repeat)
    return tag("section", tag("h2", title), *map(article, told))


def _silenced(silenced: Sequence[tuple[Silenced, str]]) -> Markup:
    """What comments and the baseline keep out of the exit code; in few words."""
    rows = []
    for one, by in silenced:
        item = one.item
        of = item if isinstance(item, Finding) else item.mechanism
        said = item.message if isinstance(item, Finding) else message(item)
        place = f"{of.file}:{of.span.line}:{of.span.column}"
        rows.append((tag("code", silenced_code(one)), place, by, inline(ticked(said))))
    return tag("div", table(("code", "place", "by", "what"), rows), class_="wide")


def _own(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _digest(content: str) -> str:
    """As a policy names what it lets through, so that nothing else on the page can be run, wherever it came from."""
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"
