"""A problem as other tools want it: its code, how grave it is, its text on one line, and lines that say more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dplint.outcomes import CheckError, Finding, Result, Severity, Violation
from dplint.report.document import Block, Chart, Document, Facts, Items, Say, Sides, Source, Table, Verbatim, plain
from dplint.report.documents import document, message, shared_words
from dplint.report.format import no_source
from dplint.report.gathered import Problem, SharedFailure, placed, scope_of
from dplint.report.literals import printable
from dplint.report.violation import title
from dplint.source.notebooks import split_cell


def code(problem: Problem) -> str | None:
    """The code; None for an error, which has none."""
    return placed(problem).code


def severity(problem: Problem) -> Severity:
    """How grave it is."""
    return placed(problem).severity


def text(problem: Problem) -> str:
    """What is wrong, on one line, without control characters."""
    match problem:
        case Result():
            causes = [f"line {one.span.line}: {one.message} ({one.code})" for one in problem.explained_by[:1]]
            said = "; ".join([message(problem), *causes])
        case Finding() | CheckError():
            said = problem.message
        case SharedFailure():
            said = shared_words(problem)
        case _:
            assert_never(problem)
    return printable(" ".join(said.split()))


def in_file(problem: Problem, said: str = "") -> str:
    """The same for readers who know paths and lines only: of a notebook it begins with the cell. said: another text."""
    at, said = placed(problem), said or text(problem)
    cell = split_cell(at.file)[1]
    return said if cell is None else f"cell {cell}, line {at.line}: {said}"


def whole(problem: Problem) -> str:
    """The head, and what stands below it, on lines of their own."""
    said = ""
    if isinstance(problem, Result) and isinstance(problem.outcome, Violation):
        said = printable(plain(title(problem.mechanism.qualname, problem.outcome)))
    return "\n".join([in_file(problem, said), *details(problem)])


def details(problem: Problem) -> list[str]:
    """What else there is to say, line by line: a counterexample, the cure, what a process wrote."""
    if isinstance(problem, Result) and scope_of(problem) is not None:
        problem = SharedFailure((problem,))
    lines = plain_lines(document(problem, no_source))
    if isinstance(problem, Result) and not problem.repairs:
        lines += [f"fix: {one.fix.title}" for one in problem.explained_by if one.fix is not None]
    return [printable(line) for line in lines]


def plain_lines(told: Document) -> list[str]:
    """What stands below the head, without lines of source: such a message bears its place.

    Of what only some ask for, it has what a process wrote, and what belongs to a finding.
    """
    more = [one for one in told.more if isinstance(one, Verbatim) or told.head.kind in ("error", "warning", "info")]
    return [printable(line) for block in (*told.body, *more) for line in _lines(block)]


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Source():
            return
        case Say():
            yield plain(block.located)
        case Sides(lines):
            for line in lines:
                text = "".join(piece for piece, _ in line.pieces)
                yield f"{line.label}: {text}" if line.label else text
        case Chart(measure, of, bars):
            yield f"{measure}({plain(of)}): {', '.join(one.told for one in bars)}"
        case Facts(pairs):
            yield from (f"{name}: {plain(said)}" for name, said in pairs)
        case Items(lines):
            yield from map(plain, lines)
        case Table(head, rows):
            yield from ("  ".join(row) for row in (head, *rows))
        case Verbatim(lines):
            yield from lines
