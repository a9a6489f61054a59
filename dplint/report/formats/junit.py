"""JUnit's XML, which every CI system draws as a table of tests.

A suite for each file. A test case for each mechanism, and for each finding and error: a *failure* is a violation or an
error-level finding, an *error* is what could not be checked, *skipped* is what is untestable or silenced, or what the
settings or its rule make less than an error. So a run is red exactly where the exit code is not 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from dplint.outcomes import Finding, Result, Severity, SilencedBy
from dplint.report import problem_words
from dplint.report.format import Format, Report
from dplint.report.gathered import Gathered, Problem, effort_of, placed, scope_of, silenced_code
from dplint.report.literals import printable


@dataclass(frozen=True, slots=True)
class _Case:
    """One test case. state: "failure", "error", "skipped", None for one that passed. kind: what JUnit calls type."""

    file: str
    line: int
    name: str
    seconds: float
    state: str | None
    kind: str
    message: str
    details: tuple[str, ...] = ()


def junit(report: Report) -> str:
    """The document of a check."""
    cases = _numbered(sorted(_cases(report.gathered), key=lambda case: (case.file, case.line, case.name)))
    suites = [(file, list(group)) for file, group in groupby(cases, key=lambda case: case.file)]
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f"<testsuites {_attributes('dplint', cases, report.seconds)}>"]
    for file, group in suites:
        lines.append(f"  <testsuite {_suite_attributes(file, group)}>")
        lines += [line for case in group for line in _case_lines(case)]
        lines.append("  </testsuite>")
    return "\n".join([*lines, "</testsuites>", ""])


def _cases(gathered: Gathered) -> Iterator[_Case]:
    told: set[tuple[str, str]] = set()
    for result in gathered.results:
        state, kind, message = _verdict(result)
        # Each mechanism has a case, as tools compare them by name; what they share is told in full with the first.
        scope = scope_of(result)
        details = [] if scope in told else problem_words.details(result)
        told |= {scope} if scope is not None else set()
        yield _case(result, result.mechanism.qualname, state, kind, message, details)
    for finding in gathered.findings:
        message = f"{finding.code} {finding.message}"
        details = problem_words.details(finding)
        yield _case(finding, _name(finding), _state(finding), finding.code, message, details)
    for error in gathered.errors:
        yield _case(error, "can be checked", "error", "not-checked", error.message, [])
    for one in (*gathered.silenced, *gathered.known):
        item, code = one.item, silenced_code(one)
        name = _name(item) if isinstance(item, Finding) else item.mechanism.qualname
        yield _case(item, name, "skipped", code, f"{code} is silenced by {_SILENCED_BY[one.by]}", [])
    for wrong in gathered.disproved:
        yield _case(wrong, _name(wrong), "skipped", wrong.code, f"{wrong.code} is wrong: the claim is proved", [])


def _verdict(result: Result) -> tuple[str | None, str, str]:
    """The state of a mechanism's case, the type and the message."""
    code, text = problem_words.code(result), problem_words.text(result)
    return (None, "", text) if code is None else (_state(result), code, f"{code} {text}")


def _state(problem: Problem) -> str:
    at = placed(problem)
    return "error" if at.unchecked else "failure" if at.severity is Severity.ERROR else "skipped"


def _case(problem: Problem, name: str, state: str | None, kind: str, message: str, details: list[str]) -> _Case:
    file, line, *_ = placed(problem)
    seconds = effort_of(problem.outcome).seconds if isinstance(problem, Result) else 0.0
    return _Case(file, line, name, seconds, state, kind, " ".join(message.split()), tuple(details))


def _name(finding: Finding) -> str:
    return f"{finding.function} {finding.code}" if finding.function else finding.code


def _numbered(cases: Iterable[_Case]) -> list[_Case]:
    """Cases with names of their own: CI systems tell by them which are new, so there is no line number in a name."""
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for case in cases:
        seen[case.file, case.name] += 1
        number = seen[case.file, case.name]
        found.append(replace(case, name=f"{case.name} ({number})") if number > 1 else case)
    return found


_SILENCED_BY = {
    SilencedBy.COMMENT: "a comment",
    SilencedBy.SETTINGS: "the settings",
    SilencedBy.BASELINE: "the baseline",
}


def _attributes(name: str, cases: list[_Case], seconds: float) -> str:
    states = [case.state for case in cases]
    counts = f'tests="{len(cases)}" failures="{states.count("failure")}" errors="{states.count("error")}"'
    return f'name={_quoted(name)} {counts} time="{seconds:.3f}"'


def _suite_attributes(file: str, cases: list[_Case]) -> str:
    """Those of a suite. What is skipped is counted only here, as the schema of Jenkins has it."""
    skipped = [case.state for case in cases].count("skipped")
    seconds = sum(case.seconds for case in cases)
    return f'{_attributes(file, cases, seconds)} skipped="{skipped}" file={_quoted(file)}'


def _case_lines(case: _Case) -> Iterator[str]:
    """The case with its one child, if any; for one that passed, what was tried, or why it is proved, is its output."""
    named = f"classname={_quoted(_class(case.file))} name={_quoted(case.name)}"
    yield f'    <testcase {named} time="{case.seconds:.3f}">'
    if case.state is None:
        said = "\n".join([case.message, *case.details])
        yield f"      <system-out>{_text(said)}</system-out>"
    elif case.state == "skipped":
        yield f"      <skipped message={_quoted(case.message)}/>"
    else:
        body = "\n".join([f"{case.file}:{case.line}: {case.message}", *case.details])
        attributes = f"type={_quoted(case.kind)} message={_quoted(case.message)}"
        yield f"      <{case.state} {attributes}>{_text(body)}</{case.state}>"
    yield "    </testcase>"


def _class(file: str) -> str:
    """The file as viewers group cases: src/release.py as src.release."""
    return file.removesuffix(".py").strip("/").replace("/", ".")


def _quoted(text: str) -> str:
    """Without characters that XML cannot hold, not even as a reference."""
    return quoteattr(printable(text))


def _text(text: str) -> str:
    return escape(printable(text))


FORMAT = Format.of_text("junit", "JUnit's XML, for tables of tests", junit)
