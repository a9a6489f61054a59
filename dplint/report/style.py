"""Symbols and colours of the terminal report, with a plain fallback where the encoding has no such characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from dplint.outcomes import Failed, NoViolation, Outcome, Proved, Severity, Underpowered, Untestable, Violation


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters of a report."""

    violation: str
    proved: str
    proved_in_part: str
    no_violation: str
    underpowered: str
    untestable: str
    failed: str
    rejected: str
    bar: str
    bar_half: str
    gutter: str
    arrow: str
    epsilon: str
    delta: str
    dot: str
    markers: str
    vertical: str
    horizontal: str


UNICODE = Glyphs(
    violation="✗",
    proved="✓",
    proved_in_part="◐",
    no_violation="○",
    underpowered="◌",
    untestable="–",
    failed="!",
    rejected="✗",
    bar="█",
    bar_half="▌",
    gutter="│",
    arrow="→",
    epsilon="ε",
    delta="δ",
    dot="·",
    markers="●■▲◆○□△◇",
    vertical="┊",
    horizontal="┈",
)
ASCII = Glyphs(
    violation="x",
    proved="+",
    proved_in_part="~",
    no_violation="o",
    underpowered=".",
    untestable="-",
    failed="!",
    rejected="x",
    bar="#",
    bar_half="#",
    gutter="|",
    arrow="->",
    epsilon="epsilon",
    delta="delta",
    dot="|",
    markers="o*+x#@%&",
    vertical=":",
    horizontal=".",
)


def glyphs(encoding: str) -> Glyphs:
    """The characters that an output of this encoding can show."""
    return UNICODE if encoding.lower().startswith("utf") else ASCII


def symbol(outcome: Outcome, characters: Glyphs) -> str:
    """The sign of a verdict. A tick is only for what is proved, and only for what is proved in full."""
    match outcome:
        case Violation(against=None):
            return characters.violation
        case Violation(against=proof):
            assert proof is not None
            return characters.violation + symbol(proof, characters)
        case Proved():
            return characters.proved if outcome.scope.full else characters.proved_in_part
        case NoViolation():
            return characters.no_violation
        case Underpowered():
            return characters.underpowered
        case Untestable():
            return characters.untestable
        case Failed():
            return characters.failed
        case _:
            assert_never(outcome)


def colour(outcome: Outcome) -> str:
    """The colour of a verdict. Green is only for what is proved in full."""
    match outcome:
        case Violation():
            return "bold red"
        case Proved():
            return "green" if outcome.scope.full else "blue"
        case NoViolation():
            return "cyan"
        case Underpowered() | Untestable():
            return "yellow"
        case Failed():
            return "bold magenta"
        case _:
            assert_never(outcome)


def severity_colour(severity: Severity) -> str:
    """The colour of a finding's code."""
    match severity:
        case Severity.ERROR:
            return "bold red"
        case Severity.WARNING:
            return "bold yellow"
        case Severity.INFO:
            return "bold blue"
        case _:
            assert_never(severity)


def bar(share: float, width: int, characters: Glyphs) -> str:
    """A bar of that share of the width; whatever is not zero shows as half a character at least."""
    halves = round(min(1.0, share) * width * 2)
    if share > 0:
        halves = max(1, halves)
    return characters.bar * (halves // 2) + (characters.bar_half if halves % 2 else "")
