"""Documents of results, findings, failures and errors: what every medium says of them, the head first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from dplint import outcomes as out
from dplint.claims import Mechanism, Numerics, Span
from dplint.report import numerals, words
from dplint.report.answers import branch_words
from dplint.report.document import Block, Code, Document, Head, Inline, Items, Say, Source, Verbatim, plain, ticked
from dplint.report.event_words import losses_words
from dplint.report.fingerprints import SourceLine
from dplint.report.gathered import Problem, SharedFailure, code_of, effort_of, scope_of, verdict_name
from dplint.report.literals import printable
from dplint.report.proof_words import IN_EXACT_ARITHMETIC, against_words, certificate_lines, scope_words, spend_words
from dplint.report.stability_words import not_refuted_body, tried_words, unstable_body, unstable_title
from dplint.report.violation import (
    chances,
    in_machine_numbers,
    limit,
    mended_by,
    title,
    violation_body,
    violation_more,
    way_of,
)

DETAIL_LINES = 12
_MOST_NAMES = 8


def document(problem: Problem, source: SourceLine, repeat: str = "", room: int = 90) -> Document:
    """The document of anything that a check tells. repeat, room: as for a violation."""
    match problem:
        case out.Result():
            return _result(problem, source, repeat, room)
        case out.Finding():
            return _finding(problem, source)
        case SharedFailure():
            return _shared_failure(problem, source)
        case out.CheckError():
            head = Head(problem.file, problem.line, None, "error", ticked(problem.message), "not-checked")
            return Document(head, _quoted(problem.file, problem.line, source))
        case _:
            assert_never(problem)


def documents(problems: Iterable[Problem], source: SourceLine, repeat: str = "", room: int = 90) -> Iterator[Document]:
    """The documents of several."""
    return (document(one, source, repeat, room) for one in problems)


def message(result: out.Result) -> str:
    """What is known of a mechanism, on one line: the head, and of a violation the event with its numbers."""
    outcome = result.outcome
    said = plain(_said(result, brief=False))
    if isinstance(outcome, out.Violation):
        machine = f". {in_machine_numbers(outcome)}" if outcome.numerics is Numerics.MACHINE else ""
        against = f". {against_words(outcome)}" if outcome.against is not None else ""
        return f"{said}; {chances(outcome)}: {limit(outcome)}{machine}{against}"
    return f"{said}; {losses_words(outcome.losses)}" if isinstance(outcome, out.Proved) and outcome.losses else said


def _result(result: out.Result, source: SourceLine, repeat: str, room: int) -> Document:
    """A verdict: a line, what shows it or helps, and below that what only some ask for."""
    mechanism, outcome = result.mechanism, result.outcome
    kind, code = verdict_name(outcome), code_of(outcome) or ""
    sign = "" if code else kind.replace("-", "_")
    head = Head.at(mechanism.file, mechanism.span, code, _said(result, brief=True), kind, sign, mechanism.path)
    # Of the cache the summary speaks.
    notes = tuple(one for one in effort_of(outcome).notes if not (result.cached and one.startswith("from the cache")))
    match outcome:
        case out.Violation():
            body = violation_body(result, outcome, source, repeat, room)
            more = violation_more(result, outcome, repeat)
        case out.Unstable():
            body, more = unstable_body(mechanism, outcome, source, room), _more(mechanism, outcome, room)
        case _:
            body, more = _help(result), _more(mechanism, outcome, room)
    return Document(head, tuple(body), tuple(more), notes)


def _help(result: out.Result) -> Iterator[Block]:
    """How to mend what could not be tested. What is shared with others is told once, for all of them."""
    if scope_of(result) is None:
        if cure := words.cure(result):
            yield Say(ticked(cure), "cure")
        if isinstance(result.outcome, out.Failed):
            yield from _detail(result.outcome.detail)


def _said(result: out.Result, *, brief: bool) -> Inline:
    """The verdict in a sentence. brief: without all that was tried."""
    mechanism, outcome = result.mechanism, result.outcome
    name = mechanism.qualname
    match outcome:
        case out.Proved():
            scope = scope_words(outcome.scope)
            # Below all verdicts a report says it once.
            scope = scope.replace(f", {IN_EXACT_ARITHMETIC}", "") if brief else scope
            tried = outcome.tried
            promised = outcome.scope.promised != ""
            known = (
                ""
                if promised
                else spend_words(outcome)
                if tried is None
                else f"not refuted in {tried_words(tried, brief=brief)}"
            )
            return (Code(name), f" is proved {scope}{'' if promised else '; '}{known}")
        case out.NoViolation():
            said = words.tried_briefly(outcome) if brief else words.tried(mechanism, outcome)
            return ("no violation found in ", Code(name), f": {said}")
        case out.Underpowered():
            said = printable(outcome.why) if brief else words.underpowered_words(mechanism, outcome)
            return (Code(name), f" is underpowered, tried too little to tell: {said}")
        case out.Untestable():
            return (Code(name), f" cannot be tested: {printable(outcome.reason)}")
        case out.Failed():
            if brief and scope_of(result) is not None:
                return (Code(name), " was not tested, as is told above")
            return ("the audit of ", Code(name), f" failed ({outcome.kind.value}): {printable(outcome.reason)}")
        case out.Violation():
            return title(name, outcome)
        case out.Unstable():
            return unstable_title(name, outcome)
        case out.NotRefuted():
            return (Code(name), f" is not refuted: {tried_words(outcome, brief=brief)}")
        case _:
            assert_never(outcome)


def _more(mechanism: Mechanism, outcome: out.Outcome, room: int) -> Iterator[Block]:
    match outcome:
        case out.Proved():
            yield Items(tuple(map(ticked, certificate_lines(outcome.certificate))))
            if outcome.losses:
                yield Say(ticked(losses_words(outcome.losses)))
        case out.NoViolation():
            yield Say(ticked(words.tried(mechanism, outcome)))
        case out.Underpowered():
            yield Say(ticked(words.underpowered_words(mechanism, outcome)))
        case out.NotRefuted():
            yield from not_refuted_body(mechanism, outcome, room)
        case out.Unstable():
            yield Items(tuple((f"{one.name} = {one.value!r}, {one.why}",) for one in outcome.pair.arguments))
        case out.Violation() | out.Untestable() | out.Failed():
            return
        case _:
            assert_never(outcome)
    yield from branches_read(outcome.effort.branches)
    yield Say((f"claim {words.claim_words(mechanism.claim)}; {words.whole_effort_words(outcome.effort)}",))


def branches_read(branches: Sequence[out.BranchCover]) -> Iterator[Block]:
    """Branches of data, and which ways were taken."""
    if branches:
        yield Items(tuple((branch_words(one),) for one in branches))


def _finding(finding: out.Finding, source: SourceLine) -> Document:
    level = "" if finding.severity is out.Severity.ERROR else f" ({finding.severity.value})"
    mends = f" ({mended_by(finding)})" if finding.fixable else ""
    span = finding.span
    said = ticked(f"{finding.message}{mends}{level}")
    head = Head.at(finding.file, span, finding.code, said, finding.severity.value)
    related = [f"{one.span.words}: {one.message}" for one in finding.related]
    related += [f"fix: {finding.fix.title}"] if finding.fix is not None else []
    more = (Items(tuple(map(ticked, related))),) if related else ()
    return Document(head, (Source(source(finding.file, span.line), span), *way_of(finding)), more)


def _shared_failure(failure: SharedFailure, source: SourceLine) -> Document:
    """What keeps all mechanisms of a module, or of an interpreter, from being tested: cause, place, and cure."""
    failed, result = failure.failed, failure.results[0]
    head = Head(failure.file, failure.line, None, failed.code, ticked(shared_words(failure)), "not-checked")
    body, more = list[Block](), list[Block]()
    if failed.scope is out.FailureScope.MODULE:
        body += _quoted(failure.file, failure.line, source)
        # One line of source says it, unless the error comes from further away.
        far = _leads_out(failed.detail, result.mechanism.path)
        (body if far else more).extend(_detail(failed.detail))
    cure = words.cure(result)
    return Document(head, (*body, *([Say(ticked(cure), "cure")] if cure else [])), tuple(more))


def shared_words(failure: SharedFailure) -> str:
    """What went wrong, and for how many: "the import of release failed: ...; 2 mechanisms were not tested: a and b"."""
    names = [result.mechanism.qualname for result in failure.results]
    shown = [*names[:_MOST_NAMES], *([f"{len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else [])]
    were = "was" if len(names) == 1 else "were"
    many = f"{numerals.count(len(names), 'mechanism')} {were} not tested: {numerals.listing(shown)}"
    return f"{failure.failed.reason}; {many}"


def _quoted(file: str, line: int | None, source: SourceLine) -> tuple[Source, ...]:
    """A whole line of source."""
    text = None if line is None else source(file, line)
    if text is None or line is None:
        return ()
    return (Source(text, Span(line, 1, line, 1)),)


def _detail(detail: str) -> list[Block]:
    lines = printable(detail).rstrip().splitlines()[-DETAIL_LINES:]
    return [Verbatim(tuple(lines))] if lines else []


def _leads_out(detail: str, path: str) -> bool:
    """Whether a traceback leads out of the module or through it."""
    frames = [line for line in detail.splitlines() if line.lstrip().startswith("File ")]
    return len(frames) > 1 or any(path not in frame for frame in frames)
