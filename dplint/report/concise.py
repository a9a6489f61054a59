"""One line a problem, for editors and grep: `file:line:column: code message`, and a last line that sums up."""

from __future__ import annotations

from typing import assert_never

from dplint.outcomes import CheckError, Finding, Result
from dplint.report import words
from dplint.report.gathered import Gathered, Problem, code_of, place, problems
from dplint.report.literals import printable
from dplint.report.summary import summary


def concise(gathered: Gathered, seconds: float, *, quiet: bool = False) -> str:
    """Lines sorted by place. Mechanisms without a violation are only counted, in the last line; quiet drops that."""
    lines = [line(problem) for problem in problems(gathered)]
    return "".join(f"{text}\n" for text in [*lines, *([] if quiet else [summary(gathered, seconds)])])


def line(problem: Problem) -> str:
    """One problem on one line. An error, which has no code, bears the word "error" in its place."""
    file, row, column = place(problem)
    code, text = _code_and_text(problem)
    return f"{file}:{row}:{column}: {code} {printable(' '.join(text.split()))}"


def _code_and_text(problem: Problem) -> tuple[str, str]:
    match problem:
        case Result():
            return code_of(problem.outcome) or "-", words.message(problem)
        case Finding():
            return problem.code, problem.message
        case CheckError():
            return "error", problem.message
        case _:
            assert_never(problem)
