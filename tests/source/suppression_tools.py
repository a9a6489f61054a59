"""Findings, mechanisms and verdicts for comments to silence."""

from pathlib import Path

from dplint.claims import Span
from dplint.outcomes import (
    Effort,
    Failed,
    FailureKind,
    Finding,
    NoViolation,
    Result,
    Severity,
    StopReason,
    Untestable,
)
from dplint.source.read import read_source

FILE = "module.py"


def finding(line, code="DP101", column=1, file=FILE, severity=Severity.WARNING):
    return Finding(file, Span(line, column, line, column + 1), None, code, severity, "wrong")


CLAIMED = """\
import dplint


{above}
@other  # decorator
@dplint.dp(
    epsilon=1.0,
)
def f(  # head
    rng,
    queries,
):
    return queries  # body


g = dplint.dp(epsilon=1.0)(lambda queries: queries)  # lambda
"""
UNTESTABLE = Untestable(reason="so")
FAILED = Failed(kind=FailureKind.IMPORT, reason="so")


def nothing_found(stop=StopReason.BUDGET):
    return NoViolation(tested=(), choices=(), confidence=0.999, effort=Effort(stop=stop))


def results(text, outcome):
    """A result for each mechanism of the text."""
    read = read_source(Path(FILE), file=FILE, text=text)
    assert not read.findings
    return [Result(found.mechanism, outcome) for found in read.mechanisms]


def commented(place, codes="DP904"):
    text = CLAIMED.format(above="# above")
    assert f"# {place}\n" in text
    return text.replace(f"# {place}\n", f"# dplint: ignore[{codes}]\n")
