"""A problem as other tools want it: its code, how grave it is, its text on one line, and lines that say more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dplint.claims import Mechanism, Span
from dplint.outcomes import CheckError, Failed, Finding, Result, Severity, Violation
from dplint.report import numerals, words
from dplint.report.explaining import reasons
from dplint.report.gathered import Problem, code_of, severity_of
from dplint.report.literals import literal, printable

_LONGEST_DATA = 400
_DETAIL_LINES = 12


def code(problem: Problem) -> str | None:
    """The code; None for an error, which has none."""
    match problem:
        case Result():
            return code_of(problem.outcome)
        case Finding():
            return problem.code
        case CheckError():
            return None
        case _:
            assert_never(problem)


def severity(problem: Problem) -> Severity:
    """How grave it is. What makes the exit code 1 or 2 is an error, in every format."""
    match problem:
        case Result():
            return severity_of(problem) or Severity.INFO
        case Finding():
            return problem.severity
        case CheckError():
            return Severity.ERROR
        case _:
            assert_never(problem)


def prevents_checking(problem: Problem) -> bool:
    """Whether it makes the exit code 2: something could not be checked."""
    return isinstance(problem, CheckError) or (isinstance(problem, Result) and isinstance(problem.outcome, Failed))


def text(problem: Problem) -> str:
    """What is wrong, on one line, without control characters."""
    match problem:
        case Result():
            said = "; explained by ".join([words.message(problem), *reasons(problem)[:1]])
        case Finding() | CheckError():
            said = problem.message
        case _:
            assert_never(problem)
    return printable(" ".join(said.split()))


def details(problem: Problem) -> list[str]:
    """What else there is to say, line by line: the counterexample, the cure, the end of what a process wrote."""
    match problem:
        case Result(mechanism, Violation() as violation):
            lines = [*_counterexample(mechanism, violation), *_explanations(problem)]
        case Result(outcome=Failed() as failed):
            cure = words.cure(problem)
            lines = [*([cure] if cure else []), *failed.detail.rstrip().splitlines()[-_DETAIL_LINES:]]
        case Result():
            cure = words.cure(problem)
            lines = [cure] if cure else []
        case Finding():
            lines = [f"line {one.span.line}: {one.message}" for one in problem.related]
            lines += [f"fix: {problem.fix.title}"] if problem.fix is not None else []
        case CheckError():
            lines = []
        case _:
            assert_never(problem)
    return [printable(line) for line in lines]


def function(problem: Problem) -> str | None:
    """The qualified name of the function that it is about, None if there is none."""
    match problem:
        case Result():
            return problem.mechanism.qualname
        case Finding():
            return problem.function
        case CheckError():
            return None
        case _:
            assert_never(problem)


def span(problem: Problem) -> Span | None:
    """The range that it is about; None for an error that knows its line at most."""
    match problem:
        case Result():
            return problem.mechanism.span
        case Finding():
            return problem.span
        case CheckError():
            return None
        case _:
            assert_never(problem)


def _explanations(result: Result) -> Iterator[str]:
    for finding, reason in zip(result.explained_by, reasons(result), strict=True):
        yield f"explained by {reason}"
        yield from (f"  {line}" for line in details(finding))


def _counterexample(mechanism: Mechanism, violation: Violation) -> list[str]:
    found = violation.counterexample
    arguments = ", ".join(f"{one.name} = {literal(one.value)} ({one.why})" for one in found.arguments)
    shares = [numerals.probability(found.p1, found.interval1), numerals.probability(found.p2, found.interval2)]
    return [
        f"D1 = {literal(found.d1, _LONGEST_DATA)}",
        f"D2 = {literal(found.d2, _LONGEST_DATA)}",
        *([f"arguments: {arguments}"] if arguments else []),
        f"event: {found.event}",
        f"P1 = {shares[0]}, P2 = {shares[1]} ({numerals.percent(found.confidence)} confidence)",
        words.attacker(violation),
        f"again: {words.reproduce(mechanism, found.seed)}",
    ]
