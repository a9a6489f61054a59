"""Names for problems that stay the same while a file is edited, so that other tools know them again."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeAlias, assert_never

from dplint.outcomes import CheckError, Finding, Result
from dplint.report.gathered import Problem, SharedFailure, code_of
from dplint.source.cell_names import split_cell

SourceLine: TypeAlias = Callable[[str, int], str | None]
"""Gives the text of a line of a file, counted from 1; None where there is none to be had."""

_NUMBER = re.compile(r"\d+")


def fingerprints(problems: Sequence[Problem], source: SourceLine) -> list[str]:
    """The fingerprint of each problem, all different.

    Line numbers are no part of it. A verdict is known by its code, file and function, whatever the data and numbers of
    its counterexample; a finding by its code, file, function and the text of its line, however that is indented;
    those that agree in all of it by their order.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for problem in problems:
        key = _key(problem, source)
        seen[key] += 1
        found.append(hashlib.sha256("\0".join((*key, str(seen[key]))).encode("utf-8", "replace")).hexdigest()[:32])
    return found


def _key(problem: Problem, source: SourceLine) -> tuple[str, ...]:
    match problem:
        case Result():
            return (
                "verdict",
                code_of(problem.outcome) or "",
                split_cell(problem.mechanism.file)[0],
                problem.mechanism.qualname,
            )
        case Finding():
            line = source(problem.file, problem.span.line)
            # Without the source the message must do, less the numbers of lines and the like in it.
            text = _NUMBER.sub("", problem.message) if line is None else " ".join(line.split())
            return "finding", problem.code, split_cell(problem.file)[0], problem.function or "", text
        case CheckError():
            return "error", split_cell(problem.file)[0], _NUMBER.sub("", problem.message)
        case SharedFailure():
            return "failure", problem.failed.scope.value, split_cell(problem.file)[0]
        case _:
            assert_never(problem)
