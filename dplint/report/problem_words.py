"""A problem as other tools want it: its code, how grave it is, its text on one line, and lines that say more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from dplint.claims import Mechanism, Span
from dplint.outcomes import CheckError, CountedEvidence, Evidence, Failed, Finding, Proved, Result, Severity, Violation
from dplint.report import evidence_words, numerals, words
from dplint.report.explaining import reasons
from dplint.report.gathered import Problem, SharedFailure, code_of, place, severity_of
from dplint.report.literals import literal, printable
from dplint.report.loss_words import losses_words
from dplint.report.proof_words import certificate_lines
from dplint.source.cell_names import split_cell

_LONGEST_DATA = 400
_DETAIL_LINES = 12
_MOST_NAMES = 8


def code(problem: Problem) -> str | None:
    """The code; None for an error, which has none."""
    match problem:
        case Result():
            return code_of(problem.outcome)
        case Finding():
            return problem.code
        case CheckError():
            return None
        case SharedFailure():
            return problem.failed.code
        case _:
            assert_never(problem)


def severity(problem: Problem) -> Severity:
    """How grave it is. What makes the exit code 1 or 2 is an error, in every format."""
    match problem:
        case Result():
            return severity_of(problem) or Severity.INFO
        case Finding():
            return problem.severity
        case CheckError() | SharedFailure():
            return Severity.ERROR
        case _:
            assert_never(problem)


def prevents_checking(problem: Problem) -> bool:
    """Whether it makes the exit code 2: something could not be checked."""
    return isinstance(problem, CheckError | SharedFailure) or (
        isinstance(problem, Result) and isinstance(problem.outcome, Failed)
    )


def text(problem: Problem) -> str:
    """What is wrong, on one line, without control characters."""
    match problem:
        case Result():
            said = "; explained by ".join([words.message(problem), *reasons(problem)[:1]])
        case Finding() | CheckError():
            said = problem.message
        case SharedFailure():
            said = shared_words(problem)
        case _:
            assert_never(problem)
    return printable(" ".join(said.split()))


def in_file(problem: Problem) -> str:
    """The same for readers who know paths and lines only: of a notebook it begins with the cell."""
    file, line, _ = place(problem)
    cell = split_cell(file)[1]
    return text(problem) if cell is None else f"cell {cell}, line {line}: {text(problem)}"


def details(problem: Problem) -> list[str]:
    """What else there is to say, line by line: a counterexample, why a proof holds, the cure, what a process wrote."""
    match problem:
        case Result(mechanism, Violation() as violation):
            lines = [*_counterexample(mechanism, violation), *_explanations(problem)]
        case Result(outcome=Failed() as failed):
            lines = _failure(problem, failed)
        case SharedFailure():
            lines = _failure(problem.results[0], problem.failed)
        case Result(outcome=Proved() as proved):
            lines = certificate_lines(proved.certificate)
        case Result():
            cure = words.cure(problem)
            lines = [cure] if cure else []
        case Finding():
            lines = [f"{one.span.words}: {one.message}" for one in problem.related]
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
        case CheckError() | SharedFailure():
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
        case CheckError() | SharedFailure():
            return None
        case _:
            assert_never(problem)


def shared_words(failure: SharedFailure) -> str:
    """What went wrong, and for how many: "the import of release failed: ...; 2 mechanisms were not tested: a and b"."""
    names = [result.mechanism.qualname for result in failure.results]
    shown = [*names[:_MOST_NAMES], *([f"{len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else [])]
    were = "was" if len(names) == 1 else "were"
    many = f"{numerals.count(len(names), 'mechanism')} {were} not tested: {numerals.listing(shown)}"
    return f"{failure.failed.reason}; {many}"


def _failure(result: Result, failed: Failed) -> list[str]:
    cure = words.cure(result)
    return [*([cure] if cure else []), *failed.detail.rstrip().splitlines()[-_DETAIL_LINES:]]


def _explanations(result: Result) -> Iterator[str]:
    for finding, reason in zip(result.explained_by, reasons(result), strict=True):
        yield f"explained by {reason}"
        yield from (f"  {line}" for line in details(finding))


def _counterexample(mechanism: Mechanism, violation: Violation) -> list[str]:
    found = violation.counterexample
    witness = found.witness
    arguments = ", ".join(f"{one.name} = {literal(one.value)} ({one.why})" for one in witness.arguments)
    losses = losses_words(violation.losses)
    proof = violation.against
    return [
        f"D1 = {literal(witness.d1, _LONGEST_DATA)}",
        f"D2 = {literal(witness.d2, _LONGEST_DATA)}",
        *([f"arguments: {arguments}"] if arguments else []),
        f"{words.observed_label(witness.observation)}: {words.observed(witness.observation)}",
        _probabilities(found.evidence),
        *([too_small] if (too_small := evidence_words.too_small(violation)) is not None else []),
        *([evidence_words.draws_of_a_run(found.draws)] if found.draws else []),
        words.attacker(violation),
        *([losses] if losses else []),
        *([f"proof: {line}" for line in certificate_lines(proof.certificate)] if proof is not None else []),
        f"again: {words.reproduce(mechanism, words.seed_of(found))}",
    ]


def _probabilities(evidence: Evidence) -> str:
    if isinstance(evidence, CountedEvidence):
        one = numerals.probability(evidence.p1, evidence.interval1)
        two = numerals.probability(evidence.p2, evidence.interval2)
        beside = "" if evidence.coupled is None else f", {evidence_words.coupled(evidence.coupled, evidence)}"
        return f"P1 = {one}, P2 = {two} ({numerals.percent(evidence.confidence)} confidence{beside})"
    one, two = numerals.certified(evidence.p1), numerals.certified(evidence.p2)
    return f"{evidence.measure.value} on D1 = {one}, on D2 = {two} (exact: {'; '.join(evidence.certified_by)})"
