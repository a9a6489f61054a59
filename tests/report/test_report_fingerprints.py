"""Fingerprints: the same while the file is edited elsewhere, different for different problems."""

from dataclasses import replace

import report_samples as samples

from dplint.claims import Span
from dplint.outcomes import CheckError, Finding, Result
from dplint.report.fingerprints import fingerprints

LINES = samples.SOURCE.splitlines()
FOUND = [samples.RESULTS[0], samples.RESULTS[1], *samples.FINDINGS, samples.ERROR]


def source(lines):
    return lambda file, line: lines[line - 1] if file == "src/release.py" and line <= len(lines) else None


def down(span, lines):
    return Span(span.line + lines, span.column, span.end_line + lines, span.end_column)


def moved(problem, lines):
    if isinstance(problem, Result):
        return replace(problem, mechanism=replace(problem.mechanism, span=down(problem.mechanism.span, lines)))
    if isinstance(problem, Finding):
        return replace(problem, span=down(problem.span, lines))
    return replace(problem, line=problem.line + lines)


def test_lines_above_change_nothing():
    before = fingerprints(FOUND, source(LINES))
    after = fingerprints([moved(problem, 3) for problem in FOUND], source(["", "# new", "", *LINES]))
    assert before == after
    assert len(set(before)) == len(FOUND)


def test_a_verdict_is_the_same_with_another_counterexample():
    other = Result(samples.mechanism(), samples.violation([9.0], [8.0], event="output > 3"))
    assert fingerprints([samples.RESULTS[0]], source(LINES)) == fingerprints([other], source(LINES))


def test_a_finding_follows_the_text_of_its_line_however_indented():
    finding = samples.FINDINGS[1]
    here = fingerprints([finding], source(LINES))
    deeper = [*LINES[:5], "        " + LINES[5]]
    changed = [*LINES[:5], LINES[5].replace("1 /", "4 /")]
    assert fingerprints([finding], source(deeper)) == here
    assert fingerprints([finding], source(changed)) != here


def test_alike_ones_are_told_apart_by_their_order():
    first, second = fingerprints([samples.FINDINGS[0], samples.FINDINGS[0]], source(LINES))
    assert first != second
    assert fingerprints([samples.FINDINGS[0]], source(LINES)) == [first]


def test_without_the_source_the_message_serves_less_its_numbers():
    def with_message(message):
        return fingerprints([replace(samples.FINDINGS[0], message=message)], source([]))

    assert with_message("twice, see line 3") == with_message("twice, see line 12")
    assert with_message("twice, see line 3") != with_message("thrice, see line 3")


def test_file_code_and_function_count():
    finding = samples.FINDINGS[0]
    others = [
        replace(finding, file="src/other.py"),
        replace(finding, code="DP002"),
        replace(finding, function="another"),
        CheckError(finding.file, 4, finding.message),
    ]
    found = [fingerprints([one], source([]))[0] for one in (finding, *others)]
    assert len(set(found)) == len(found)
