"""One line a problem, for editors and grep: `file:line:column: code message`, and a last line that sums up."""

from __future__ import annotations

from dplint.report import problem_words
from dplint.report.change_words import change_text
from dplint.report.format import Format
from dplint.report.gathered import Gathered, Problem, placed, problems
from dplint.report.literals import for_logs, one_line
from dplint.report.summary import summary


def concise(gathered: Gathered, seconds: float, *, quiet: bool = False) -> str:
    """Lines sorted by place. Mechanisms without a violation are only counted, in the last line; quiet drops that."""
    lines = [line(problem) for problem in problems(gathered)]
    return for_logs("".join(f"{text}\n" for text in [*lines, *([] if quiet else [summary(gathered, seconds)])]))


def line(problem: Problem) -> str:
    """One problem on one line. An error, which has no code, bears the word "error" in its place."""
    at = placed(problem)
    return f"{one_line(at.file)}:{at.line}:{at.column}: {at.code or 'error'} {problem_words.text(problem)}"


FORMAT = Format.of_text(
    "concise",
    "one line a problem",
    lambda report: concise(report.gathered, report.seconds, quiet=report.quiet) + change_text(report),
)
