"""Which codes are reported, and how much each counts: `select`, `ignore` and `severity`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dplint.config.settings import Level, Settings


def is_selected(code: str, select: Sequence[str], ignore: Sequence[str]) -> bool:
    """Whether a code is reported: the longest matching prefix decides, and `ignore` wins a tie.

    An empty `select` selects everything.
    """
    chosen = max((len(prefix) for prefix in select if code.startswith(prefix)), default=-1 if select else 0)
    dropped = max((len(prefix) for prefix in ignore if code.startswith(prefix)), default=-1)
    return chosen >= 0 and chosen > dropped


def level_of(code: str, severity: Mapping[str, Level]) -> Level | None:
    """The level that the longest matching prefix gives a code, None if none does."""
    prefix = max((prefix for prefix in severity if code.startswith(prefix)), key=len, default=None)
    return None if prefix is None else severity[prefix]


def is_reported(code: str, settings: Settings) -> bool:
    """Whether a code is reported; the level "off" leaves it out, whatever `select` says."""
    return level_of(code, settings.severity) != "off" and is_selected(code, settings.select, settings.ignore)
