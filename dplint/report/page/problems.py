"""Findings, and what could not be checked, on the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dplint.outcomes import CheckError, Finding, Silenced
from dplint.report import problem_words, words
from dplint.report.fingerprints import SourceLine
from dplint.report.gathered import SharedFailure, place, silenced_code
from dplint.report.page.markup import Markup, prose, table, tag, together
from dplint.report.page.mechanisms import detail_lines
from dplint.report.page.violations import excerpt, where
from dplint.source.cell_names import split_cell


def findings_table(findings: Sequence[Finding], source: SourceLine) -> Markup:
    """A row for each, with its line of source."""
    head = tag("tr", *(tag("th", title, scope="col") for title in ("level", "code", "place", "finding")))
    bodies = [_finding(one, source) for one in findings]
    return tag("div", tag("table", tag("thead", head), *bodies), class_="wide")


def _finding(finding: Finding, source: SourceLine) -> Markup:
    related = [f"{one.span.words}: {one.message}" for one in finding.related]
    fix = f"can be mended: {finding.fix.title}" if finding.fix is not None else None
    said = together(
        prose(finding.message),
        excerpt(source(finding.file, finding.span.line), finding.span),
        *(tag("div", prose(one), class_="place") for one in [*related, *([fix] if fix else [])]),
    )
    level = tag("span", finding.severity.value, class_=f"verdict {finding.severity.value}")
    name = together(
        tag("code", finding.function) if finding.function else None,
        tag("div", where(finding.file, finding.span), class_="place"),
    )
    row = tag("tr", *(tag("td", cell) for cell in (level, tag("code", finding.code), name, said)))
    return tag("tbody", row, data_kind="finding", data_file=split_cell(finding.file)[0])


def not_checked(errors: Iterable[CheckError | SharedFailure]) -> Markup:
    """What could not be checked, each with its cause and what helps."""
    return together(*(_error(one) for one in errors))


def _error(error: CheckError | SharedFailure) -> Markup:
    file, line, _ = place(error)
    more: list[str | None] = []
    if isinstance(error, SharedFailure):
        cure = words.cure(error.results[0])
        more = [tag("p", prose(cure), class_="cure") if cure else None, detail_lines(error.failed.detail)]
    return tag(
        "article",
        tag("p", tag("strong", f"{file}:{line} "), prose(problem_words.text(error))),
        *more,
        class_="card error",
        data_kind="not-checked",
        data_file=split_cell(file)[0],
    )


def silenced_table(silenced: Sequence[tuple[Silenced, str]]) -> Markup:
    """What comments and the baseline keep out of the exit code; in few words."""
    rows = []
    for one, by in silenced:
        item = one.item
        of = item if isinstance(item, Finding) else item.mechanism
        said = item.message if isinstance(item, Finding) else words.message(item)
        rows.append((tag("code", silenced_code(one)), where(of.file, of.span), by, prose(said)))
    return tag("div", table(("code", "place", "by", "what"), rows), class_="wide")
