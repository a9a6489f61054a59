"""The whole page: one file without a reference to any other, which its own policy forbids, too."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Sequence
from importlib import resources

from dplint import __version__
from dplint.outcomes import CheckError, Finding, Silenced, Violation
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
from dplint.report.page.blocks import article, inline
from dplint.report.page.markup import Markup, raw, table, tag
from dplint.report.summary import counts_words, remarks, summary
from dplint.source.cell_names import split_cell

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
    body = tag("body", _header(report), tag("main", *_sections(report)), tag("script", raw(script)))
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
