"""What the settings of its file make of a finding or a verdict: whether it is reported, and how much it counts."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from dplint.config import Settings, is_reported, level_of
from dplint.outcomes import (
    Failed,
    Finding,
    NoViolation,
    Proved,
    Result,
    Severity,
    Silenced,
    SilencedBy,
    Underpowered,
    Untestable,
    Violation,
)


def judged(item: Finding | Result, settings: Settings) -> Finding | Result | Silenced:
    """The item as it counts, or that the settings leave it out. A failed audit is never left out, nor made less of."""
    code = _code(item)
    if code is None:
        return item
    if not is_reported(code, settings):
        return Silenced(item, SilencedBy.SETTINGS)
    level = level_of(code, settings.severity)
    return item if level is None else replace(item, severity=Severity(level))


def _code(item: Finding | Result) -> str | None:
    """The code by which the settings may name it."""
    if isinstance(item, Finding):
        return item.code
    match item.outcome:
        case Violation() | Underpowered() | Untestable():
            return item.outcome.code
        case Proved() | NoViolation() | Failed():
            return None
        case _:
            assert_never(item.outcome)
