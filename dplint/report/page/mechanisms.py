"""The table of mechanisms on the page: one body of rows for each, with what was tried, proved or computed below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from dplint.outcomes import (
    Failed,
    NoViolation,
    Outcome,
    Proved,
    Result,
    TestedEpsilon,
    Underpowered,
    Untestable,
    Violation,
)
from dplint.report import numerals, words
from dplint.report.gathered import effort_of, scope_of
from dplint.report.json_document import verdict_name
from dplint.report.page import pictures
from dplint.report.page.markup import Markup, bullets, paragraphs, prose, table, tag, together
from dplint.report.page.violations import losses_table, mechanism_name
from dplint.report.proof_words import certificate_lines, scope_words
from dplint.source.cell_names import split_cell

_DETAIL_LINES = 20
_HEAD = ("verdict", "function", "claim", "epsilon", "tested", "runs", "time")


def mechanisms_table(results: Sequence[Result], anchors: Mapping[int, str]) -> Markup:
    """A body of rows for each result. anchors: of cards of violations, by the place of the result among all."""
    head = tag("tr", *(tag("th", title, scope="col") for title in _HEAD))
    bodies = [_body(result, anchors.get(i)) for i, result in enumerate(results)]
    return tag("div", tag("table", tag("thead", head), *bodies, class_="mechanisms"), class_="wide")


def _body(result: Result, anchor: str | None) -> Markup:
    mechanism, outcome = result.mechanism, result.outcome
    kind = verdict_name(outcome)
    said = tag("span", words.verdict(outcome), class_=f"verdict {kind}")
    effort = effort_of(outcome)
    cells = [
        said if anchor is None else tag("a", said, href=f"#{anchor}"),
        mechanism_name(mechanism),
        tag("code", words.claim_words(mechanism.claim)),
        _epsilon(outcome),
        _tested(outcome),
        "" if isinstance(outcome, Untestable) else numerals.compact(effort.runs),
        "" if isinstance(outcome, Untestable) else numerals.seconds(effort.seconds),
    ]
    row = tag("tr", *(tag("td", cell) for cell in cells))
    details = together(*_details(result))
    below = tag("tr", tag("td", details, colspan=len(_HEAD)), class_="details") if details else None
    return tag("tbody", row, below, data_kind=kind, data_file=split_cell(mechanism.file)[0])


def _tested(outcome: Outcome) -> str:
    return words.tested_words(_values(outcome)) if _values(outcome) else ""


def _values(outcome: Outcome) -> tuple[TestedEpsilon, ...]:
    return outcome.tested if isinstance(outcome, Violation | NoViolation | Underpowered) else ()


def _epsilon(outcome: Outcome) -> str:
    """The strip of what is known of epsilon, with the same in words."""
    if isinstance(outcome, Proved):
        most = outcome.epsilon_upper
        return f"at most {most if isinstance(most, str) else numerals.short(most)}"
    strip = pictures.known_epsilon(outcome)
    return "" if strip is None else together(strip[0], tag("div", strip[1], class_="place"))


def _details(result: Result) -> Iterator[Markup | None]:
    """What stands below the row."""
    outcome = result.outcome
    match outcome:
        case Violation():
            return
        case Proved():
            yield tag("p", tag("strong", "Covers "), scope_words(outcome.scope))
            yield _folded("why it holds", bullets(certificate_lines(outcome.certificate)))
            yield losses_table(outcome.losses)
        case NoViolation():
            yield paragraphs([f"{words.tried(result.mechanism, outcome)}."])
            yield losses_table(outcome.losses)
            yield _folded("each value of the claim", _values_table(outcome.tested))
        case Underpowered():
            yield paragraphs([f"{words.underpowered_words(result.mechanism, outcome)}."])
            yield losses_table(outcome.losses)
        case Untestable():
            yield paragraphs([outcome.reason])
        case Failed():
            yield from _failure(result, outcome)
        case _:
            assert_never(outcome)
    cure = words.cure(result) if scope_of(result) is None else None
    yield tag("p", prose(cure), class_="cure") if cure else None
    yield bullets(f"note: {note}" for note in effort_of(outcome).notes)


def _failure(result: Result, failed: Failed) -> Iterator[Markup | None]:
    """What went wrong; where others share it, it is told once, among what could not be checked."""
    if scope_of(result) is not None:
        yield paragraphs(["Not tested; why is told above."])
        return
    yield paragraphs([f"{failed.kind.value}: {failed.reason}"])
    yield detail_lines(failed.detail)


def detail_lines(detail: str) -> Markup | None:
    """The last lines of what a process wrote, folded."""
    lines = detail.rstrip().splitlines()[-_DETAIL_LINES:]
    return _folded("detail", tag("pre", "\n".join(lines))) if lines else None


def _folded(title: str, content: Markup | None) -> Markup | None:
    return None if content is None else tag("details", tag("summary", title), content)


def _values_table(tested: Sequence[TestedEpsilon]) -> Markup | None:
    rows = [
        (
            words.promise(one.epsilon, one.delta),
            numerals.lower_bound(one.lower),
            numerals.p_value(one.p_value),
            f"{one.runs:,}",
        )
        for one in tested
    ]
    return table(("value", "epsilon is at least", "p-value", "runs"), rows) if rows else None
