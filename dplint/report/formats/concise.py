"""One line a problem, for editors and grep: `file:line:column: code message`, and a last line that sums up."""

from __future__ import annotations

from dplint.report import problem_words
from dplint.report.change_words import change_text
from dplint.report.format import Format, Report
from dplint.report.gathered import Problem, placed, problems
from dplint.report.literals import for_logs, one_line
from dplint.report.summary import summary


def concise(report: Report) -> str:
    """Lines sorted by place. Mechanisms without a violation are only counted, in the last line; quiet drops that."""
    lines = [line(problem) for problem in problems(report.gathered)]
    lines += [] if report.quiet else [summary(report.gathered, report.seconds)]
    return for_logs("".join(f"{text}\n" for text in lines)) + change_text(report)


def line(problem: Problem) -> str:
    """One problem on one line. An error, which has no code, bears the word "error" in its place."""
    at = placed(problem)
    return f"{one_line(at.file)}:{at.line}:{at.column}: {at.code or 'error'} {problem_words.text(problem)}"


FORMAT = Format.of_text("concise", "one line a problem", concise)
