"""What the settings of its file make of a finding or a verdict: whether it is reported, and how much it counts."""

from __future__ import annotations

from dataclasses import replace

from dplint.config import Settings, is_reported, level_of
from dplint.outcomes import Finding, Result, Severity, Silenced, SilencedBy
from dplint.source.suppressions import code_of


def judged(item: Finding | Result, settings: Settings) -> Finding | Result | Silenced:
    """The item as it counts, or that the settings leave it out. A failed audit is never left out, nor made less of."""
    code = code_of(item)
    if code is None:
        return item
    if not is_reported(code, settings):
        return Silenced(item, SilencedBy.SETTINGS)
    level = level_of(code, settings.severity)
    return item if level is None else replace(item, severity=Severity(level))
